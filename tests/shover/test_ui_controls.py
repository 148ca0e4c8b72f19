"""Tests of the input handler of Shover-World: keys, clicks, drags and hovering with each of the three actors.

In the drawings: . empty    A the shover    B box    # barrier    L lava
"""

import numpy as np
import pytest

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Act, Mark, Place, Say
from shoverworld.games.shover.game import GAME
from tests.tables import Table

# --- keys


ARROWS = {"up": UP, "w": UP, "right": RIGHT, "d": RIGHT, "down": DOWN, "s": DOWN, "left": LEFT, "a": LEFT}
CROSS = "...\n.A.\n..."


@pytest.mark.parametrize("key", ARROWS)
def test_an_arrow_key_moves_a_walker(key):
    game = Table(CROSS, "walker")
    assert game.handler.press(game.state, key).action[2] == 1 + ARROWS[key]
    game.press(key)
    assert game.info["last_action_valid"] and int(game.state.game["direction"][0]) == ARROWS[key]


@pytest.mark.parametrize("key", ARROWS)
def test_an_arrow_key_makes_a_leaper_act_on_the_adjacent_cell(key):
    game = Table(CROSS)
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[ARROWS[key]]
    assert game.handler.press(game.state, key) == Act((1 + down, 1 + right, 1 + ARROWS[key]))


@pytest.mark.parametrize("key", ARROWS)
def test_under_the_select_rule_an_arrow_key_pushes_only_a_selected_box(key):
    game = Table("...\n.B.\n..A", "phase2")
    intent = game.handler.press(game.state, key)
    assert isinstance(intent, Say) and "Select a box" in intent.text
    game.handler.click(game.state, (1, 1))
    assert game.handler.press(game.state, key).action == (1, 1, ARROWS[key])


@pytest.mark.parametrize(("preset", "barrier", "hellify"), [("milestone1", 5, 6), ("walker", 5, 6), ("phase2", 4, 5)])
def test_each_special_action_has_a_key(preset, barrier, hellify):
    game = Table("A.B", preset)
    assert game.handler.press(game.state, "b").action[2] == barrier
    assert game.handler.press(game.state, "h").action[2] == hellify


def test_only_a_walker_can_wait():
    walker, leaper = Table("A.B", "walker"), Table("A.B")
    assert walker.handler.press(walker.state, ".").action[2] == 0
    assert isinstance(leaper.handler.press(leaper.state, "."), Say)


def test_the_handler_ignores_other_keys():
    game = Table("A.B")
    assert [game.handler.press(game.state, key) for key in ("r", "q", "u", "n", "p", "tab", "f1", "1", "space")] == [
        None
    ] * 9


def test_the_handler_accepts_every_key_that_the_help_lists():
    game = Table("A.B", "walker")
    assert all(game.handler.press(game.state, key) is not None for help_ in GAME.ui.controls.keys for key in help_.keys)


def test_at_the_edge_a_leaper_does_not_act_and_a_walker_makes_an_invalid_step():
    leaper, walker = Table("A.B"), Table("A.B", "walker")
    assert "the map ends" in leaper.handler.press(leaper.state, "left").text
    _, after = walker.press("left")
    assert walker.env.why_invalid(after) == "column 0 is the edge of the map"


def test_the_handler_plays_no_action_after_the_end_of_the_game():
    game = Table("AB", "phase2")
    game.handler.click(game.state, (0, 1))
    game.press("right")
    assert game.env.outcome == "cleared"
    for intent in (
        game.handler.press(game.state, "left"),
        game.handler.click(game.state, (0, 0)),
        game.handler.drag(game.state, (0, 0), UP),
    ):
        assert intent == Say("The game is over: cleared.")


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
def test_a_selected_box_can_be_pushed_repeatedly_with_keys(preset):
    """
    . . . .      . . . .      B . . .      the box stays selected until it burns or is clicked again
    . . . .  ->  B . . .  ->  . . . .
    B . A .      A . . .      A . . .
    """
    game = Table("....\n....\nB.A.", preset)
    assert isinstance(game.handler.click(game.state, (2, 0)), Say)
    assert game.handler.marks(game.state) == (Mark("frame", (2, 0), game.handler.marks(game.state)[0].colour),)
    game.press("up")
    assert game.handler.selected == (1, 0)
    game.press("up")
    assert game.handler.selected == (0, 0) and game.info["last_action_valid"]
    game.press("right")
    assert game.handler.selected == (0, 1)
    assert game.handler.click(game.state, (0, 1)) and game.handler.selected is None


