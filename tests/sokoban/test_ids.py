"""The Sokoban environment ids: settings, levels, observations, replays and errors."""

import subprocess
import sys
from copy import deepcopy

import gymnasium as gym
import numpy as np
import pytest

import shoverworld
from shoverworld.core.errors import ConfigError, LevelError, LevelNotFound, ReplayError
from shoverworld.core.replay import Replay
from shoverworld.games.sokoban import draw
from shoverworld.games.sokoban.level_sequence import PackedLevels, read_level_sequence, read_packed
from shoverworld.games.sokoban.level_sets import PLACES
from shoverworld.games.sokoban.presets import PRESETS, preset_rules
from shoverworld.sokoban import (
    Level,
    SokobanEnv,
    SokobanRules,
    SokobanVectorEnv,
    check,
    generate_room,
    levels_text,
    packaged,
    packaged_names,
    read_levels,
    write_levels,
)
from tests.ids import BOXOBAN, ONE_OF_EACH, SOKOBAN, made, made_many, plain, some_levels
from tests.paths import ROOT

DATA = ROOT.parent / "shared" / "data" / "sokoban"

SMALL = Level.parse("#######\n#.@$ .#\n# $   #\n#######")
WIDE = Level.parse("##########\n#   $ .  #\n#@$   #  #\n#  .  $. #\n##########")
PAIR = Level.parse("#######\n#.@$ .#\n# $  @#\n#######")

# Rows, columns, boxes, steps and actions, from section 2 of the rules document.
TABLE = {
    "Sokoban-v0": (10, 10, 3, 200, 9),
    "Sokoban-v1": (10, 10, 4, 120, 9),
    "Sokoban-v2": (10, 10, 5, 200, 9),
    "Sokoban-small-v0": (7, 7, 2, 200, 9),
    "Sokoban-small-v1": (7, 7, 3, 200, 9),
    "Sokoban-large-v0": (13, 11, 3, 300, 9),
    "Sokoban-large-v1": (13, 11, 4, 300, 9),
    "Sokoban-large-v2": (13, 11, 5, 300, 9),
    "Sokoban-huge-v0": (13, 13, 5, 300, 9),
    "Sokoban-4a-v0": (10, 10, 3, 200, 4),
    "FixedTarget-Sokoban-v0": (10, 10, 3, 150, 9),
    "FixedTarget-Sokoban-v1": (10, 10, 4, 150, 9),
    "FixedTarget-Sokoban-v2": (7, 7, 2, 150, 9),
    "FixedTarget-Sokoban-v3": (7, 7, 3, 150, 9),
    "PushAndPull-Sokoban-v0": (10, 10, 3, 150, 13),
    "PushAndPull-Sokoban-v1": (10, 10, 4, 150, 13),
    "PushAndPull-Sokoban-v2": (7, 7, 2, 150, 13),
    "PushAndPull-Sokoban-v3": (7, 7, 3, 150, 13),
    "PushAndPull-Sokoban-v4": (13, 11, 4, 300, 13),
    "PushAndPull-Sokoban-v5": (13, 11, 5, 300, 13),
    "TwoPlayer-Sokoban-v0": (7, 7, 2, 200, 17),
    "TwoPlayer-Sokoban-v1": (7, 7, 3, 200, 17),
    "TwoPlayer-Sokoban-v2": (10, 10, 3, 200, 17),
    "TwoPlayer-Sokoban-v3": (10, 10, 4, 200, 17),
    "TwoPlayer-Sokoban-v4": (13, 11, 3, 200, 17),
    "TwoPlayer-Sokoban-v5": (13, 11, 4, 200, 17),
    **dict.fromkeys(
        (f"Boxoban-{part}" for part in ("Train-v0", "Val-v0", "Test-v0", "Train-v1", "Val-v1", "Hard-v0")),
        (10, 10, 4, 200, 9),
    ),
}


