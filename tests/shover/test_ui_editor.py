"""Tests of the level editor of Shover-World: brushes, rotations, problems, files and saved drafts."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoverworld import ConfigError, Map, MapError
from shoverworld.core.ui import Board
from shoverworld.games.shover.game import GAME
from shoverworld.games.shover.tiles import SHOVER_TILE
from shoverworld.play.edit_session import editor_of

PRESETS = ("milestone1", "walker", "phase2")
SIGNS = {0: ".", 100: "#", -100: "L", 10: "B", **{n: str(n) for n in range(1, 10)}}


def drawn(board):
    """Return a draft of a board given as a string."""
    return editor_of(GAME).draft_of(Board("drawing", "milestone1", Map.parse(board, "drawing"), "drawing"))


def look(draft):
    """Return a draft as a string; A is the start cell of the shover."""
    scene = draft.scene()
    rows = [[SIGNS[content] for content in row] for row in scene.tiles.tolist()]
    for actor in scene.actors:
        row, col = actor.start
        rows[row][col] = "A" if rows[row][col] == "." else "?"
    return "\n".join("".join(row) for row in rows)


# --- painting


@pytest.mark.parametrize(
    ("brush", "sign"),
    [("empty", "."), ("box", "B"), ("barrier", "#"), ("lava", "L"), *((f"box {n}", str(n)) for n in range(1, 10))],
)
def test_a_brush_paints_the_given_cell(brush, sign):
    draft = drawn("A..\n.B.")
    assert look(draft.painted((1, 1), brush)) == f"A..\n.{sign}."
    assert look(draft) == "A..\n.B."  # the original draft is unchanged


def test_painting_the_shover_moves_its_start_cell_and_clears_the_painted_cell():
    draft = drawn("A..\n.B.").painted((1, 1), "shover")
    assert look(draft) == "...\n.A."


@pytest.mark.parametrize("brush", ["box", "barrier", "lava", "square 2"])
def test_painting_over_the_start_cell_removes_the_start_cell(brush):
    draft = drawn("A..\n...").painted((0, 0), brush)
    assert draft.scene().actors == ()
    assert draft.painted((1, 2), "shover").scene().actors[0].start == (1, 2)


def test_the_square_brush_paints_a_perfect_square():
    """
    . . B . .      . . . . .     boxes in the ring are removed, barriers and lava stay
    . . . # .  ->  . B B # .
    B . . . B      . B B . B
    . . L . .      . . L . .
    """
    draft = drawn("..B..\n...#.\nB...B\n..L..").painted((1, 1), "square 2")
    assert look(draft) == ".....\n.BB#.\n.BB.B\n..L.."
    for size in (2, 3, 4):
        board = (
            drawn("\n".join(["BBBBBBB"] * 6 + ["......A"])).painted((1, 2), f"square {size}").board("phase2", "mine")
        )
        env = GAME.levels.environment(board, "phase2")
        _, info = env.reset(options=GAME.levels.options(board))
        assert (size, (1, 2)) in info["perfect_squares_available"]


def test_a_large_brush_is_clipped_at_the_edge():
    assert look(drawn("A...\n....\n....").painted((1, 3), "square 3")) == "A...\n...B\n...B"
    assert look(drawn("A..").painted((0, 1), "square 4")) == "ABB"


def test_painting_off_the_map_has_no_effect():
    draft = drawn("A.B")
    assert all(draft.painted(cell, "box") is draft for cell in ((-1, 0), (1, 0), (0, -1), (0, 3)))


def test_an_edit_that_changes_nothing_returns_the_same_draft():
    draft = drawn("A.B")
    assert draft.painted((0, 2), "box") is draft
    assert draft.painted((0, 0), "shover") is draft
    assert draft.resized(1, 3) is draft


def test_an_unknown_brush_raises_an_error():
    with pytest.raises(ConfigError, match="brush='gold'"):
        drawn("A.B").painted((0, 0), "gold")


def test_brushes_have_unique_names_and_keys():
    every = [each for brush in editor_of(GAME).brushes for each in (brush, *brush.variants)]
    names, keys = [brush.name for brush in every], [brush.key for brush in every]
    assert len(set(names)) == len(names) and len(set(keys)) == len(keys)
    for brush in editor_of(GAME).brushes:
        assert GAME.ui.drawing.tile(brush.tile, 24).shape == (24, 24, 4)
    strengths = {drawn("A.").painted((0, 1), name).scene().tiles[0, 1] for name in names if name.startswith("box")}
    assert strengths == set(range(1, 11))
    assert next(brush for brush in editor_of(GAME).brushes if brush.name == "shover").tile == SHOVER_TILE + 2


# --- size and rotation

CORNER = "A.B\n#.L"


def test_resizing_crops_or_extends_the_draft():
    assert look(drawn(CORNER).resized(3, 4)) == "A.B.\n#.L.\n...."
    assert look(drawn(CORNER).resized(1, 2)) == "A."
    assert look(drawn("..A").resized(1, 2)) == ".."


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (257, 3), (3, 2.5), (-1, 1), ("3", 3)])
def test_an_invalid_size_raises_an_error(size):
    with pytest.raises(ConfigError, match="must be an integer from 1 to 256"):
        drawn(CORNER).resized(*size)


def test_a_draft_can_be_flipped_and_rotated():
    assert look(drawn(CORNER).flipped()) == "B.A\nL.#"
    assert look(drawn(CORNER).rotated()) == "#A\n..\nLB"


# --- problems

NOWHERE = "there is no lava and no perfect square, and the edge is a wall, so the boxes cannot be destroyed"


def problems_of(board, preset="milestone1"):
    return [(problem.text, problem.cell, problem.serious) for problem in drawn(board).problems(preset)]


@pytest.mark.parametrize(
    ("board", "preset", "problems"),
    [
        ("A.BL", "milestone1", []),
        ("A.B", "phase2", []),
        ("..BL", "milestone1", [("the shover has no start cell and will start on a random empty cell", None, False)]),
        ("A.#L", "milestone1", [("there are no boxes, so the game is won at once; paint at least one", None, False)]),
        ("A.B", "milestone1", [(NOWHERE, None, False)]),
        ("A....\n.BBB.\n.BBB.\n.BBB.\n.....", "milestone1", []),
        (
            "A.L\n###\n.B.",
            "milestone1",
            [("no push can burn the box at row 2, column 1; only a perfect square can destroy it", (2, 1), False)],
        ),
        ("A.L\n...\n.B.", "milestone1", []),
        (
            "A.L\n...\n.B.",
            "walker",
            [("no push can burn the box at row 2, column 1; only a perfect square can destroy it", (2, 1), False)],
        ),
        ("A.L\n###\n...\nBB.\nBB.", "milestone1", []),
    ],
    ids=str,
)
def test_a_draft_reports_its_problems(board, preset, problems):
    assert problems_of(board, preset) == problems


def test_the_list_of_problems_names_only_the_first_few_stuck_boxes():
    problems = problems_of("A.L\n###\n" + "B.B\n...\n" * 8)
    assert len(problems) == 9 and problems[-1] == ("the same applies to 8 more boxes", None, False)


def test_a_full_map_or_a_start_cell_with_a_box_is_a_serious_problem():
    full = drawn("A.").painted((0, 0), "box").painted((0, 1), "lava")
    assert [problem.serious for problem in full.problems("phase2")] == [True]
    wrong = editor_of(GAME).restore({**drawn("A.B").to_json(), "start": [0, 2]})
    assert wrong.problems("phase2")[0].cell == (0, 2)
    for draft, words in ((full, "no empty cell"), (wrong, "row 0, column 2, which is not empty")):
        with pytest.raises(MapError, match=words):
            draft.board("phase2", "mine")
        with pytest.raises(MapError, match=words):
            draft.text("B", "phase2")


def test_an_unknown_preset_raises_an_error():
    for use in (lambda d: d.problems("chess"), lambda d: d.board("chess", "mine"), lambda d: d.text("A", "chess")):
        with pytest.raises(ConfigError, match="chess"):
            use(drawn("A.B"))


def test_an_unknown_format_raises_an_error():
    with pytest.raises(MapError, match="format='C'"):
        drawn("A.B").text("C", "phase2")


# --- files


def test_the_file_saved_from_a_draft_contains_its_rules_and_comments(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("// My yard\n// Mind the lava.\n// rules: walker\nA.BL\n")
    draft = editor_of(GAME).draft_of(GAME.levels.read(str(path)))
    assert draft.text("B", "walker") == "// My yard\n// Mind the lava.\n// rules: walker\nA.BL\n"
    assert drawn("A.BL").text("B", "phase2") == "// rules: phase2\nA.BL\n"


def test_a_draft_of_a_random_map_has_no_title():
    assert (
        editor_of(GAME).draft_of(GAME.levels.random("walker", 3)).text("B", "walker").startswith("// rules: walker\n")
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_new_draft_is_empty_and_has_the_default_size(preset):
    draft = editor_of(GAME).blank(preset)
    env = GAME.levels.environment(GAME.levels.random(preset, 0), preset)
    assert (draft.rows, draft.cols) == (env.rules.n_rows, env.rules.n_cols)
    assert not draft.scene().tiles.any() and len(draft.scene().actors) == 1


@st.composite
def drafts(draw, any_start=False):
    """Generate any draft if `any_start` is true, otherwise a playable draft."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    codes = st.sampled_from([0, 0, 0, 10, *range(1, 10), 100, -100])
    cells = np.array(draw(st.lists(codes, min_size=rows * cols, max_size=rows * cols))).reshape(rows, cols)
    if not any_start:
        cells[0, 0] = 0
    free = [cell for cell in np.ndindex(rows, cols) if any_start or cells[cell] == 0]
    start = draw(st.sampled_from([None, *free]))
    kept = {
        "rows": rows,
        "cols": cols,
        "cells": cells.tolist(),
        "start": start and list(start),
        "title": "",
        "about": "",
    }
    return editor_of(GAME).restore(kept)


