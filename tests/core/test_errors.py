"""User errors: each kind has its own class, the message states what is expected, and the state does not change."""

import gymnasium as gym
import numpy as np
import pytest

from shoverworld import Reward, Rules, ShoverWorldEnv
from shoverworld.core import errors
from shoverworld.core.errors import ActionError, ConfigError, MapError, MapNotFound, ResetNeeded, ShoverWorldError

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # warnings that Gymnasium issues

ID = "shoverworld/ShoverWorld-v0"
BOARD = "A.B.\n.B..\n#..L"  # 3 rows, 4 columns


def single(**keywords):
    return ShoverWorldEnv(**keywords)


def made(**keywords):
    return gym.make(ID, **keywords)


def batch(num_envs=3, **keywords):
    return gym.make_vec(ID, num_envs=num_envs, vectorization_mode="vector_entry_point", **keywords)


def rejected(kind, call, *parts):
    """Assert that the call raises this error class of the package and that its message contains these parts."""
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    assert isinstance(error, ShoverWorldError)
    assert type(error).__module__ == errors.__name__
    for part in parts:
        assert part in str(error)
    return error


def snapshot(env):
    """Return the complete state of a game or batch."""
    state = env.unwrapped.get_state()
    return state.board.tolist(), state.game.tolist(), state.squares.tolist(), state.width


def changes_nothing(env, kind, call, *parts):
    before = snapshot(env)
    error = rejected(kind, call, *parts)
    assert snapshot(env) == before
    return error


@pytest.fixture(params=[single, made])
def env(request):
    """A game on BOARD after one step, created directly and through Gymnasium."""
    env = request.param(n_rows=3, n_cols=4, seed=1)
    env.reset(options={"map": BOARD})
    env.step((1, 1, 2))
    return env


@pytest.fixture
def envs():
    """A batch of three games, each identical to the game in `env`."""
    envs = batch(n_rows=3, n_cols=4, seed=1)
    envs.reset(options={"map": BOARD})
    envs.step(np.array([[1, 1, 2]] * 3))
    return envs


@pytest.fixture
def board_file(tmp_path):
    path = tmp_path / "dock.txt"
    path.write_text(BOARD, encoding="utf-8")
    return path


# --- the error classes


def test_every_error_class_is_a_shover_world_error_and_a_built_in_exception():
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]
    assert len(classes) >= 8
    for c in classes:
        assert issubclass(c, ShoverWorldError)
    for c in (ConfigError, ActionError, MapError):
        assert issubclass(c, ValueError)
    assert issubclass(MapNotFound, MapError)
    assert issubclass(MapNotFound, FileNotFoundError)
    assert issubclass(ResetNeeded, gym.error.ResetNeeded)


# --- arguments

NUMBERS = ["initial_force", "unit_force", "initial_stamina", "step_cost", "barrier_stamina"]
WHOLE = [
    "n_rows",
    "n_cols",
    "max_timestep",
    "perf_sq_initial_age",
    "number_of_boxes",
    "number_of_barriers",
    "number_of_lavas",
]
WORDS = {
    "actor": "walk",
    "edge": "lava",
    "stationary": "last_push",
    "pick": "smallest",
    "order": "squares_first",
    "hellify": "whole",
}

