"""Tests of the public API: the same functions for all three games, a light import, and the ids of every game."""

import inspect
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest

import shoverworld
from shoverworld import games, race, registry, shover, sokoban
from shoverworld.core.errors import ConfigError
from shoverworld.core.game import EnvId, Game, Lazy

VERBS = ("read", "write", "packaged", "packaged_names", "generate", "solve", "make_env")
FACADES = (shover, sokoban, race)
EACH_GAME = pytest.mark.parametrize("facade", FACADES, ids=lambda facade: facade.__name__)


@EACH_GAME
def test_every_game_offers_the_same_functions(facade):
    assert set(VERBS) <= set(facade.__all__)
    assert all(callable(getattr(facade, verb)) for verb in VERBS)
    assert all(hasattr(facade, name) for name in facade.__all__)


def small(facade):
    """Generate a small random level."""
    if facade is sokoban:
        return sokoban.generate(3, rows=7, cols=7, boxes=1)
    if facade is race:
        return race.generate(3, rows=12, cols=16)
    return shover.generate(3, rules="phase2", rows=4, cols=5, boxes=3)


def rules_of(facade):
    """Return the arguments that `solve` and `make_env` need for the level from `small`."""
    return {"rules": "phase2"} if facade is shover else {}


PUBLIC_FUNCTIONS = [
    pytest.param(function, id=f"{module.__name__}.{name}")
    for module in (shoverworld, *FACADES)
    for name in module.__all__
    if inspect.isroutine(inspect.unwrap(function := getattr(module, name)))
]


@EACH_GAME
def test_generated_levels_can_be_solved_and_played(facade):
    level = small(facade)
    assert level == small(facade)
    plan = facade.solve(level, time_limit=5.0, **rules_of(facade))
    assert plan.status == "solved" and plan.steps > 0
    env = facade.make_env(level, **rules_of(facade))
    env.reset(seed=0)
    assert env.game.name == facade.__name__.rpartition(".")[2]
    assert env.action_mask().any()


@pytest.mark.parametrize("function", PUBLIC_FUNCTIONS)
def test_every_public_function_is_annotated_and_documented(function):
    signature = inspect.signature(function)
    missing = [name for name, one in signature.parameters.items() if one.annotation is one.empty]
    assert missing == []
    assert signature.return_annotation is not signature.empty
    assert inspect.getdoc(function)


@EACH_GAME
def test_levels_are_unchanged_after_writing_and_reading(facade, tmp_path):
    packaged = facade.packaged(facade.packaged_names()[-1])
    for number, level in enumerate([small(facade), packaged[-1] if facade is sokoban else packaged]):
        path = tmp_path / f"{number}.txt"
        facade.write(path, level)
        assert facade.read(path) == level
        assert facade.read(str(path)) == level


@EACH_GAME
def test_the_limits_that_solve_accepts_have_the_same_defaults_in_every_game(facade):
    parameters = inspect.signature(facade.solve).parameters
    assert parameters["time_limit"].default == 10.0
    assert parameters["memory_limit"].default == 1024.0
    assert parameters["progress"].default is None


def play_to_the_end(env, actions):
    """Play the actions and assert that only the last one ends the game."""
    ends = []
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        ends.append(terminated or truncated)
    assert ends == [False] * (len(ends) - 1) + [True]
    assert env.outcome == env.game.won


@EACH_GAME
def test_the_plan_for_a_level_wins_the_game(facade):
    level = small(facade)
    plan = facade.solve(level, **rules_of(facade))
    env = facade.make_env(level, **rules_of(facade))
    env.reset(
        seed=0, options={"starts": [plan.start]} if facade is race else None
    )  # the plan starts from the best start cell
    play_to_the_end(env, plan.actions)


@EACH_GAME
def test_the_plan_for_a_state_wins_the_game(facade):
    env = facade.make_env(small(facade), **rules_of(facade))
    env.reset(seed=0)
    first = facade.solve(env.get_state(), **rules_of(facade)).actions[0]
    env.step(first)
    plan = facade.solve(env.get_state(), **rules_of(facade))
    assert plan.status == "solved"
    play_to_the_end(env, plan.actions)


@EACH_GAME
def test_packaged_levels_can_be_played(facade):
    name = facade.packaged_names()[0]
    env = facade.make_env(facade.packaged(name))
    env.reset(seed=0)
    assert env.outcome is None


def test_a_level_in_a_sokoban_file_is_selected_by_its_number(tmp_path):
    levels = [sokoban.generate(seed, rows=7, cols=7, boxes=1) for seed in (1, 2)]
    sokoban.write(tmp_path / "two.xsb", levels)
    assert sokoban.read(tmp_path / "two.xsb", 2) == levels[1]
    with pytest.raises(sokoban.LevelNotFound, match="there is no level 3; the levels are 1 to 2"):
        sokoban.read(tmp_path / "two.xsb", 3)