def test_the_selected_box_stays_selected_when_the_front_box_burns():
    game = Table("A.BBL")
    game.handler.click(game.state, (0, 2))
    game.press("right")
    assert game.handler.selected == (0, 3)
    game.press("right")
    assert game.handler.selected is None and game.env.outcome == "cleared"


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
def test_a_dragged_box_stays_selected(preset):
    game = Table("A..B...\n.......", preset)
    game.play(game.handler.drag(game.state, (0, 3), RIGHT))
    assert game.handler.selected == (0, 4)


@pytest.mark.parametrize("cell", [(0, 1), (0, 3), (0, 5), (0, 6)])
def test_a_click_elsewhere_deselects_a_box(cell):
    game = Table("A#B#.L.")
    game.handler.click(game.state, (0, 2))
    game.handler.click(game.state, cell)
    assert game.handler.selected is None


def test_the_selection_does_not_follow_a_push_of_another_box():
    game = Table("A.B.B..")
    game.handler.click(game.state, (0, 2))
    game.do((0, 4, "right"))
    game.handler.played(game.state)
    assert game.handler.selected == (0, 2)


def test_an_undo_clears_the_selection_if_the_selected_cell_no_longer_contains_a_box():
    game = Table("A.B..L")
    game.handler.click(game.state, (0, 2))
    before, _ = game.press("right")
    assert game.handler.selected == (0, 3)
    game.env.set_state(before)
    game.handler.played(game.state)
    assert game.handler.selected is None


def test_a_blocked_box_stays_selected():
    game = Table("A.B#.L")
    game.handler.click(game.state, (0, 2))
    game.press("right")
    assert game.handler.selected == (0, 2) and not game.info["last_action_valid"]


YARD = """
    A . B .
    . # . L
    . # . .
"""


@pytest.mark.parametrize(
    ("preset", "cell", "wanted"),
    [
        ("milestone1", (2, 3), Place((2, 3))),
        ("milestone1", (1, 1), "A barrier"),
        ("milestone1", (1, 3), "Lava"),
        ("milestone1", (0, 0), "is here"),
        ("milestone1", (0, 2), "selected"),
        ("walker", (2, 0), Place((2, 0))),
        ("walker", (2, 3), "No free path"),
        ("walker", (0, 2), "Stand next to the box first"),
        ("walker", (1, 1), "A barrier"),
        ("phase2", (2, 3), "Nothing is selected"),
        ("phase2", (0, 2), "selected"),
        ("phase2", (9, 9), None),
    ],
    ids=str,
)
def test_a_click_places_the_shover_or_selects_a_box_or_shows_why_neither_is_possible(preset, cell, wanted):
    game = Table(YARD, preset)
    intent = game.handler.click(game.state, cell)
    if isinstance(wanted, str):
        assert isinstance(intent, Say) and wanted in intent.text
    else:
        assert intent == wanted
        game.play(intent)  # the environment accepts the intent


def test_a_click_on_an_adjacent_box_makes_a_walker_push_it():
    game = Table("...\n.AB\n...", "walker")
    assert game.handler.click(game.state, (1, 2)) == Act((1, 2, 2))
    game = Table(".B..\n.A..\n....", "walker")
    assert game.handler.click(game.state, (0, 1)) == Act((0, 1, 1))


@pytest.mark.parametrize(
    ("preset", "cell", "direction", "wanted"),
    [
        ("milestone1", (0, 2), DOWN, Act((0, 2, 3))),
        ("phase2", (0, 2), LEFT, Act((0, 2, 3))),
        ("milestone1", (2, 2), DOWN, "Drag a box"),
        ("phase2", (0, 0), DOWN, "Drag a box"),
        ("milestone1", (0, 0), DOWN, Act((1, 0, 3))),
        ("walker", (0, 0), RIGHT, Act((0, 1, 2))),
        ("walker", (0, 2), RIGHT, "stand left of it, on row 0, column 1"),
        ("walker", (0, 2), DOWN, "no room above it"),
        ("walker", (8, 2), DOWN, None),
    ],
    ids=str,
)
def test_a_drag_pushes_a_box_or_moves_the_shover_or_shows_why_neither_is_possible(preset, cell, direction, wanted):
    game = Table(YARD, preset)
    intent = game.handler.drag(game.state, cell, direction)
    if isinstance(wanted, str):
        assert isinstance(intent, Say) and wanted in intent.text
    else:
        assert intent == wanted