BAD_KEYWORDS = [
    *(({name: value}, name) for name in NUMBERS for value in (-1, float("nan"), float("inf"), "40", [1], True)),
    *(({name: value}, name) for name in WHOLE for value in (-1, 1.5, float("nan"), "5", (5,), True)),
    *(
        ({name: value}, name, repr(word))
        for name, word in WORDS.items()
        for value in ("jump", "", 0, ["walk"], word.upper())
    ),
    *(({name: 0}, name, "1") for name in ("n_rows", "n_cols", "max_timestep")),
    *(({name: 257}, name, "256") for name in ("n_rows", "n_cols")),
    ({"initial_stamina": 0}, "initial_stamina", "greater than 0"),
    ({"max_timestep": 2**40}, "max_timestep"),
    ({"initial_force": 10**400}, "initial_force"),  # an integer that is too large for a float
    ({"n_rows": 10**400}, "n_rows", "256"),
    ({"number_of_boxes": 10**400}, "number_of_boxes"),
    ({"z_base": -1}, "z_base"),
    ({"z_base": "1"}, "z_base"),
    ({"noop": "yes"}, "noop", "True"),
    ({"noop": True, "z_base": 0}, "noop", "z_base"),
    ({"solvable": "yes"}, "solvable", "True"),
    ({"rules": "milestone2"}, "rules", "milestone1", "walker", "phase2"),
    ({"rules": 3}, "rules", "milestone1"),
    ({"rules": ["walker"]}, "rules", "walker"),
    ({"reward": 5}, "reward", "Reward("),
    ({"reward": "lava"}, "reward"),
    ({"reward": {"lavva": 1}}, "lavva", "did you mean", "'lava'"),
    ({"reward": {"lava": "1"}}, "Reward.lava"),
    ({"reward": {"invalid": float("nan")}}, "Reward.invalid"),
    ({"seed": -1}, "seed"),
    ({"seed": "one"}, "seed"),
    ({"seed": 1.5}, "seed"),
    ({"numbr_of_boxes": 3}, "numbr_of_boxes", "did you mean", "'number_of_boxes'"),
    ({"n_row": 3}, "n_row", "did you mean", "'n_rows'"),
    ({"initial_forse": 3}, "initial_forse", "did you mean", "'initial_force'"),
    ({"map": "x"}, "'map'"),
    ({"xyzzy": 1}, "xyzzy"),
    ({"render_mode": "gif"}, "render_mode", "gif"),
]


@pytest.mark.parametrize("make", [single, made, batch])
@pytest.mark.parametrize("case", BAD_KEYWORDS, ids=lambda case: str(case[0])[:40])
def test_invalid_arguments_raise_an_error(make, case):
    keywords, *parts = case
    error = rejected(ConfigError, lambda: make(**keywords), *parts)
    assert isinstance(error, ValueError)
    assert len(str(error)) < 1000


@pytest.mark.parametrize("make", [single, made])
def test_the_error_for_an_invalid_render_mode_lists_the_valid_modes(make):
    rejected(ConfigError, lambda: make(render_mode="gif"), "'human'", "'rgb_array'", "'ansi'")


@pytest.mark.parametrize("make", [single, batch])  # gym.make itself fails for a mode that is not a string
def test_a_render_mode_that_is_not_a_string_raises_an_error(make):
    rejected(ConfigError, lambda: make(render_mode=3), "render_mode", "3")


@pytest.mark.parametrize("size", [0, 3, 513, -48, 20.5, "48", float("nan")])
def test_invalid_cell_sizes_raise_an_error(size):
    rejected(ConfigError, lambda: single(cell_size=size), "cell_size")


@pytest.mark.parametrize("make", [single, made, batch])
def test_the_error_for_counts_that_exceed_the_map_size_reports_the_maximum(make):
    rejected(ConfigError, lambda: make(n_rows=2, n_cols=2, number_of_lavas=5), "number_of_lavas", "4")
    rejected(ConfigError, lambda: make(n_rows=2, n_cols=3, number_of_boxes=4, number_of_lavas=2), "2 x 3", "5")


@pytest.mark.parametrize("make", [single, made, batch])
def test_invalid_map_paths_raise_an_error(make, tmp_path, board_file):
    missing = tmp_path / "missing.txt"
    error = rejected(MapNotFound, lambda: make(map_path=missing), str(missing))
    assert isinstance(error, FileNotFoundError)
    rejected(MapError, lambda: make(map_path=str(tmp_path)), str(tmp_path))
    rejected(MapError, lambda: make(map_path="no\0file"))
    rejected(ConfigError, lambda: make(map_path=board_file, n_rows=6), "n_rows", "6", "3", "dock.txt")
    rejected(ConfigError, lambda: make(map_path=board_file, n_cols=3), "n_cols", "3", "4", "dock.txt")
    make(map_path=board_file, n_rows=3, n_cols=4).reset(seed=1)  # the correct size is accepted


@pytest.mark.parametrize("make", [single, made, batch])
@pytest.mark.parametrize("path", [3, 1.5, b"dock.txt", ["dock.txt"], False])
def test_map_paths_of_the_wrong_type_raise_an_error(make, path):
    rejected(ShoverWorldError, lambda: make(map_path=path))