def test_every_public_name_exists():
    assert all(getattr(shoverworld, name) is not None for name in shoverworld.__all__)


# --- imports and ids


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_importing_the_package_imports_no_libraries_and_only_the_descriptors_of_games():
    loaded = python(
        "import sys, shoverworld, shoverworld.commands.parser\n"
        "shoverworld.commands.parser.build().format_help()\n"
        "print(*[m for m in sys.modules if m.split('.')[0] in ('numpy', 'numba', 'gymnasium', 'rich', 'PIL', 'pygame')])\n"
        "print(*[m for m in sys.modules if m.startswith('shoverworld.games.') and m.count('.') > 2])"
    )
    assert sorted(loaded) == [
        "shoverworld.games.race.game",
        "shoverworld.games.shover.game",
        "shoverworld.games.sokoban.game",
        "shoverworld.games.sokoban.presets",  # the table of the Sokoban ids, which imports nothing
    ]


@pytest.mark.parametrize(
    "code",
    [
        "import shoverworld, gymnasium as gym; env = gym.make('shoverworld/Race-v0')",
        "import gymnasium as gym, shoverworld; env = gym.make('shoverworld/Race-v0')",
        "import gymnasium as gym; env = gym.make('shoverworld:shoverworld/Race-v0')",
        "import shoverworld; from gymnasium.envs.registration import make; env = make('shoverworld/Race-v0')",
    ],
)
def test_the_ids_are_registered_regardless_of_the_import_order(code):
    assert python(f"{code}; print(env.unwrapped.game.name)") == ["race"]


def test_every_environment_id_of_every_game_is_registered():
    for entry in registry.entries():
        spec = gym.spec(entry.id)
        assert spec.entry_point is not None and spec.vector_entry_point is not None
        assert spec.kwargs == dict(entry.env_id.settings)


class OneRoom(Game):
    name = "one-room"
    title = "One room"
    namespace = "elsewhere"
    ids = (EnvId("OneRoom-v0", {"render_mode": None}, "a test"),)
    env = Lazy("tests.project.test_api:OneRoomEnv")


class OneRoomEnv(gym.Env):
    """The smallest possible environment for a plugin."""

    action_space = gym.spaces.Discrete(2)
    observation_space = gym.spaces.Box(0, 1, (1,), np.float32)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), 0.0, False, False, {}


GAME = OneRoom()


@pytest.fixture
def plug_ins(tmp_path, monkeypatch):
    """Return a function that installs a distribution with these entry points."""

    def install(**values):
        folder = tmp_path / "plug_ins-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-ins\nVersion: 1.0\n")
        points = "".join(f"{name} = {value}\n" for name, value in values.items())
        (folder / "entry_points.txt").write_text(f"[{games.GROUP}]\n{points}")
        monkeypatch.syspath_prepend(tmp_path)
        games.all_games.cache_clear()

    yield install
    monkeypatch.undo()
    games.all_games.cache_clear()


def test_the_environment_ids_in_a_plugin_are_registered(plug_ins):
    plug_ins(one="tests.project.test_api:GAME")
    assert list(games.all_games()) == ["shover", "sokoban", "race", "one-room"]
    registry.register_all()
    try:
        assert gym.make("elsewhere/OneRoom-v0").reset(seed=1)[1] == {}
        envs = gym.make_vec("elsewhere/OneRoom-v0", num_envs=3)
        assert envs.reset(seed=1)[0].shape == (3, 1)
        envs.close()
    finally:
        del gym.registry["elsewhere/OneRoom-v0"]


def test_a_plugin_that_cannot_be_loaded_causes_a_warning(plug_ins):
    plug_ins(broken="tests.no_such_module:GAME")
    with pytest.warns(UserWarning, match=r"the game 'broken' \(tests.no_such_module:GAME\) cannot be loaded"):
        assert list(games.all_games()) == ["shover", "sokoban", "race"]


def test_an_unknown_game_raises_an_error_that_lists_the_games():
    with pytest.raises(ConfigError, match="game='chess': must be one of 'shover', 'sokoban', 'race'"):
        games.game_named("chess")


@pytest.mark.parametrize("imports", ["import gymnasium, shoverworld", "import shoverworld, gymnasium"])
def test_no_environment_id_is_reported_as_out_of_date(imports):
    """The version of a Sokoban id denotes a size. Warnings about the ids of other packages remain."""
    code = f"""{imports}
for version in (0, 1):
    gymnasium.register(f"other/Old-v{{version}}", lambda: None)
gymnasium.make_vec("shoverworld/Sokoban-v0", num_envs=2, vectorization_mode="vector_entry_point").close()
gymnasium.make("shoverworld/Sokoban-v0")
try:
    gymnasium.make("other/Old-v0")
except Exception:
    pass  # there is no such environment
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=280)
    assert run.returncode == 0, run.stderr
    assert "shoverworld" not in run.stderr and "other/Old-v0 is out of date" in run.stderr
