"""The input handler of Sokoban: keys, clicks, drags and hovering."""

from collections import deque

import numpy as np
import pytest

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Act, Board, Say, Walk
from shoverworld.games import game_named
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.record import level_of
from shoverworld.games.sokoban.state import BOX, SokobanState
from shoverworld.games.sokoban.ui import input_rows
from shoverworld.play.session import Session

GAME = game_named("sokoban")

PLAIN = """
########
#@ $ . #
#  #   #
# $ .  #
########
"""
TWO = """
########
#@ $ .@#
#      #
########
"""


def session(text: str, preset: str = "sokoban") -> Session:
    return Session(GAME, Board("drawn", preset, Level.parse(text)))


def drawn(state: SokobanState) -> list[str]:
    return level_of(state).lines()


def play(game: Session, intent) -> None:
    for action in intent.actions if isinstance(intent, Walk) else (intent.action,):
        game.do(Act(action))


KEY = {"up": 1, "down": 2, "left": 3, "right": 4}


@pytest.mark.parametrize("preset", ["sokoban", "fixed", "pull"])
def test_arrow_keys_play_valid_actions_and_explain_invalid_ones(preset):
    rng = np.random.default_rng(2)
    for seed in range(4):
        game = Session(GAME, GAME.levels.random(preset, seed))
        for _ in range(80):
            key = str(rng.choice(list(KEY)))
            intent = game.handler.press(game.state, key)
            assert game.handler.press(game.state, "wasd"[["up", "left", "down", "right"].index(key)]) == intent
            assert isinstance(intent, Act) == game.env.action_mask()[KEY[key]]
            if isinstance(intent, Act):
                assert intent.action == KEY[key]
                assert game.do(intent).why == ""
            else:
                assert isinstance(intent, Say)
                assert intent.text.startswith(key.capitalize())
            if game.outcome is not None:
                break


def test_arrow_keys_move_the_first_player_and_letters_move_the_second():
    game = session(TWO, "two")
    game.do(game.handler.press(game.state, "down"))
    game.do(game.handler.press(game.state, "s"))
    assert drawn(game.state) == ["########", "#  $ . #", "#@    @#", "########"]
    assert game.handler.who == 1
    assert game.handler.marks(game.state)[0].cell == (2, 6)
    assert GAME.ui.texts.figures(game.env, game.state, game.handler)[-1].value == "the second player"


def test_the_mouse_moves_the_player_who_was_clicked():
    game = session(TWO, "two")
    assert isinstance(game.handler.click(game.state, (1, 6)), Say)
    walk = game.handler.click(game.state, (2, 4))
    play(game, walk)
    assert drawn(game.state) == ["########", "#@ $ . #", "#   @  #", "########"]
    assert game.handler.click(game.state, (2, 4)).text == "This is the second player."
    game.handler.click(game.state, (1, 1))
    play(game, game.handler.click(game.state, (2, 1)))
    assert drawn(game.state)[2] == "#@  @  #"


def test_players_block_each_other_and_both_can_push():
    game = session("########\n#@ @   #\n# $  . #\n########", "two")
    assert game.handler.click(game.state, (1, 5)) == Say("No free path leads to row 1, column 5.")
    assert "no room" in game.handler.drag(game.state, (2, 2), UP).text
    game.handler.click(game.state, (1, 3))
    assert isinstance(game.handler.click(game.state, (1, 5)), Walk)
    assert (
        "The box cannot be pushed to row 2, column 3 now" in _send(game, (2, 2), (2, 3)).text
    )  # the first player blocks the cell to the left of the box
    game.handler.click(game.state, (1, 1))
    play(game, _send(game, (2, 2), (2, 5)))
    assert drawn(game.state) == ["########", "#  @   #", "#   @* #", "########"]
    assert game.outcome == "solved"


def _send(game: Session, box, goal):
    game.handler.click(game.state, box)
    return game.handler.click(game.state, goal)


def test_a_grabbed_box_is_pulled():
    game = session(PLAIN.replace("@ $ ", " $@ "), "pull")
    assert isinstance(game.handler.press(game.state, "g"), Say)
    assert game.handler.selected == (1, 3)
    game.do(game.handler.press(game.state, "right"))
    assert drawn(game.state)[1] == "#  $@. #"
    assert game.state.game["pulls"][0] == 1
    assert game.handler.marks(game.state)[0].text == "hold"
    game.handler.press(game.state, "g")
    game.do(game.handler.press(game.state, "right"))
    assert drawn(game.state)[1] == "#  $ + #"
    assert "do not allow pulling" in session(PLAIN).handler.press(session(PLAIN).state, "g").text