def test_a_walker_behind_a_box_can_drag_it():
    game = Table("AB.", "walker")
    game.play(game.handler.drag(game.state, (0, 1), RIGHT))
    assert game.info["chain_length"] == 1


def test_the_handler_never_changes_the_game():
    game = Table("A.BB.L\n.BB...\n.BB...")
    state, kept = game.state, game.state
    game.handler.click(state, (0, 2))
    game.handler.press(state, "right")
    game.handler.hover(state, (0, 2), RIGHT)
    game.handler.drag(state, (0, 2), LEFT)
    GAME.ui.texts.describe(game.env, state, (0, 2, 2))
    GAME.ui.overlays.marks("4", game.env, state, Plan("solved", [(0, 2, 2), (0, 0, 5)]))
    assert all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(state[:3], kept[:3], strict=True))


# --- hovering


@pytest.mark.parametrize(
    ("board", "preset", "cell", "toward", "text"),
    [
        ("A.BBB.", "milestone1", (0, 2), RIGHT, "Push 3 boxes right: 70 stamina (40 to start + 10 per box)"),
        (
            "A.BBBL", "milestone1", (0, 2), RIGHT,
            "Push 3 boxes right: 70 stamina (40 to start + 10 per box); the front box burns (+40 stamina)",
        ),
        ("A.B", "phase2", (0, 2), RIGHT, "Push 1 box right: 50 stamina (40 to start + 10 per box); it burns beyond the edge (+40 stamina)"),
        ("A.B", "milestone1", (0, 2), RIGHT, "Cannot push 1 box right: the box is against the edge of the map"),
        ("A.BB#", "milestone1", (0, 2), RIGHT, "Cannot push 2 boxes right: there is a barrier beyond the 2 boxes"),
        ("AB..", "walker", (0, 1), UP, "Push 1 box right: 50 stamina (40 to start + 10 per box)"),
        ("A..B.", "walker", (0, 3), RIGHT, "Stand next to the box first. From row 0, column 2: push 1 box right: 50 stamina (40 to start + 10 per box)"),
        ("A..B.", "walker", (0, 3), UP, "This box cannot be pushed up: there is no room below it"),
        ("A..B.", "walker", (0, 3), None, "Box at row 0, column 3. Stand next to it first"),
        ("AB..", "walker", (0, 1), None, "Push 1 box right: 50 stamina (40 to start + 10 per box)"),
        ("A.BBL", "milestone1", (0, 2), None, "Box at row 0, column 2. Cost of a push: right 60 (burns), left 50. Click to select it"),
        ("A.#B#", "milestone1", (0, 3), None, "Box at row 0, column 3: it cannot be pushed in any direction"),
        ("A..B.", "milestone1", (0, 1), UP, "Click to stand here; this costs nothing"),
        ("A#.B.", "walker", (0, 2), UP, "Empty; no free path leads here"),
        ("A..B.", "phase2", (0, 1), UP, "Empty"),
        ("A#LB.", "phase2", (0, 1), UP, "A barrier: it cannot be moved"),
        ("A#LB.", "phase2", (0, 2), UP, "Lava: boxes burn in it, and each returns 40 stamina"),
        ("A#LB.", "phase2", (0, 0), UP, "Empty"),
        ("A#LB.", "phase2", (5, 0), UP, ""),
    ],
)  # fmt: skip
def test_hovering_over_a_cell_describes_it(board, preset, cell, toward, text):
    game = Table(board, preset)
    assert game.handler.hover(game.state, cell, toward).text == text


