"""Tests of the messages of Shover-World: reasons for invalid actions, moves, hints, and statistics beside the board."""

import pytest

from shoverworld.core.grid import UP
from shoverworld.core.ui import Place
from shoverworld.games.shover.game import GAME
from tests.tables import Table

# --- descriptions of actions


@pytest.mark.parametrize(
    ("board", "preset", "action", "why"),
    [
        ("A.BBB#", "milestone1", (0, 2, "right"), "there is a barrier beyond the 3 boxes"),
        ("A.BBB", "milestone1", (0, 2, "right"), "the 3 boxes are against the edge of the map"),
        ("A.B", "milestone1", (0, 2, "up"), "the box is against the edge of the map"),
        ("A#B", "milestone1", (0, 1, "right"), "there is a barrier at row 0, column 1"),
        ("A.L", "milestone1", (0, 2, "right"), "there is lava at row 0, column 2"),
        ("A.B", "walker", "up", "row 0 is the edge of the map"),
        ("A.B", "walker", "left", "column 0 is the edge of the map"),
        ("A#B", "walker", "right", "there is a barrier at row 0, column 1"),
        ("A.B", "phase2", (0, 1, "right"), "there is nothing at row 0, column 1, and only a box can be pushed"),
        ("A#B", "phase2", (0, 1, "right"), "there is a barrier at row 0, column 1, and only a box can be pushed"),
        ("A.B", "phase2", "barrier", "there is no perfect square"),
        ("A.B", "phase2", "hellify", "there is no perfect square of size 3 or more"),
        (
            "A....\n.BB..\n.BB..\n.....",
            "phase2",
            "hellify",
            "there is no perfect square of size 3 or more, only of size 2",
        ),
    ],
    ids=str,
)
def test_the_message_gives_the_reason_for_an_invalid_action(board, preset, action, why):
    game = Table(board, preset)
    before = game.state
    game.do(action)
    assert not game.info["last_action_valid"]
    assert game.env.why_invalid(game.state) == why
    assert GAME.ui.texts.move(game.env, before, game.state).kind == "invalid"
    assert why in GAME.ui.texts.move(game.env, before, game.state).words
    assert game.figures()["Last action"].value == f"invalid: {why}"


@pytest.mark.parametrize("place", [(0, 2), (1, 0), (1, 4)])
def test_placing_a_walker_does_not_change_the_reason_for_its_invalid_action(place):
    game = Table("#A..B\n..L..", "walker")
    game.press("left")
    game.env.place(place)
    assert game.figures()["Last action"].value == "invalid: there is a barrier at row 0, column 0"


def test_a_special_action_can_be_invalid_because_its_square_has_just_dissolved():
    """With squares_first, the square dissolves before the barrier maker can use it."""
    game = Table("A....\n.BB..\n.BB..\n.....", "walker", perf_sq_initial_age=1)
    _, after = game.press("b")
    assert game.env.why_invalid(after) == "the perfect square dissolved before it could be used"


@pytest.mark.parametrize(
    ("board", "preset", "action", "kind", "words"),
    [
        ("A.BB.", "milestone1", (0, 2, "right"), "push", "pushed 2 boxes right"),
        ("A.BL.", "milestone1", (0, 2, "right"), "burn", "pushed 1 box right, it burnt"),
        ("A.BBL", "milestone1", (0, 2, "right"), "burn", "pushed 2 boxes right, the front box burnt"),
        ("A.B", "milestone1", (0, 1, "right"), "walk", "leapt to row 0, column 1"),
        ("A.B", "walker", "right", "walk", "walked right"),
        ("A.B", "walker", "noop", "", "waited"),
        ("A...\n.BB.\n.BB.\n....", "phase2", "barrier", "special", "the barrier maker: the 2 x 2 square at row 1, column 1 became barriers"),
        ("A....\n.BBB.\n.BBB.\n.BBB.\n.....", "phase2", "hellify", "special", "hellify: the 3 x 3 square at row 1, column 1 burnt"),
    ],
    ids=str,
)  # fmt: skip
def test_the_message_about_a_move_describes_its_effect(board, preset, action, kind, words):
    game = Table(board, preset)
    before = game.state
    game.do(action)
    assert GAME.ui.texts.move(game.env, before, game.state) == (kind, words)
    assert game.env.why_invalid(game.state) == ""


def test_a_placement_is_described():
    game = Table("A..\n..B")
    assert GAME.ui.texts.move(game.env, *game.play(Place((1, 0)))) == ("place", "placed on row 1, column 0")


def test_the_message_about_a_move_mentions_dissolved_boxes():
    game = Table("A...\n.BB.\n.BB.\n....", perf_sq_initial_age=1)
    before = game.state
    game.do((0, 1, "right"))
    move = GAME.ui.texts.move(game.env, before, game.state)
    assert move == ("dissolve", "leapt to row 0, column 1; 4 boxes dissolved")


def test_the_message_about_a_move_distinguishes_a_special_action_from_a_dissolving_square():
    game = Table("A.......\n.BB.BBB.\n.BB.BBB.\n....BBB.\n........", perf_sq_initial_age=1)
    before = game.state
    game.do("hellify")
    move = GAME.ui.texts.move(game.env, before, game.state)
    assert move == ("special", "hellify: the 3 x 3 square at row 1, column 4 burnt; 4 boxes dissolved")