@pytest.mark.parametrize("make", [single, made, batch])
def test_the_error_for_an_invalid_map_file_reports_the_position_of_the_fault(make, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("...\n.x.", encoding="utf-8")
    error = rejected(MapError, lambda: make(map_path=path), str(path), "line 2", "column 2", "'x'")
    assert (error.line, error.column) == (2, 2)


def test_invalid_batch_arguments_raise_an_error():
    rejected(ConfigError, lambda: batch(num_envs=0), "num_envs")
    for value in (-1, 1.5, "3"):
        rejected(ConfigError, lambda v=value: batch(num_envs=v), "num_envs")
        rejected(ConfigError, lambda v=value: batch(num_threads=v), "num_threads")
    rejected(ConfigError, lambda: batch(autoreset_mode="Never"), "autoreset_mode", "NextStep", "SameStep", "Disabled")
    rejected(ConfigError, lambda: batch(copy="no"), "copy", "True")
    rejected(ConfigError, lambda: batch(render_mode="rgb_array"), "render_mode", "rgb_array")


def test_invalid_rules_raise_an_error():
    rejected(ConfigError, lambda: Rules.preset("walkr"), "walkr", "'walker'")
    rejected(ConfigError, lambda: Rules.preset("walker", edgee="lava"), "edgee", "did you mean 'edge'")
    rejected(ConfigError, lambda: Rules.preset("walker", edge="hole"), "edge", "hole", "'wall'", "'lava'")
    rejected(ConfigError, lambda: Rules(unit_force=-0.5), "unit_force", "-0.5", "at least 0")
    rejected(ConfigError, lambda: Reward(barrier="10"), "barrier", "number")


# --- actions: BOARD has rows 0-2, columns 0-3, z 1-6

OUTSIDE = [
    (-1, 0, 1),
    (3, 0, 1),
    (0, -1, 1),
    (0, 4, 1),
    (0, 0, 0),
    (0, 0, 7),
    (0, 0, -1),
    (2**70, 0, 1),
    (0, -(2**70), 1),
    (0, 0, 2**63),
]
MALFORMED = [
    *((), (0,), (0, 0), (0, 0, 1, 1), ((0, 0), 1, 1), ((0, 0, 0), 1), ((0,), 1), ((0, 0), (1,)), [[0, 0, 1]]),
    *((0.0, 0.0, 1.0), (0.5, 0, 1), (0, 0, 1.5), ((0, 0.0), 1), (0, float("nan"), 1), (None, 0, 1), (0, 0, None)),
    *(None, 1, 1.5, "001", "up", ("0", "0", "1"), ("a", 0, 1), b"ab", Ellipsis, {}, set()),
    *(np.zeros(3), np.zeros(2, int), np.array(1), np.ones((1, 3), int), np.array(["0", "0", "1"]), np.zeros(0, int)),
]


@pytest.mark.parametrize("action", [*OUTSIDE, *MALFORMED], ids=lambda action: repr(action)[:40])
def test_invalid_actions_raise_an_error(env, action):
    changes_nothing(env, ActionError, lambda: env.step(action), "(row, col, z)", "row 0-2", "col 0-3", "z 1-6")
    env.step((0, 3, 1))  # the game continues


@pytest.mark.parametrize("action", [(3, 0, 1), (0, 4, 1), (0, 0, 7), (-1, 0, 1), (0, 0, 0)])
def test_actions_of_the_wrong_shape_raise_an_error(env, action):
    row, col, z = action
    changes_nothing(env, ActionError, lambda: env.step(np.array(action)), "row 0-2")
    changes_nothing(env, ActionError, lambda: env.step(((row, col), z)), "row 0-2")
    changes_nothing(env, ActionError, lambda: env.step(list(action)), "row 0-2")


@pytest.mark.parametrize(("rules", "lowest", "highest"), [("milestone1", 1, 6), ("walker", 0, 6), ("phase2", 0, 5)])
@pytest.mark.parametrize("make", [single, made])
def test_the_error_states_the_range_of_action_codes_in_the_preset(make, rules, lowest, highest):
    env = make(rules=rules)
    env.reset(seed=1, options={"map": "A...\n.B..\n...L"})
    for z in (lowest - 1, highest + 1):
        changes_nothing(env, ActionError, lambda z=z: env.step((0, 0, z)), f"z {lowest}-{highest}")
    for z in (lowest, highest):
        assert env.step((0, 0, z))[4]["timestep"] > 0


@pytest.mark.parametrize("action", [a for a in OUTSIDE if max(map(abs, a)) < 2**63], ids=repr)
@pytest.mark.parametrize("game", [0, 1, 2])
def test_invalid_actions_in_a_batch_raise_an_error(envs, game, action):
    actions = np.array([[0, 3, 1]] * 3)
    actions[game] = action
    parts = f"game {game}", str(list(action)), "row 0-2", "col 0-3", "z 1-6"
    changes_nothing(envs, ActionError, lambda: envs.step(actions), *parts)


@pytest.mark.parametrize(
    "actions",
    [
        *(
            None,
            1,
            "up",
            [],
            [[0, 0, 1]],
            [[0, 0, 1]] * 4,
            [[0, 0]] * 3,
            [[0, 0, 1, 1]] * 3,
            [[0, 0, 1], [0, 0, 1], [0, 0]],
            [0, 0, 1],
        ),
        *(
            [[0, 0, None]] * 3,
            [["0", "0", "1"]] * 3,
            [[2**70, 0, 1]] * 3,
            [[0.0, 0.0, 1.0]] * 3,
            [((0, 0), 1)] * 3,
            Ellipsis,
            {},
        ),
        *(
            np.zeros((3, 3)),
            np.full((3, 3), np.nan),
            np.ones((3, 3), bool),
            np.ones((1, 3, 3), int),
            np.ones((3, 3), object),
        ),
    ],
    ids=lambda actions: repr(actions)[:40],
)
def test_malformed_action_arrays_raise_an_error(envs, actions):
    changes_nothing(envs, ActionError, lambda: envs.step(actions), "(3, 3)", "integers")
    envs.step([[0, 3, 1]] * 3)


def test_unsigned_batch_actions_do_not_wrap_around(envs):
    actions = np.array([[0, 3, 1]] * 3, np.uint64)
    envs.step(actions)
    actions[1, 0] = 2**64 - 1
    changes_nothing(envs, ActionError, lambda: envs.step(actions), "game 1")


@pytest.mark.parametrize(
    "cell", [(0, 2), (2, 0), (2, 3), (-1, 0), (3, 0), (0, 4), (0,), (0, 0, 0), None, "ab", (0.5, 0), 3]
)
def test_invalid_placements_raise_an_error(env, cell):
    changes_nothing(env, ActionError, lambda: env.unwrapped.place(cell), "place(")


# --- reset

BAD_OPTIONS = [
    ({"mapp": BOARD}, ConfigError, "mapp", "did you mean 'map'"),
    ({"seed": 3}, ConfigError, "seed"),
    ({"map": ""}, MapError, "empty"),
    ({"map": "...\n.."}, MapError, "line 2"),
    ({"map": "....\n.x..\n...."}, MapError, "line 2", "column 2", "'x'"),
    ({"map": 5}, MapError, "map"),
    ({"map": [[0, 0], [0, 0]]}, MapError, "map"),
    ({"map": np.full((3, 4), 55)}, MapError, "55"),
    ({"map": np.zeros(12, int)}, MapError, "12"),
    ({"map": np.full((3, 4), 10)}, MapError, "empty cell"),
    ({"map": BOARD, "agent": (0, 2)}, MapError, "(0, 2)", "empty"),
    ({"map": BOARD, "agent": (3, 0)}, MapError, "(3, 0)", "3 x 4"),
    ({"map": BOARD, "agent": (-1, 0)}, MapError, "(-1, 0)"),
    ({"map": BOARD, "agent": 5}, MapError, "5", "(row, col)"),
    ({"map": BOARD, "agent": (0, 0, 0)}, MapError, "(row, col)"),
    ({"map": BOARD, "agent": ("a", "b")}, MapError, "(row, col)"),
    ({"map": BOARD, "agent": (0.5, 0)}, MapError, "(row, col)"),
    ({"map": BOARD, "agent": (float("inf"), 0)}, MapError, "(row, col)"),
    ({"agent": (0, 0)}, ConfigError, "agent", "map"),
    ({5: 5}, ConfigError, "5"),
    ("map", ConfigError, "options"),
    (5, ConfigError, "options"),
]


@pytest.mark.parametrize("case", BAD_OPTIONS, ids=lambda case: str(case[0])[:50])
@pytest.mark.parametrize("seed", [None, 7])
def test_invalid_reset_options_raise_an_error(env, case, seed):
    options, kind, *parts = case
    changes_nothing(env, kind, lambda: env.reset(seed=seed, options=options), *parts)
    env.step((0, 3, 1))


@pytest.mark.parametrize("case", BAD_OPTIONS, ids=lambda case: str(case[0])[:50])
@pytest.mark.parametrize("seed", [None, 7])
def test_invalid_batch_reset_options_raise_an_error(envs, case, seed):
    options, kind, *parts = case
    changes_nothing(envs, kind, lambda: envs.reset(seed=seed, options=options), *parts)
    envs.step([[0, 3, 1]] * 3)


@pytest.mark.parametrize("seed", [None, 7])
def test_a_batch_rejects_a_map_of_a_different_size(envs, seed):
    changes_nothing(envs, ConfigError, lambda: envs.reset(seed=seed, options={"map": "..B"}), "1 x 3", "3 x 4")


@pytest.mark.parametrize(
    "mask", [True, [True, False, True], np.ones(2, bool), np.ones(3, int), np.zeros(3, bool), "all"], ids=repr
)
def test_invalid_reset_masks_raise_an_error(envs, mask):
    changes_nothing(envs, ConfigError, lambda: envs.reset(seed=7, options={"reset_mask": mask}), "reset_mask")


@pytest.mark.parametrize("seed", [-1, 1.5, "one", [1, 2], [1, 2, -3], [1, 2, "three"], [1, 2, 3.5]], ids=repr)
def test_invalid_batch_seeds_raise_an_error(envs, seed):
    changes_nothing(envs, ConfigError, lambda: envs.reset(seed=seed), "seed")


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_an_invalid_seed_does_not_change_the_state(env, seed):
    """Gymnasium raises the error for a single environment."""
    before = snapshot(env)
    with pytest.raises((ShoverWorldError, gym.error.Error)):
        env.reset(seed=seed)
    assert snapshot(env) == before


# --- before the first reset and after the end


def test_a_step_before_reset_raises_an_error():
    env = single()
    for call in (lambda: env.step((0, 0, 1)), env.get_state, env.action_mask, env.observe, lambda: env.place((0, 0))):
        error = rejected(ResetNeeded, call, "reset()", "not begun")
        assert isinstance(error, gym.error.ResetNeeded)
    rejected(ResetNeeded, single(render_mode="ansi").render, "reset()")
    with pytest.raises(gym.error.ResetNeeded):
        made().step((0, 0, 1))  # one of Gymnasium's wrappers raises its own error first
    rejected(ResetNeeded, lambda: made().unwrapped.step((0, 0, 1)), "reset()")


def test_stepping_a_batch_before_reset_raises_an_error():
    envs = batch()
    rejected(ResetNeeded, lambda: envs.step([[0, 0, 1]] * 3), "reset()", "not begun")
    mask = np.array([True, False, False])
    rejected(ResetNeeded, lambda: envs.reset(options={"reset_mask": mask}), "reset()", "reset_mask")
    rejected(ResetNeeded, lambda: envs.step([[0, 0, 1]] * 3), "reset()")


def test_requesting_the_state_or_mask_of_a_batch_before_reset_raises_an_error():
    envs = batch()
    rejected(ResetNeeded, envs.unwrapped.get_state, "reset()")
    rejected(ResetNeeded, envs.unwrapped.action_mask, "reset()")


ENDS = [  # the box at (1, 2) burns if it is pushed to the right
    ("cleared", {}, "A...\n..BL", (1, 2, 2)),
    ("exhausted", {"initial_stamina": 1}, "A..B\n...L", (0, 1, 1)),
    ("timeout", {"max_timestep": 1}, "A..B\n...L", (0, 1, 1)),
]


@pytest.mark.parametrize(("outcome", "keywords", "board", "last"), ENDS)
@pytest.mark.parametrize("make", [single, made])
def test_a_step_after_the_end_of_the_game_raises_an_error(make, outcome, keywords, board, last):
    env = make(n_rows=2, n_cols=4, **keywords)
    env.reset(seed=1, options={"map": board})
    *_, terminated, truncated, info = env.step(last)
    assert (terminated, truncated, info["outcome"]) == (outcome != "timeout", outcome == "timeout", outcome)
    for action in ((0, 1, 1), (9, 9, 9), None):
        error = changes_nothing(env, ResetNeeded, lambda a=action: env.step(a), outcome, "reset()")
        assert isinstance(error, gym.error.ResetNeeded)
    changes_nothing(env, ResetNeeded, lambda: env.unwrapped.place((0, 2)), "reset()")
    env.reset(seed=1, options={"map": board})
    env.step((0, 1, 1))


@pytest.mark.parametrize(("outcome", "keywords", "board", "last"), ENDS)
def test_a_step_after_the_end_of_a_game_raises_an_error_in_a_batch_without_autoreset(outcome, keywords, board, last):
    envs = batch(n_rows=2, n_cols=4, autoreset_mode="Disabled", **keywords)
    envs.reset(seed=1, options={"map": board})
    actions = [last, last, last]
    *_, info = envs.step(actions)
    assert info["outcome"].tolist() == [outcome] * 3
    changes_nothing(envs, ResetNeeded, lambda: envs.step(actions), "0, 1, 2", "reset_mask")
    envs.reset(options={"map": board, "reset_mask": np.array([True, False, True])})
    changes_nothing(envs, ResetNeeded, lambda: envs.step(actions), "[1]", "reset_mask")
    envs.reset(options={"map": board, "reset_mask": np.array([False, True, False])})
    envs.step(actions)


# --- states


def with_game(**changes):
    def damage(state):
        for name, value in changes.items():
            state.game[name] = value
        return state

    return damage


def with_cell(value):
    def damage(state):
        state.grid()[0, 1, 2] = value
        return state

    return damage


BAD_STATES = {
    "none": lambda state: None,
    "number": lambda state: 5,
    "text": lambda state: "state",
    "tuple": tuple,
    "dict": lambda state: state._asdict(),
    "class": type,
    "short board": lambda state: state._replace(board=state.board[:, :-1]),
    "board of another batch": lambda state: state._replace(board=np.concatenate([state.board] * 2)),
    "board of floats": lambda state: state._replace(board=state.board.astype(float)),
    "board of 64-bit numbers": lambda state: state._replace(board=state.board.astype(np.int64)),
    "board with three axes": lambda state: state._replace(board=state.board[None]),
    "no board": lambda state: state._replace(board=None),
    "list instead of a board": lambda state: state._replace(board=state.board.tolist()),
    "no width": lambda state: state._replace(width=0),
    "another width": lambda state: state._replace(width=state.width + 1),
    "width that is not a number": lambda state: state._replace(width="six"),
    "game of another type": lambda state: state._replace(game=np.zeros(len(state.game))),
    "no game": lambda state: state._replace(game=state.game[:0]),
    "list instead of a game": lambda state: state._replace(game=state.game.tolist()),
    "no space for squares": lambda state: state._replace(squares=state.squares[:, :0]),
    "squares of another type": lambda state: state._replace(squares=np.zeros(state.squares.shape)),
    "squares of no games": lambda state: state._replace(squares=state.squares[:0]),
    "unknown cell code": with_cell(55),
    "negative cell code": with_cell(-1),
    "shover off the map": with_game(row=99),
    "shover left of the map": with_game(col=-1),
    "unknown outcome": with_game(outcome=4),
    "too many squares": with_game(squares=1000),
    "unknown direction": with_game(direction=4),
    "stamina is not a number": with_game(stamina=np.nan),
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_invalid_states_raise_an_error(env, name):
    bad = BAD_STATES[name](env.unwrapped.get_state())
    changes_nothing(env, ConfigError, lambda: env.unwrapped.set_state(bad), "set_state", "get_state")


@pytest.mark.parametrize("name", BAD_STATES)
def test_invalid_batch_states_raise_an_error(envs, name):
    bad = BAD_STATES[name](envs.unwrapped.get_state())
    changes_nothing(envs, ConfigError, lambda: envs.unwrapped.set_state(bad), "set_state", "get_state")


def test_states_from_other_environments_raise_an_error(env, envs):
    changes_nothing(env, ConfigError, lambda: env.unwrapped.set_state(envs.unwrapped.get_state()), "one game")
    changes_nothing(envs, ConfigError, lambda: envs.unwrapped.set_state(env.unwrapped.get_state()), "3 games")
    other = batch(n_rows=4, n_cols=3)
    other.reset(seed=1)
    changes_nothing(envs, ConfigError, lambda: envs.unwrapped.set_state(other.unwrapped.get_state()), "size")
