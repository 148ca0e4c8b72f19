"""The header of a map: its title, description and rules are read, written and used everywhere (rule 1.8)."""

import gymnasium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoverworld import Map, MapError, Rules, ShoverWorldEnv, shover, solve
from shoverworld.core.replay import Replay
from shoverworld.games import game_named

GAME = game_named("shover")
DOCK = """\
// The dock
// Burn the left box first.
// It is close to the lava.
//
// The other box needs two pushes.
// rules: phase2, initial_force=30, hellify=whole
.B.B.
A...L
"""
V0, WALKER = "shoverworld/ShoverWorld-v0", "shoverworld/ShoverWalker-v0"


def written(tmp_path, text, name="dock.txt"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


# --- Reading and writing


def test_the_title_and_description_and_rules_of_a_map_are_read_from_its_header():
    m = Map.parse(DOCK)
    assert m.title == "The dock"
    assert m.about == "Burn the left box first. It is close to the lava.\nThe other box needs two pushes."
    assert m.rules == "phase2, initial_force=30, hellify=whole"
    assert Map.parse("..B\nA.L").rules is None


@pytest.mark.parametrize("format", ["A", "B"])
def test_the_header_is_unchanged_after_writing_and_reading(tmp_path, format):
    m = Map.parse(DOCK)
    m.write(tmp_path / "dock.txt", format)
    again = Map.read(tmp_path / "dock.txt")
    assert again == m
    assert (again.title, again.about, again.rules) == (m.title, m.about, m.rules)
    assert again.to_text(format) == m.to_text(format)


def test_two_maps_are_equal_if_their_cells_are_equal():
    assert Map.parse(DOCK) == Map.parse(".B.B.\nA...L")
    assert hash(Map.parse(DOCK)) == hash(Map.parse(".B.B.\nA...L"))


@pytest.mark.parametrize(
    "text", ["// rules: phase2\r\nA.B", "//rules:phase2\nA.B", "// Rules : phase2\nA.B", "A.B\n// rules: phase2"]
)
def test_the_rules_line_can_be_anywhere_in_the_file(text):
    assert Map.parse(text).rules == "phase2"


def test_comments_below_the_first_row_are_not_part_of_the_header():
    m = Map.parse("// The dock\n//! strength 3\n// Push.\nA.B\n// a remark\n..L\n// another one")
    assert (m.title, m.about) == ("The dock", "Push.")


@given(st.text(max_size=30), st.text(max_size=60))
def test_every_title_and_description_is_either_preserved_or_rejected(title, about):
    try:
        m = Map([[0, 10]], title=title, about=about, rules="walker")
    except MapError as error:
        assert "rules:" in str(error)
        return
    for format in ("A", "B"):
        again = Map.parse(m.to_text(format))
        assert (again.title, again.about, again.rules) == (m.title, m.about, m.rules)
        assert again == m


@pytest.mark.parametrize(
    ("title", "about", "expected"),
    [
        ("Two\nlines", "", ("Two lines", "")),
        ("  spaces \t here ", "a\r\nb", ("spaces here", "a\nb")),
        ("\x1b[31mred\x07", "\u2028x", ("[31mred", "x")),
        ("", "First.\n\nSecond.", ("First.", "Second.")),
        ("//! start 0 0", "", ("//! start 0 0", "")),
        ("! start 0 1", "! strength 3", ("! start 0 1", "! strength 3")),
        ("// a title", "#B.L", ("// a title", "#B.L")),
        ("早い", "É", ("早い", "É")),
    ],
)
def test_unusual_titles_are_written_on_one_line_and_read_back(title, about, expected):
    m = Map([[0, 10, 0]], agent=(0, 2), title=title, about=about)
    assert (m.title, m.about) == expected
    again = Map.parse(m.to_text())
    assert (again.title, again.about, again.agent) == (*expected, (0, 2))


@pytest.mark.parametrize(("title", "about"), [("rules: walker", ""), ("A dock", "It is hard.\nRULES: none")])
def test_a_title_or_description_that_would_be_read_as_rules_is_rejected(title, about):
    with pytest.raises(MapError, match="cannot begin with 'rules:'"):
        Map([[0, 10]], title=title, about=about)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("// rules: phase", "did you mean 'phase2'?"),
        ("// rules: phase2, initial_forse=3", "did you mean 'initial_force'?"),
        ("// rules: phase2, hellify=hole", "did you mean 'whole'?"),
        ("// rules: phase2, n_rows=3", "the level determines it"),
        ("// rules: phase2 (as in the report)", "expected NAME=VALUE"),
        ("// rules:", "the presets are milestone1, walker, phase2"),
        ("// rules: walker\n// rules: phase2", "a second line with rules"),
    ],
)
def test_invalid_rules_are_reported_with_the_file_and_the_line(tmp_path, line, words):
    path = written(tmp_path, f"// The dock\n{line}\nA.B\n")
    with pytest.raises(MapError) as error:
        Map.read(path)
    number = 2 + line.count("\n")
    assert str(error.value).startswith(f"{path}, line {number}: ")
    assert words in str(error.value)
    assert error.value.line == number


def test_a_map_with_invalid_rules_cannot_be_created():
    with pytest.raises(MapError, match=r"dock: rules='chess'.*preset"):
        Map([[0, 10]], name="dock", rules="chess")
    assert Map([[0, 10]], rules="initial_force=3").rules == "milestone1, initial_force=3"


# --- Using the rules