@pytest.mark.parametrize(
    ("board", "preset", "action", "words"),
    [
        ("A.B..", "milestone1", (0, 2, 2), "push the box at row 0, column 2 to the right"),
        ("A.BB.", "milestone1", (0, 2, 2), "push the 2 boxes starting at row 0, column 2 to the right"),
        ("A.BB.", "milestone1", (0, 1, 2), "leap to row 0, column 1"),
        ("A.BB.", "milestone1", (0, 2, 1), "wait one step: up is invalid here"),
        ("A.BB.", "milestone1", (0, 2, 5), "wait one step: there is no perfect square"),
        ("A.B", "walker", (0, 0, 2), "walk right"),
        ("A.B", "walker", (0, 0, 0), "wait"),
        ("A...\n.BB.\n.BB.\n....", "phase2", (0, 0, 4), "use the barrier maker on the 2 x 2 square at row 1, column 1"),
    ],
    ids=str,
)
def test_actions_are_described_for_hints(board, preset, action, words):
    game = Table(board, preset)
    assert GAME.ui.texts.describe(game.env, game.state, action) == words


def test_the_statistics_show_the_state_of_the_game():
    game = Table("A.BBL\n.....", initial_stamina=200)
    figures = game.figures()
    assert figures["Step"].value == "0 of 400"
    assert (figures["Stamina"].value, figures["Stamina"].share) == ("200", 1.0)
    assert figures["Last action"].value == "-"
    assert figures["Push ahead"].value == "-"
    assert figures["Perfect squares"].value == "none"
    game.do((0, 2, "right"))
    figures = game.figures()
    assert (figures["Boxes left"].value, figures["Destroyed"].value) == ("1", "1")
    assert (figures["Stamina"].value, figures["Stamina"].share) == ("180", 0.9)
    assert figures["Burnt by last push"].value == "1"
    assert figures["Last action"].value == "valid"


def test_the_statistics_and_the_preview_include_the_step_cost_of_a_push():
    game = Table("A.BB..L", push_pays_step_cost=True)
    game.press("right")
    assert game.figures()["Push right"].value == "61 from rest (21 in motion)"
    preview = game.handler.hover(game.state, (0, 2), 1)
    assert preview.text == "Push 2 boxes right: 61 stamina (40 to start + 10 per box + 1 per step)"


def test_the_statistics_show_the_cost_of_the_next_push_from_rest_and_in_motion():
    game = Table("A.BB..L")
    game.press("right")
    assert game.figures()["Push right"].value == "60 from rest (20 in motion)"
    game.press("right")
    assert game.figures()["Push right"].value == "20 in motion (60 from rest)"
    game.press("right")
    game.handler.click(game.state, (0, 4))
    assert game.figures()["Push right"].value == "20 in motion (60 from rest)"
    blocked = Table("A.\nB#\n..\n#.")
    assert blocked.figures()["Push down"].value == "50 from rest (10 in motion)"
    walled = Table("A.\nB#\n#.")
    assert walled.figures()["Push down"].value == "blocked: there is a barrier beyond the box"


def test_the_statistics_for_a_walker_show_the_cost_after_a_turn():
    game = Table("AB..L\n.....", "walker")
    game.press("right")
    assert game.figures()["Push right"].value == "10 straight on (50 after a turn)"
    assert (
        game.handler.hover(game.state, (0, 2), UP).text
        == "Push 1 box right: 10 stamina (10 per box; straight on, so no cost to start)"
    )


def test_the_statistics_list_squares_with_their_remaining_steps():
    game = Table("A........\n.BB.BB.BB\n.BB.BB.BB\n.........\n.BB.BB.BB\n.BB.BB.BB").do((0, 1, "right"))
    figures = GAME.ui.texts.figures(game.env, game.state, None)
    lines = [figure for figure in figures if figure.label.startswith("2 x 2")]
    assert game.figures()["Perfect squares"].value == "6"
    assert (lines[0].label, lines[0].value, lines[0].share) == ("2 x 2 at (1, 1)", "9 steps left", 0.9)
    assert figures[-1].value == f"and {6 - len(lines)} more"


@pytest.mark.parametrize(
    ("board", "keywords", "actions", "words"),
    [
        ("A.BL", {}, [(0, 2, "right")], "Cleared"),
        ("A.B.", {"initial_stamina": 1}, [(0, 1, "right")], "Exhausted"),
        ("A.B.", {"max_timestep": 1}, [(0, 1, "right")], "Time is up"),
        ("A.B.", {}, [], "Still playing"),
    ],
)
def test_the_statistics_at_the_end_of_a_game_show_the_outcome_and_the_number_of_steps(board, keywords, actions, words):
    game = Table(board, **keywords).do(*actions)
    ending = {figure.label: figure.value for figure in GAME.ui.texts.ending(game.env, game.state)}
    assert ending["Outcome"].startswith(words) and ending["Steps"] == str(len(actions))