def test_an_unknown_key_is_ignored_and_waiting_counts_as_a_step():
    game = session(PLAIN)
    assert game.handler.press(game.state, "z") is None
    assert game.handler.press(game.state, ".") == Act(0)
    four = SokobanEnv(levels=Level.parse(PLAIN), moves="four")
    four.reset(seed=0)
    handler = GAME.ui.controls.handler(four)
    assert isinstance(handler.press(four.get_state(), "."), Say)
    assert handler.press(four.get_state(), "right") == Act(3)


def cells_walked_to(lines: list[str], start: tuple[int, int]) -> set[tuple[int, int]]:
    seen, todo = {start}, [start]
    for row, col in todo:
        for there in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if lines[there[0]][there[1]] in " .@+" and there not in seen:
                seen.add(there)
                todo.append(there)
    return seen


@pytest.mark.parametrize("seed", range(4))
def test_a_click_moves_the_player_to_any_reachable_cell_without_pushing(seed):
    game = Session(GAME, GAME.levels.random("sokoban", seed))
    lines = drawn(game.state)
    start = game.board.level.players[0]
    reached = cells_walked_to(lines, start)
    for row, line in enumerate(lines):
        for col, letter in enumerate(line):
            if letter in "$*":
                continue
            intent = game.handler.click(game.state, (row, col))
            assert isinstance(intent, Act | Walk) == ((row, col) in reached - {start})
            if isinstance(intent, Act | Walk):
                hint = game.handler.hover(game.state, (row, col), None).text
                length = len(intent.actions) if isinstance(intent, Walk) else 1
                assert f"{length} step" in hint
                other = Session(GAME, game.board)
                play(other, intent)
                assert divmod(int(other.state.game["player"][0]), other.state.width) == (row, col)
                assert other.state.game["pushes"][0] == 0


def fewest_pushes(lines: list[str], player, box) -> dict[tuple[int, int], int]:
    """Try every step; return the fewest pushes that move this box to each cell while the other boxes stay in place."""
    solid = {(r, c) for r, line in enumerate(lines) for c, x in enumerate(line) if x in "#$*" and (r, c) != box}
    best, queue = {(player, box): 0}, deque([(player, box)])
    while queue:
        state = queue.popleft()
        (row, col), at = state
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there, pushed = (row + down, col + right), at
            if there in solid:
                continue
            if there == at:
                pushed = at[0] + down, at[1] + right
                if pushed in solid:
                    continue
            cost = best[state] + (pushed != at)
            if cost < best.get((there, pushed), 1 << 30):
                best[there, pushed] = cost
                (queue.append if pushed != at else queue.appendleft)((there, pushed))
    found: dict[tuple[int, int], int] = {}
    for (_, at), cost in best.items():
        found[at] = min(cost, found.get(at, cost))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_selected_box_is_pushed_to_the_clicked_cell_in_the_fewest_pushes(seed):
    game = Session(GAME, GAME.levels.random("sokoban", seed))
    lines, player = drawn(game.state), game.board.level.players[0]
    for r, c in np.argwhere(game.board.level.boxes).tolist():
        box = (r, c)
        wanted = fewest_pushes(lines, player, box)
        for row, line in enumerate(lines):
            for col, letter in enumerate(line):
                if letter in "#$*@+":
                    continue
                game.handler.click(game.state, box)
                assert game.handler.selected == box
                hint = game.handler.hover(game.state, (row, col), None)
                intent = game.handler.click(game.state, (row, col))
                assert game.handler.selected is None
                if (row, col) not in wanted:
                    assert isinstance(intent, Say)
                    assert "cannot be pushed here" in hint.text
                    continue
                other = Session(GAME, game.board)
                play(other, intent)
                assert other.state.rooms()[0, BOX][row, col] == 1
                assert other.state.game["pushes"][0] == wanted[row, col] == int(hint.marks[0].text)
                moved = other.state.rooms()[0, BOX] != game.state.rooms()[0, BOX]
                assert {(int(a), int(b)) for a, b in np.argwhere(moved)} == {box, (row, col)}