def test_hovering_shows_no_push_preview_if_the_walker_is_distant_or_no_direction_is_given():
    walker, leaper = Table("A..B.", "walker"), Table("A..B.")
    (far,) = walker.handler.hover(walker.state, (0, 3), RIGHT).marks
    (middle,) = leaper.handler.hover(leaper.state, (0, 3), None).marks
    green = leaper.handler.hover(leaper.state, (0, 3), RIGHT).marks[0].colour
    assert far.text == middle.text == "" and green not in (far.colour, middle.colour)


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
@pytest.mark.parametrize("direction", [UP, RIGHT, DOWN, LEFT])
def test_a_click_beside_the_selected_box_pushes_it(preset, direction):
    """
    . . .        . . .
    . B .   ->   . . B    repeatable while the box is selected; a click on another box selects that box
    A . .        A . .
    """
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[direction]
    game = Table(".....\n.....\n..B..\n.....\nA....", preset)
    game.handler.click(game.state, (2, 2))
    beside = 2 + down, 2 + right
    shown = game.handler.hover(game.state, beside, None)
    assert shown.text.startswith(f"Click: push 1 box {('up', 'right', 'down', 'left')[direction]}: 50 stamina")
    assert shown.marks == game.handler.hover(game.state, (2, 2), direction).marks
    game.play(game.handler.click(game.state, beside))
    assert game.handler.selected == beside and game.info["chain_length"] == 1
    game.play(game.handler.click(game.state, (2 + 2 * down, 2 + 2 * right)))
    assert game.handler.selected == (2 + 2 * down, 2 + 2 * right)


def test_a_click_on_an_adjacent_box_selects_it_and_a_click_on_adjacent_lava_burns_the_selected_box():
    game = Table("A.BBL\n.....")
    game.handler.click(game.state, (0, 2))
    assert isinstance(game.handler.click(game.state, (0, 3)), Say) and game.handler.selected == (0, 3)
    game.play(game.handler.click(game.state, (0, 4)))
    assert game.info["lava_destroyed_this_step"] == 1


def test_selecting_a_box_asks_for_a_direction_and_shows_the_costs():
    game = Table("A.#BL\n.....", "milestone1")
    wanted = "Choose a direction with the arrows or WASD: right 50 (burns), down 50."
    assert game.handler.click(game.state, (0, 3)).text == f"The box is selected. {wanted}"
    assert game.handler.hover(game.state, (0, 3), None) == ((), wanted), "only the selection is framed"
    blocked = Table("A.B..\n..#..")
    blocked.handler.click(blocked.state, (0, 2))
    labels = {line.label: line.value for line in GAME.ui.texts.figures(blocked.env, blocked.state, blocked.handler)}
    assert labels["Push ahead"] == "choose a direction", "the panel does not report the blocked direction"


def test_the_preview_shows_that_a_box_in_motion_is_cheaper_to_push():
    game = Table("A.B..L").do((0, 2, "right"))
    assert (
        game.handler.hover(game.state, (0, 3), RIGHT).text
        == "Push 1 box right: 10 stamina (10 per box; in motion, so no cost to start)"
    )
    assert "50 stamina" in game.handler.hover(game.state, (0, 3), LEFT).text


def test_the_preview_warns_about_a_push_that_would_use_up_the_stamina():
    game = Table("A.B..\n....B", initial_stamina=50)
    assert game.handler.hover(game.state, (0, 2), RIGHT).text.endswith("; this would use up your stamina")


def test_the_preview_names_the_square_that_contains_the_box():
    game = Table("A....\n.BB..\n.BB..\n.....").do((0, 1, "right"))
    assert game.handler.hover(game.state, (1, 1), LEFT).text.endswith(
        ". In a perfect 2 x 2 square that dissolves in 9 steps"
    )


def test_the_preview_frames_the_chain_and_shows_its_direction():
    game = Table("....\n.AB.\n..B.\n....")
    frame, arrow = game.handler.hover(game.state, (1, 2), DOWN).marks
    assert (frame.kind, frame.cell, frame.rows, frame.cols, frame.text) == ("frame", (1, 2), 2, 1, "60")
    assert (arrow.kind, arrow.cell, arrow.direction) == ("arrow", (3, 2), DOWN)
    (blocked,) = Table("#B.A").handler.hover(Table("#B.A").state, (0, 1), LEFT).marks
    assert blocked.text == "x" and blocked.colour != frame.colour


def test_the_arrow_for_a_push_over_the_edge_starts_on_the_map():
    game = Table("A.B", "phase2")
    frame, arrow = game.handler.hover(game.state, (0, 2), RIGHT).marks
    assert arrow.cell == (0, 2) and frame.cell == (0, 2)