def test_an_environment_uses_the_rules_in_the_header_of_its_map(tmp_path):
    path = written(tmp_path, DOCK)
    expected = Rules.preset("phase2", initial_force=30, hellify="whole", n_rows=2, n_cols=5)
    assert ShoverWorldEnv(map_path=path).rules == expected
    assert ShoverWorldEnv(map_path=Map.read(path)).rules == expected
    assert shover.make_env(path).rules == expected
    assert gymnasium.make(V0, map_path=path).unwrapped.rules == expected
    batch = gymnasium.make_vec(V0, num_envs=2, vectorization_mode="vector_entry_point", map_path=path)
    assert batch.rules == expected
    batch.close()
    assert ShoverWorldEnv(map_path=path, initial_force=20).rules == expected.change(initial_force=20)


def test_explicit_rules_override_the_header(tmp_path):
    path = written(tmp_path, DOCK)
    size = {"n_rows": 2, "n_cols": 5}
    assert ShoverWorldEnv(map_path=path, rules="milestone1").rules == Rules(**size)
    assert ShoverWorldEnv(map_path=path, rules=Rules(unit_force=3)).rules == Rules(unit_force=3, **size)
    assert ShoverWorldEnv(map_path=path, rules="walker, edge=lava").rules == Rules.preset("walker", edge="lava", **size)
    assert gymnasium.make(WALKER, map_path=path).unwrapped.rules == Rules.preset("walker", **size)


def test_the_milestone1_rules_apply_if_a_map_has_no_header(tmp_path):
    path = written(tmp_path, ".B.B.\nA...L\n")
    assert ShoverWorldEnv(map_path=path).rules == Rules(n_rows=2, n_cols=5)
    assert ShoverWorldEnv().rules == Rules()


def test_a_map_in_the_reset_options_does_not_change_the_rules():
    env = ShoverWorldEnv(rules="walker")
    env.reset(options={"map": DOCK})
    assert env.rules == Rules.preset("walker")
    assert ShoverWorldEnv(map_path=Map.parse("A.B")).rules.actor == "leap"


def test_solve_uses_the_rules_in_the_header_unless_other_rules_are_given():
    board = "// rules: {}\nA.B\n...\n"
    edge = Map.parse(board.format("milestone1, edge=lava"))
    assert solve(edge).status == "solved"
    assert solve(edge, rules="milestone1").status == "unsolvable"
    assert solve(Map.parse(board.format("phase2, initial_force=1"))).final_stamina == 1000 - 11 + 1
    assert solve(Map.parse(board.format("phase2")), rules="phase2, initial_force=2").final_stamina == 1000 - 12 + 2


def test_a_generated_map_names_its_rules(tmp_path):
    m = shover.generate(3, rules="phase2, initial_force=30", rows=4)
    assert m.rules == "phase2, initial_force=30"
    assert shover.generate(3, rules=Rules.preset("walker", unit_force=2)).rules == "walker, unit_force=2"
    m.write(tmp_path / "map.txt")
    assert ShoverWorldEnv(map_path=tmp_path / "map.txt").rules == Rules.preset("phase2", initial_force=30, n_rows=4)


# --- Boards and the editor


def test_a_board_follows_the_rules_in_its_header(tmp_path):
    board = GAME.levels.read(str(written(tmp_path, DOCK)))
    assert (board.title, board.preset) == ("The dock", "phase2, initial_force=30, hellify=whole")
    assert GAME.levels.environment(board, board.preset).rules.initial_force == 30
    plain = GAME.levels.read(str(written(tmp_path, "A.B", "plain.txt")))
    assert (plain.title, plain.preset) == ("plain", "milestone1")


def test_the_identity_of_a_board_includes_its_changed_rules(tmp_path):
    board = GAME.levels.read(str(written(tmp_path, DOCK)))
    texts = ["phase2", "phase2, initial_force=30", board.preset, "phase2, push_pays_step_cost=true"]
    identities = [GAME.levels.identity(board, text) for text in texts]
    assert len(set(identities)) == len(texts)
    assert GAME.levels.identity(board, "phase2, initial_force=40") == identities[0]
    assert GAME.levels.identity(board, "phase2, reward.lava=3") == identities[0]  # the reward does not affect play


def test_every_packaged_map_is_written_back_unchanged():
    for board in GAME.levels.boards():
        again = Map.parse(board.level.to_text())
        assert (again.title, again.about, again.rules) == (board.title, board.about, board.preset)


@pytest.mark.parametrize("format", ["A", "B"])
def test_the_editor_keeps_the_header(tmp_path, format):
    board = GAME.levels.read(str(written(tmp_path, DOCK)))
    draft = GAME.ui.editor.draft_of(board)
    restored = GAME.ui.editor.restore(draft.to_json())
    for each in (draft, restored):
        again = Map.parse(each.text(format, board.preset))
        assert (again.title, again.about, again.rules) == (board.title, board.about, board.preset)
        assert again == board.level


def test_the_editor_keeps_a_title_that_equals_the_name_of_the_file(tmp_path):
    board = GAME.levels.read(str(written(tmp_path, "// dock\n// Push.\nA.B\n")))
    again = Map.parse(GAME.ui.editor.draft_of(board).text("B", board.preset))
    assert (again.title, again.about) == ("dock", "Push.")


# --- Replays


def test_a_replay_with_changed_rules_is_accepted_and_names_the_rules(tmp_path):
    replay = Replay.of(V0, [(0, 1, 1)], map=".B.L\nA...", rules="phase2", initial_force=30, push_pays_step_cost=True)
    replay.write(tmp_path / "dock.replay")
    again = Replay.read(tmp_path / "dock.replay")
    again.check()
    env = again.make()
    env.reset(seed=again.seed, options={"map": ".B.L\nA..."})
    assert GAME.levels.board_of(env).preset == "phase2, push_pays_step_cost=true, initial_force=30"