def test_a_selected_box_shows_its_reachable_cells_and_a_second_click_deselects_it():
    game = session(PLAIN)
    assert "Click a cell to push it there" in game.handler.click(game.state, (1, 3)).text
    cells = {mark.cell for mark in game.handler.marks(game.state) if mark.kind == "shade"}
    assert cells == set(fewest_pushes(drawn(game.state), (1, 1), (1, 3))) - {(1, 3)}
    assert game.handler.click(game.state, (1, 3)).text == "Nothing is selected."
    assert game.handler.marks(game.state) == ()
    game.handler.click(game.state, (1, 3))
    assert isinstance(game.handler.click(game.state, (0, 0)), Say)
    assert game.handler.selected is None


def test_dragging_a_box_makes_the_player_walk_behind_it_and_push_it_or_shows_why_this_is_impossible():
    game = session(PLAIN)
    play(game, game.handler.drag(game.state, (3, 2), RIGHT))
    assert drawn(game.state) == ["########", "#  $ . #", "#  #   #", "# @$.  #", "########"]
    assert "against a wall" in game.handler.drag(game.state, (3, 3), UP).text
    play(game, game.handler.drag(game.state, (3, 2), LEFT))  # drag the player
    assert drawn(game.state)[3] == "#@ $.  #"
    corner = session("######\n#$ @.#\n#    #\n######")
    assert "there is no room left of the box" in corner.handler.drag(corner.state, (1, 1), RIGHT).text
    assert "Drag a box" in corner.handler.drag(corner.state, (2, 2), RIGHT).text
    shut = session("#######\n#@#   #\n# # $.#\n# #   #\n#######")
    assert "no free path leads there" in shut.handler.drag(shut.state, (2, 4), RIGHT).text


def test_a_drag_pulls_a_box_if_the_rules_allow_it():
    game = session("######\n#$ @.#\n#    #\n######", "pull")
    play(game, game.handler.drag(game.state, (1, 1), RIGHT))
    assert drawn(game.state)[1] == "# $@.#"
    assert game.state.game["pulls"][0] == 1


def test_hovering_over_a_cell_describes_the_cell_and_the_move():
    game = session(PLAIN)

    def hint(cell, toward=None):
        return game.handler.hover(game.state, cell, toward)

    assert hint((0, 0)).text == "A wall"
    assert hint((1, 1)).text.startswith("The player")
    assert hint((1, 3)).text == "Box at row 1, column 3. Click to select it, drag to push it"
    push = hint((1, 3), RIGHT)
    assert push.text == "Drag to push the box right (1 step away)"
    assert [(m.kind, m.cell, m.direction) for m in push.marks] == [("frame", (1, 3), 0), ("arrow", (1, 4), RIGHT)]
    assert "Click to walk here: 2 steps" in hint((2, 2)).text
    assert hint((3, 4)).text == "Target. No free path leads here"
    assert "cannot move up: it is against" in hint((1, 3), UP).text
    assert hint((9, 9)).text == ""
    lost = session("#######\n#     #\n# @$  #\n#   . #\n#######")
    lost.do(lost.handler.press(lost.state, "right"))
    assert "it would be lost there" in lost.handler.hover(lost.state, (2, 4), RIGHT).text
    assert "lost" not in lost.handler.hover(lost.state, (2, 4), DOWN).text


def test_the_handler_does_nothing_after_the_end_of_the_game():
    game = session("#####\n#@$.#\n#####")
    game.do(game.handler.press(game.state, "right"))
    assert game.outcome == "solved"
    for intent in (
        game.handler.press(game.state, "left"),
        game.handler.click(game.state, (1, 1)),
        game.handler.drag(game.state, (1, 3), LEFT),
    ):
        assert intent == Say("The game is over: solved.")


def test_giving_up_the_search_for_a_path_is_not_reported_as_an_impossible_push(monkeypatch):
    # The push requires a search for a path around the wall, and the search may not visit any cells.
    monkeypatch.setattr(input_rows, "MOST_VISITS", 0)
    game = session("########\n#    ..#\n# ##$###\n#@   $ #\n########")
    assert "try a nearer cell" in _send(game, (2, 4), (1, 1)).text
    monkeypatch.undo()
    assert "cannot be pushed to row 1, column 1 now" in _send(game, (2, 4), (1, 1)).text