@settings(max_examples=80, deadline=None)
@given(drafts(), st.sampled_from("AB"), st.sampled_from(PRESETS))
def test_a_draft_round_trips_through_text(draft, format, preset):
    text = draft.text(format, preset)
    board = draft.board(preset, "mine")
    assert Map.parse(text) == board.level
    assert editor_of(GAME).draft_of(board) == draft
    assert text.startswith(f"// rules: {preset}\n")


@settings(max_examples=80, deadline=None)
@given(drafts(any_start=True))
def test_a_saved_draft_is_restored_even_if_it_is_not_playable(draft):
    assert editor_of(GAME).restore(json.loads(json.dumps(draft.to_json()))) == draft
    for preset in PRESETS:
        draft.problems(preset)


@settings(max_examples=60, deadline=None)
@given(drafts(any_start=True))
def test_four_rotations_or_two_flips_restore_a_draft(draft):
    assert draft.flipped().flipped() == draft
    assert draft.rotated().rotated().rotated().rotated() == draft
    assert draft.rotated().flipped().rotated().flipped() == draft
    assert sorted(look(draft.rotated())) == sorted(look(draft)) or draft.rows != draft.cols


GOOD = {"rows": 1, "cols": 2, "cells": [[0, 10]], "start": [0, 0], "title": "", "about": ""}


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 2}, {"rows": 0}, {"rows": "1"}, {"cols": 3}, {"cols": 1000}, {"cells": None}, {"cells": [[0, 11]]},
        {"cells": [[0, True]]}, {"cells": [[0], [10]]}, {"cells": ["0a"]}, {"start": [0]}, {"start": [0, 2]}, {"start": "00"},
        {"start": [0, 0.5]}, {"title": 3}, {"about": None}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_invalid_draft_data_is_rejected(change):
    assert editor_of(GAME).restore(GOOD).to_json() == GOOD
    with pytest.raises(ConfigError):
        editor_of(GAME).restore({**GOOD, **change})


@pytest.mark.parametrize("kept", [None, [], "draft", {}, {"rows": 1}])
def test_draft_data_of_the_wrong_type_is_rejected(kept):
    with pytest.raises(ConfigError):
        editor_of(GAME).restore(kept)