def test_the_registered_ids_match_the_rules_document():
    assert sorted(SOKOBAN) == sorted(f"shoverworld/{name}" for name in TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_the_settings_of_each_id_match_the_rules_document(name):
    rows, cols, boxes, steps, actions = TABLE[name]
    env = made(f"shoverworld/{name}")
    obs, info = env.reset(seed=1)
    players = 2 if name.startswith("TwoPlayer") else 1
    assert obs.shape == (3 + players, rows, cols)
    assert info["boxes"] == np.count_nonzero(obs[1]) == np.count_nonzero(obs[2]) == boxes
    assert env.unwrapped.rules.max_steps == steps
    assert env.action_space == gym.spaces.Discrete(actions)
    assert (obs[1:3].max() > 1) == name.startswith("FixedTarget")
    batch = made_many(f"shoverworld/{name}", 2)
    assert batch.rules == env.unwrapped.rules
    assert batch.reset(seed=1)[0][0].tolist() == obs.tolist()


def test_making_an_environment_from_an_id_gives_no_deprecation_warning():
    code = """
import gymnasium as gym, shoverworld
gym.make("shoverworld/Sokoban-v0"); gym.make("shoverworld/TwoPlayer-Sokoban-v1")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "out of date" not in run.stderr


# --- Generated rooms

DRAWN = [env_id for env_id in SOKOBAN if env_id not in BOXOBAN]


@pytest.mark.parametrize("env_id", DRAWN)
def test_every_reset_generates_a_room_and_its_solution_from_the_seed(env_id):
    env = made(env_id)
    rooms = []
    for seed in (3, 4):
        _, info = env.reset(seed=seed)
        room = generate_room(seed, env.unwrapped.rules)
        assert env.unwrapped.level == room.level
        assert info["solution"] == room.solution and info["level"] == -1
        rooms.append(str(room.level))
    env.reset()
    assert len({*rooms, str(env.unwrapped.level)}) == 3, "every episode has a new room"


@pytest.mark.parametrize("env_id", [i for i in ONE_OF_EACH if i in DRAWN])
def test_the_solution_in_info_solves_the_room(env_id):
    env = made(env_id)
    _, info = env.reset(seed=8)
    four = env.unwrapped.rules.moves == "four"
    codes = {letter: place + (0 if four else 1) for place, letter in enumerate("udlr")}
    outcome = None
    for letter in info["solution"]:
        *_, outcome = plain(env.step(codes[letter.lower()])[4]).values()
        pushed = env.unwrapped.get_state().game["pushed"][0]
        assert pushed == letter.isupper()
    assert outcome == "solved"


def test_generated_rooms_have_at_least_the_requested_difficulty():
    easy = SokobanEnv(dim_room=(7, 7), num_boxes=2)
    hard = SokobanEnv(dim_room=(7, 7), num_boxes=2, min_pushes=7)
    pushes = [[sum(map(str.isupper, env.reset(seed=s)[1]["solution"])) for s in range(12)] for env in (easy, hard)]
    assert min(pushes[1]) >= 7 > min(pushes[0])
    batch = SokobanVectorEnv(num_envs=12, dim_room=(7, 7), num_boxes=2, min_pushes=7)
    for i, planes in enumerate(batch.reset(seed=0)[0]):
        assert np.array_equal(planes, hard.reset(seed=i)[0])


def test_the_number_of_threads_and_autoreset_do_not_affect_the_rooms():
    one = SokobanVectorEnv(num_envs=40, dim_room=(7, 7), num_boxes=2, max_steps=4)
    three = SokobanVectorEnv(num_envs=40, dim_room=(7, 7), num_boxes=2, max_steps=4, num_threads=3)
    assert len({workspace.floor.ctypes.data for workspace in three._workspaces}) == 3, (
        "no two threads share scratch memory"
    )
    assert np.array_equal(one.reset(seed=2)[0], three.reset(seed=2)[0])
    first = one.get_state().planes
    for k in range(12):
        actions = np.full(40, k % 9)
        ours, theirs = one.step(actions)[0], three.step(actions)[0]
        assert np.array_equal(ours, theirs)
    assert (one.get_state().planes != first).any(axis=(1, 2)).all()
    three.close()


def test_an_environment_id_that_uses_levels_can_use_generated_rooms_instead(monkeypatch):
    monkeypatch.delenv("SHOVERWORLD_DATA", raising=False)
    env: SokobanEnv = gym.make("shoverworld/Boxoban-Val-v0", levels="random").unwrapped  # type: ignore[assignment]
    _, info = env.reset(seed=0)
    assert info["boxes"] == 4 and info["solution"]


# --- Levels


@pytest.fixture
def file(tmp_path):
    write_levels(tmp_path / "two.xsb", [SMALL, WIDE])
    return tmp_path / "two.xsb"


def test_the_levels_argument_accepts_a_file_or_a_folder_or_a_level_or_a_list(file):
    for given in (file, str(file), file.parent, [SMALL, WIDE], (SMALL, WIDE)):
        env: SokobanEnv = gym.make("shoverworld/Sokoban-v1", levels=given).unwrapped  # type: ignore[assignment]
        assert list(env.levels or ()) == [SMALL, WIDE]
        assert env.observation_space.shape == (4, 5, 10) and env.rules.max_steps == 120
        env.reset(seed=0, options={"level": 1})
        assert env.level == WIDE
    assert SokobanEnv(SMALL).reset(seed=0)[0].shape == (4, 4, 7)


def test_packaged_sets_can_be_given_by_name():
    for name in packaged_names():
        env: SokobanEnv = gym.make("shoverworld/Sokoban-v0", levels=name).unwrapped  # type: ignore[assignment]
        assert list(env.levels or ()) == packaged(name)
        _, info = env.reset(seed=1)
        assert check(packaged(name)[info["level"]], info["solution"]).solved
        batch = made_many("shoverworld/Sokoban-v0", 4, levels=name)
        assert (batch.reset(seed=1)[0][0] == env.observe()[0]).all()
    with pytest.raises(LevelNotFound, match=", ".join(packaged_names())):
        SokobanEnv("harrd")


def test_info_contains_the_solution_from_the_file(tmp_path):
    text = "#####\n#@$.#\n#####\nSolution: R\n"
    (tmp_path / "one.sok").write_text(text)
    assert SokobanEnv(tmp_path / "one.sok").reset(seed=0)[1]["solution"] == "R"


def test_dim_room_sets_the_board_size_to_which_levels_are_padded(file):
    env = SokobanEnv(file, dim_room=(8, 12))
    obs, _ = env.reset(seed=0)
    assert obs.shape == (4, 8, 12) and obs[0, 5:].all() and obs[0, :, 10:].all()
    assert SokobanEnv(file, num_boxes=None).observation_space.shape == (4, 5, 10)
    assert SokobanEnv(SMALL, num_boxes=2).rules.num_boxes == 2


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"levels": [SMALL, WIDE], "dim_room": (7, 7)}, "is 5 x 10; levels in this game are at most 7 x 7"),
        (
            {"levels": [SMALL, WIDE], "num_boxes": 2},
            "num_boxes=2 does not match level, level 1, which has 3; omit num_boxes",
        ),
        ({"levels": SMALL, "min_score": 3}, "min_score=3: applies only to generated rooms"),
        ({"levels": SMALL, "min_pushes": 3}, "min_pushes=3: applies only to generated rooms"),
        ({"dim_room": (5, 5), "num_boxes": 20}, "num_boxes=20"),
        ({"dim_room": (3, 3)}, "dim_room"),
        ({"dim_room": 7}, "dim_room=7"),
        ({"dim_room": (2, 9)}, "dim_room, rows=2"),
        ({"dim_room": (9, 65)}, "dim_room, columns=65"),
        ({"num_boxes": 0}, "num_boxes=0"),
        ({"min_score": -1}, "min_score=-1"),
        ({"min_pushes": "many"}, "min_pushes='many'"),
        ({"observation": "rgb_array"}, "observation='rgb_array'"),
        ({"rules": "Sokoban-v9"}, "rules='Sokoban-v9'"),
        ({"rules": 4}, "rules=4"),
        ({"moves": "four", "pull": True}, "pull=True requires"),
        ({"cell_size": 1}, "cell_size=1"),
        ({"tiny_scale": 0}, "scale=0"),
        ({"render_mode": "tiny"}, "render_mode='tiny'.*'tiny_rgb_array'"),
        ({"max_step": 4}, "did you mean 'max_steps'"),
        ({"levels": "boxoban:medium/test"}, "'medium/valid'"),
    ],
)
def test_invalid_combinations_of_arguments_raise_an_error(keywords, message):
    with pytest.raises(ConfigError, match=message):
        SokobanEnv(**keywords)
    if not {"cell_size", "tiny_scale", "render_mode"} & set(keywords):
        with pytest.raises(ConfigError, match=message):
            SokobanVectorEnv(**keywords)


def test_missing_and_broken_levels_raise_an_error(tmp_path, file):
    with pytest.raises(LevelNotFound, match=r"nowhere\.xsb: not a file"):
        SokobanEnv("nowhere.xsb")
    file.write_text("#####\n#@$$#\n#.###\n#####\n")
    with pytest.raises(LevelError, match=r"two.xsb, level 1, line 1: boxes: 2, targets: 1"):
        SokobanEnv(file)
    with pytest.raises(LevelError, match="this folder contains no levels"):
        SokobanEnv(_folder(tmp_path / "empty"))


def _folder(path):
    path.mkdir()
    return path


def write(path, levels):
    write_levels(path, levels)
    return path


def test_levels_for_two_players_are_read_from_a_file(tmp_path):
    env = SokobanEnv(write(tmp_path / "pair.xsb", [PAIR]), players=2)
    assert env.reset(seed=0)[0].shape == (5, 4, 7)
    assert env.level == PAIR


def test_batch_reset_options_apply_to_all_games_that_are_reset():
    batch = SokobanVectorEnv(num_envs=3, dim_room=(7, 8))
    obs, info = batch.reset(seed=0, options={"map": SMALL})
    assert (obs[:, 2, :4, :7] == SMALL.boxes).all() and info["level"].tolist() == [-1] * 3
    with pytest.raises(ConfigError, match="5 x 10; levels in this game are at most 7 x 8"):
        batch.reset(options={"map": WIDE})
    with pytest.raises(ConfigError, match="this game generates its rooms"):
        batch.reset(options={"level": 0})


# --- Boxoban: files of many levels


def boxoban_text(levels):
    return "".join(f"; {n}\n{level}\n\n" for n, level in enumerate(levels))


def test_the_fast_boxoban_reader_gives_the_same_levels_as_read_levels(tmp_path):
    path = tmp_path / "000.txt"
    for text in (boxoban_text(some_levels()), boxoban_text(some_levels()).rstrip(), boxoban_text(some_levels()[:1])):
        path.write_text(text)
        packed = read_packed(str(path))
        assert isinstance(packed, PackedLevels)
        slow = read_levels(path)
        assert list(packed) == slow
        metadata = [(level.title, level.number, level.source, level.solution) for level in packed]
        assert metadata == [(level.title, level.number, level.source, level.solution) for level in slow]
    path.write_text(levels_text([Level.parse(str(level)) for level in some_levels()]))
    assert read_packed(str(path)) is None and list(read_level_sequence(path)) == some_levels(), "not the Boxoban format"


def damaged():
    text = boxoban_text(some_levels())
    rows = text.split("\n")
    yield "no player", text.replace("@", " ", 1).replace("+", ".", 1)
    yield "too many boxes", text.replace("$", " ", 1)
    yield "a letter", text.replace("$", "x", 1)
    yield "short row", "\n".join([*rows[:3], rows[3][:-1], *rows[4:]])
    yield "missing row", "\n".join([*rows[:3], *rows[4:]])
    yield "open", "\n".join([rows[0], rows[1][:4] + " " + rows[1][5:], *rows[2:]])
    yield "named", text.replace("; 1\n", "; the second one\n")
    yield "titles", text.replace("; 1\n", ";\n")
    yield "no text", text.replace("; 1\n", "; \0\n")
    yield "not utf-8", text.replace("; 1\n", "; \udcff\n")
    yield "no levels", "; nothing\n\n"
    yield "nothing", ""


@pytest.mark.parametrize(("what", "text"), list(damaged()), ids=lambda x: x if len(x) < 20 else "")
def test_the_fast_reader_and_read_levels_agree_on_files_that_are_almost_in_boxoban_format(what, text, tmp_path):
    path = tmp_path / "000.txt"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    try:
        expected = read_levels(path)
    except LevelError as error:
        with pytest.raises(type(error)) as caught:
            read_level_sequence(path)
        assert str(caught.value) == str(error)
    else:
        found = read_level_sequence(path)
        assert list(found) == expected
        assert [level.title for level in found] == [level.title for level in expected]


def test_the_fast_reader_and_read_levels_agree_on_damaged_boxoban_files(tmp_path):
    good, rng, packed = boxoban_text(some_levels()[:2]).encode(), np.random.default_rng(5), 0
    letters = b"#$.*@+ \n;0-_|\r\tx\0\xff\x0b\x1c"
    for n in range(300):
        path, data = tmp_path / f"{n}.txt", bytearray(good)
        for place in rng.integers(len(good) - 3, size=rng.integers(1, 4)).tolist():
            data[place : place + int(rng.integers(2))] = bytes([letters[rng.integers(len(letters))]])
        path.write_bytes(data)
        packed += read_packed(str(path)) is not None
        assert what_is_read(read_level_sequence, path) == what_is_read(read_levels, path), bytes(data)
    assert 0 < packed < 300


def what_is_read(reader, path):
    try:
        return [(str(level), level.title, level.number, level.comment) for level in reader(path)]
    except LevelError as error:
        return type(error), str(error)


def test_a_level_collection_is_a_sequence_of_all_levels_in_its_files(tmp_path):
    (tmp_path / "a.txt").write_text(boxoban_text(some_levels()[:2]))
    write_levels(tmp_path / "b.xsb", [SMALL])
    (tmp_path / "c.txt").write_text(boxoban_text(some_levels()[2:]))
    (tmp_path / "read me.txt").write_text("nothing but words\n")
    shelf = read_level_sequence(tmp_path)
    expected = [*some_levels()[:2], SMALL, *some_levels()[2:]]
    assert list(shelf) == expected and shelf[-1] == expected[-1] and len(shelf) == 6
    with pytest.raises(IndexError):
        shelf[6]
    env = SokobanEnv(shelf)
    for place, level in enumerate(expected):
        env.reset(seed=0, options={"level": place})
        lines = str(env.level).split("\n")
        assert "\n".join(line[: level.cols] for line in lines[: level.rows]) == str(level)
    (tmp_path / "a.txt").write_text(boxoban_text(some_levels()[1:]))
    assert read_level_sequence(tmp_path)[0] == some_levels()[1], "a file that has changed is read again"


def test_environments_and_their_copies_share_the_levels_in_memory(tmp_path):
    (tmp_path / "000.txt").write_text(boxoban_text(some_levels()))
    first, second = SokobanEnv(tmp_path), SokobanEnv(tmp_path)
    assert first.levels is second.levels is deepcopy(first).levels
    assert first._setup.bank.cells is second._setup.bank.cells is SokobanVectorEnv(tmp_path)._setup.bank.cells


def test_boxes_in_a_file_are_numbered_in_reading_order_if_targets_are_fixed(tmp_path):
    (tmp_path / "000.txt").write_text(boxoban_text(some_levels()))
    packed, plain_list = (SokobanEnv(x, fixed_targets=True) for x in (tmp_path, some_levels()))
    for place in range(5):
        ours, theirs = (env.reset(seed=0, options={"level": place}) for env in (packed, plain_list))
        assert np.array_equal(ours[0], theirs[0]) and ours[0].max() == 4
        assert ours[1]["boxes_on_target"] == theirs[1]["boxes_on_target"]


PARTS = {name: preset.levels.removeprefix("boxoban:") for name, preset in PRESETS.items() if preset.levels}


@pytest.mark.parametrize("place", PLACES)
def test_boxoban_levels_are_found_in_the_data_folder(place, tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_DATA", str(tmp_path))
    for n, (name, part) in enumerate(PARTS.items()):
        folder = tmp_path / place / part
        folder.mkdir(parents=True)
        level = some_levels()[n % 5]
        (folder / "000.txt").write_text(boxoban_text([level]))
        env = gym.make(f"shoverworld/{name}")
        env.reset(seed=0)
        assert env.unwrapped.level == level  # type: ignore[attr-defined]
        assert made_many(f"shoverworld/{name}", 3, levels=f"boxoban:{part}").reset(seed=0)
    env = gym.make("shoverworld/PushAndPull-Sokoban-v1", levels="boxoban:hard")
    env.reset(seed=0)


@pytest.mark.parametrize("env_id", BOXOBAN)
def test_the_error_for_missing_boxoban_levels_explains_how_to_get_them(env_id, tmp_path, monkeypatch):
    part = PARTS[env_id.removeprefix("shoverworld/")]
    monkeypatch.delenv("SHOVERWORLD_DATA", raising=False)
    expected = (
        rf"Boxoban, {part}: .*SHOVERWORLD_DATA is not set.*git clone https://github.com/\S+/boxoban-levels.*levels="
    )
    with pytest.raises(LevelNotFound, match=expected):
        gym.make(env_id)
    with pytest.raises(LevelNotFound, match=expected):
        gym.make_vec(env_id, vectorization_mode="vector_entry_point")
    monkeypatch.setenv("SHOVERWORLD_DATA", str(tmp_path))
    with pytest.raises(LevelNotFound, match=f"SHOVERWORLD_DATA is '{tmp_path}', but {part} is not in this folder"):
        gym.make(env_id)


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not available")
@pytest.mark.parametrize(("env_id", "part"), [("Boxoban-Val-v0", "unfiltered"), ("Boxoban-Val-v1", "medium")])
def test_the_real_boxoban_files_are_read(env_id, part, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_DATA", str(DATA))
    env: SokobanEnv = gym.make(f"shoverworld/{env_id}").unwrapped  # type: ignore[assignment]
    shelf = env.levels
    assert shelf is not None and isinstance(shelf.parts[0], PackedLevels)  # type: ignore[union-attr]
    slow = read_levels(DATA / "boxoban" / part / "valid")
    assert list(shelf) == slow and len(slow) == 1000
    _, info = env.reset(seed=5)
    assert env.level == slow[info["level"]]
    monkeypatch.setenv("SHOVERWORLD_DATA", str(DATA.parent))
    assert len(gym.make(f"shoverworld/{env_id}").unwrapped.levels) == 1000  # type: ignore[attr-defined]


# --- Observations and pictures

KINDS = [i for i in ONE_OF_EACH if i in SOKOBAN]


@pytest.mark.parametrize("env_id", KINDS)
def test_picture_observations_equal_rendered_pictures(env_id):
    for kind, drawn in (("rgb", draw.picture), ("tiny_rgb", draw.tiny)):
        env, batch = made(env_id, observation=kind), made_many(env_id, 3, observation=kind, num_threads=2)
        obs, _ = env.reset(seed=4)
        many, _ = batch.reset(seed=4)
        assert np.array_equal(obs, many[0])
        env.action_space.seed(0)
        for _ in range(12):
            assert env.observation_space.contains(obs) and obs.dtype == np.uint8
            assert np.array_equal(obs, drawn(env.unwrapped.get_state()))
            action = env.action_space.sample()
            obs = env.step(action)[0]
            many = batch.step(np.full(3, action))[0]
            assert np.array_equal(obs, many[0])
            assert batch.observation_space.contains(many)
        for i in range(3):
            assert np.array_equal(many[i], drawn(batch.get_state(), i))
        batch.close()


def numbered_level(boxes):
    """Return a corridor with `boxes` boxes, each next to its target."""
    return Level.parse("\n".join(["#" * (2 * boxes + 3), "#@" + "$." * boxes + "#", "#" * (2 * boxes + 3)]))


def test_boxes_with_larger_numbers_than_those_in_the_previous_level_are_drawn():
    many = numbered_level(9)
    keywords = {"levels": numbered_level(2), "fixed_targets": True, "dim_room": (3, 21)}
    state = SokobanEnv(many, fixed_targets=True)
    state.reset(seed=0)
    for kind, drawn in (("rgb", draw.picture), ("tiny_rgb", draw.tiny), ("planes", None)):
        env = SokobanEnv(**keywords, observation=kind)
        usual = env.observation_space
        env.reset(seed=0)
        obs, _ = env.reset(options={"map": many})
        assert env.observation_space.contains(obs)
        assert drawn is None or np.array_equal(obs, drawn(state.get_state()))
        assert env.reset()[0] in env.observation_space and env.observation_space == usual
        env.set_state(state.get_state())
        assert env.observation_space.contains(env.observe()[0])
        assert np.array_equal(env.observe()[0], obs)
        batch = SokobanVectorEnv(**keywords, num_envs=1, observation=kind)
        assert np.array_equal(batch.reset(seed=0, options={"map": many})[0][0], obs)
        batch = SokobanVectorEnv(**keywords, num_envs=1, observation=kind)
        batch.reset(seed=0)
        batch.set_state(state.get_state())
        assert np.array_equal(batch.step(np.zeros(1, int))[0][0], obs)


@pytest.mark.parametrize(("mode", "shape"), [("rgb_array", (64, 112, 3)), ("tiny_rgb_array", (4, 7, 3))])
def test_render_returns_pictures(mode, shape):
    env = SokobanEnv(SMALL, render_mode=mode)
    env.reset(seed=0)
    before = env.render()
    env.step(4)
    assert before.shape == env.render().shape == shape
    assert not np.array_equal(before, env.render())
    assert SokobanEnv(SMALL, render_mode=mode, cell_size=32, tiny_scale=5).cell_size == 32


def test_a_larger_cell_size_gives_a_larger_picture():
    for mode, shape in (("rgb_array", (128, 224, 3)), ("tiny_rgb_array", (20, 35, 3))):
        env = SokobanEnv(SMALL, render_mode=mode, cell_size=32, tiny_scale=5)
        env.reset(seed=0)
        assert env.render().shape == shape
    env = SokobanEnv(SMALL, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == f"{SMALL}\n"


@pytest.mark.parametrize(("mode", "still"), [("human", "rgb_array"), ("tiny_human", "tiny_rgb_array")])
def test_human_mode_updates_the_window_after_every_step(mode, still, monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = SokobanEnv(SMALL, render_mode=mode)
    twin = SokobanEnv(SMALL, render_mode=still, cell_size=48, tiny_scale=16)
    env.reset(seed=0)
    twin.reset(seed=0)
    for action in (0, 4, 2):
        env.step(action)
        twin.step(action)
        shown, picture = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1), twin.render()
        left = (shown.shape[1] - picture.shape[1]) // 2  # the statistics are above the picture
        assert np.array_equal(shown[-len(picture) :, left : left + picture.shape[1]], picture)
    assert pygame.display.get_caption()[0] == "Sokoban"
    env.close()


# --- Replays


def test_the_recipe_for_an_environment_recreates_the_same_environment():
    env: SokobanEnv = made(
        "shoverworld/PushAndPull-Sokoban-v2", max_steps=9, reward={"step": 0}, fixed_targets=True, min_pushes=4
    ).unwrapped
    env_id, keywords = env.recipe()
    assert env_id == "shoverworld/PushAndPull-Sokoban-v2"
    assert keywords["max_steps"] == 9 and keywords["fixed_targets"] is True and "pull" not in keywords
    assert gym.make(env_id, **keywords).unwrapped.rules == env.rules  # type: ignore[attr-defined]
    plain_env = SokobanEnv(SMALL, rules=SokobanRules(pull=True))
    assert plain_env.recipe() == ("shoverworld/Sokoban-v0", {"pull": True})


def test_a_replay_that_contains_only_a_seed_generates_the_room():
    replay = Replay.of("shoverworld/Sokoban-small-v0", [1, 2, 3, 4], seed=6)
    text = replay.to_text()
    start, end = text.index("map:"), text.index("moves:")
    Replay.parse(text[:start] + text[end:]).check()
    with pytest.raises(ReplayError, match="differs"):
        Replay.parse((text[:start] + text[end:]).replace("seed: 6", "seed: 7")).check()


def test_the_error_for_an_invalid_room_in_a_replay_names_its_line():
    text = Replay.of("shoverworld/FixedTarget-Sokoban-v2", [1, 2], map=f"{SMALL}\ntargets 2 1\n").to_text()
    Replay.parse(text).check()
    lines = text.split("\n")
    for old, new, message in (
        ("| # $   #", "| # @   #", "players|boxes"),
        ("| # $   #", "| # x   #", "'x'"),
        ("| targets 2 1", "| targets 2 2", "1 to 2, each once"),
        ("| targets 2 1", "| targets two", "expected integers"),
    ):
        line = lines.index(old)
        changed = "\n".join([*lines[:line], new, *lines[line + 1 :]])
        with pytest.raises(ReplayError, match=message) as caught:
            Replay.parse(changed, "my.replay").check()
        assert str(caught.value).startswith("my.replay, line ")
        if "targets" in old or "x" in new:
            assert caught.value.line == line + 1


def test_a_replay_with_the_wrong_number_of_players_raises_an_error():
    text = Replay.of("shoverworld/TwoPlayer-Sokoban-v0", [1], map=str(PAIR)).to_text()
    with pytest.raises(ReplayError, match="players"):
        Replay.parse(text.replace("TwoPlayer-Sokoban-v0", "Sokoban-v0")).check()


def test_rules_can_be_given_by_name():
    for name in TABLE:
        assert SokobanEnv(SMALL if "TwoPlayer" not in name else PAIR, rules=name).rules == preset_rules(name)
    assert shoverworld.sokoban.SokobanEnv is SokobanEnv
