"""The race in the window, driven by events: players, moves by mouse and keys, penalties, the finish, the replay."""

import numpy as np
import pygame
import pytest

from shoverworld.core.ui import Board, Mark
from shoverworld.desktop.ending import EndingScreen
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.players import PlayersScreen
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.view import BoardView
from shoverworld.desktop.viewer import ViewerScreen
from shoverworld.games import game_named
from shoverworld.games.race.boards import Grid
from shoverworld.games.race.tiles import colour_of
from shoverworld.games.race.tracks import Track
from shoverworld.play.players import Player, parse_players
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from tests.windows import Hands, hands

__all__ = ["hands"]
GAME = game_named("race")
LANE = "##########\n#S.......F\n#S.......F\n##########"
ANN, BOB, GREEDY = Player("Ann"), Player("Bob"), Player("greedy", "greedy")
PEOPLE, MIXED = (ANN, BOB), (ANN, GREEDY)


def sit_down(hands: Hands, players=PEOPLE, text: str = LANE, **options) -> TableScreen:
    starts = ((1, 1), (1, 2))[: len(players)]
    board = Board("lane", "race", Grid(Track.parse(text, "lane"), starts), "The lane")
    return hands.open(lambda app: TableScreen(app, Session(GAME, board, players=players)), **options)


def play(hands: Hands, keys: str) -> None:
    hands.press(*keys)


def button(table: TableScreen, key: str) -> tuple[int, int]:
    """Where the button of a key is."""
    rect = table.display.panel.rect
    for y in range(rect.top, rect.bottom, 3):
        for x in range(rect.left, rect.right, 3):
            if table.display.panel.key_at((x, y)) == key:
                return x + 4, y + 4
    raise AssertionError(f"there is no button {key}")


def log(table: TableScreen) -> list[str]:
    return [entry.text for entry in table.display.log.entries]


# --- who plays


@pytest.fixture
def menu(hands):
    settings = Settings(game="race", board="01-straight")
    screen = hands.open(MenuScreen, settings=settings)
    assert isinstance(screen, MenuScreen)
    return screen


def test_players_are_added_by_name_and_the_race_begins(hands, menu):
    hands.press("return")
    players = hands.app.screen
    assert isinstance(players, PlayersScreen) and players.setup.board.name == "01-straight"
    assert [player.kind for player in players.setup.players] == ["human", "greedy"]  # the usual ones
    hands.press("delete", "delete")
    assert players.setup.players == []
    hands.press("return")
    assert hands.app.screen is players and "A game needs a player" in players.status.text
    hands.click(players.name.rect.center)
    hands.type("Ann")
    hands.press("return")
    hands.type("Bob")
    hands.click(players.add.rect.center)
    hands.click(players.agents.row_rect(1).center)
    hands.click(players.add_ai.rect.center)
    assert players.setup.players == [Player("Ann"), Player("Bob"), Player("optimal", "optimal")]
    assert "3 of" in players.taken.text
    hands.click(players.buttons[0].rect.center)
    table = hands.until(lambda: isinstance(hands.app.screen, TableScreen) and hands.app.screen)
    assert [seat.name for seat in table.session.players] == ["Ann", "Bob", "optimal"]
    assert hands.app.settings.players == "Ann=human,Bob=human,optimal=optimal"


def test_there_are_no_more_players_than_start_cells(hands):
    table = sit_down(hands)
    hands.press("o")
    players = hands.app.screen
    assert isinstance(players, PlayersScreen)
    hands.press("a", "i", "i")
    assert len(players.setup.players) == 2 and "this board has 2 places" in players.status.text
    hands.press("escape")
    assert hands.app.screen is table


def test_others_play_at_the_same_table(hands):
    table = sit_down(hands)
    play(hands, "6")
    hands.press("o", "delete")
    hands.press("f1")
    assert isinstance(hands.app.screen, HelpScreen)
    hands.press("escape", "return")
    assert hands.app.screen is table
    assert len(table.session.players) == 1 and table.session.moves == 0


def test_the_players_are_chosen_first_if_they_are_unknown(hands):
    def first(app):
        board = Board("lane", "race", Grid(Track.parse(LANE, "lane")), "The lane")
        table = TableScreen(app, Session(GAME, board, players=MIXED))
        table.asks_first = True
        return table

    players = hands.open(first)
    assert isinstance(players, PlayersScreen) and players.setup.players == list(MIXED)
    hands.press("down", "delete", "return")
    table = hands.app.screen
    assert isinstance(table, TableScreen) and table.session.players == (ANN,)
    hands.press("o", "escape")
    assert hands.app.screen is table


def test_an_agent_alone_is_watched_from_the_menu(hands, menu):
    hands.press("w")
    table = hands.until(lambda: isinstance(hands.app.screen, TableScreen) and hands.app.screen)
    hands.until(lambda: table.session.moves >= 2)
    assert table.session.helpers == ["greedy"] and len(table.session.players) == 1


# --- moving


def test_moving_by_keys_by_the_number_pad_by_the_mouse_and_by_buttons(hands):
    table = sit_down(hands)
    hands.press("6")  # Ann, the row of numbers
    assert table.session.place == 1
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_KP6, mod=0, unicode="6", scancode=94))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_KP6, mod=0, unicode="6", scancode=94))
    hands.frame()  # Bob, the number pad
    assert table.session.moves == 2
    hands.click(table.view.rect_of((1, 4)).center)  # Ann
    assert [int(col) for col in table.session.state.cars["col"][0]] == [4, 2]
    hands.click(button(table, "6"))  # Bob
    assert [int(col) for col in table.session.state.cars["col"][0]] == [4, 4]
    hands.press("right")
    assert table.session.moves == 5
    assert log(table)[0] == "1  Ann: step 1, to 2,1, speed 1,0" and len(log(table)) == 5


def test_the_number_pad_without_num_lock_still_moves(hands):
    """Its keys write nothing then; their names are "[6]"."""
    table = sit_down(hands)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_KP6, mod=0, unicode="", scancode=94))
    hands.frame()
    assert table.session.moves == 1


def test_the_nine_next_cells_are_seen_and_the_illegal_ones_marked(hands):
    table = sit_down(hands, size=(900, 640))
    legal, plain = (hands.pixels(table.view.rect_of(cell)) for cell in ((1, 2), (1, 6)))
    illegal, sand = (hands.pixels(table.view.rect_of((0, col))) for col in (1, 6))

    def near(pixels: np.ndarray, colour: tuple[int, int, int]) -> int:
        return int((np.abs(pixels.astype(int) - colour).max(axis=-1) < 10).sum())

    assert near(legal, colour_of(0)) > 100 > near(plain, colour_of(0))
    assert (illegal != sand).any(axis=-1).sum() > 100
    play(hands, "6")
    assert near(hands.pixels(table.view.rect_of((2, 2))), colour_of(1)) > 100  # now those of Bob


def test_the_cell_under_the_pointer_is_described(hands):
    table = sit_down(hands)
    hands.point(table.view.rect_of((2, 2)).center)
    assert table.table.message.text.startswith("Click to drive down-right (3)")
    hands.point(table.view.rect_of((0, 2)).center)
    assert "illegal, it lands off the track" in table.table.message.text


def test_an_illegal_move_is_asked_about_and_then_costs_a_penalty(hands):
    table = sit_down(hands)
    play(hands, "66")
    hands.press("8")
    assert table.session.moves == 2 and "choose it again" in table.table.message.text
    hands.press("8")
    assert table.session.moves == 3
    assert "skips 5 turns" in table.table.message.text and table.display.line.colour != (232, 234, 238)
    assert table.display.log.entries[-1].tone == "bad"
    waiting = [
        figure for figure in GAME.ui.multiplayer.standings(table.session.env, table.session.state, "AB") if figure.tone
    ]
    assert [figure.value for figure in waiting] == ["2 steps, skips 5"]
    assert any(mark.text == "-5" for mark in table.view.shown_marks)
    play(hands, "6")
    assert table.session.place == 1 and "car 1 skips 1 turn, 4 left" in log(table)[-1]


def test_undo_and_redo(hands):
    table = sit_down(hands)
    play(hands, "666")
    hands.press("u")
    assert table.session.moves == 2 and len(log(table)) == 2
    hands.press("y")
    assert table.session.moves == 3 and len(log(table)) == 3


def test_an_agent_moves_when_it_is_its_turn(hands):
    table = sit_down(hands, MIXED)
    hands.press("space")  # it waits
    hands.press("6")
    hands.press("6")  # too soon: it is not Ann's turn
    assert table.session.moves == 1 and "turn of greedy" in table.table.message.text
    hands.press("space")
    hands.until(lambda: table.session.moves == 2)
    assert table.session.waits_for is None and log(table)[1].startswith("2  greedy: step 1")
    hands.press("u")
    assert table.session.moves == 0  # its move is taken back with Ann's
    hands.press("space")
    assert "stopped" in table.table.message.text
    hands.press("6")
    hands.frames(10)
    assert table.session.moves == 1
    hands.press("space")
    hands.until(lambda: table.session.moves == 2)


def test_a_race_of_agents_runs_by_itself(hands):
    table = sit_down(hands, parse_players("greedy,Rob=optimal", "race"))
    ending = hands.until(lambda: isinstance(hands.app.screen, EndingScreen) and hands.app.screen, seconds=0.3)
    assert ending.lines[0].label == "Outcome"
    assert sorted(line.label.split(" ", 1)[1] for line in ending.lines[1:3]) == ["1 greedy", "2 Rob"]
    assert not any("record" in line.value for line in ending.lines)
    assert table.session.outcome == "finished"


def test_the_log_scrolls(hands):
    table = sit_down(hands, size=(640, 480))
    for _ in range(30):
        hands.press("5")
    box = table.display.log
    assert box.seen()[-1].text.startswith("30  ")
    before = hands.pixels(box.rect)
    hands.wheel(6)
    assert box.seen()[-1].text.startswith("24  ") and (hands.pixels(box.rect) != before).any()
    hands.press("5")
    assert box.seen()[-1].text.startswith("24  ")  # who reads is not disturbed
    hands.wheel(-99)
    assert box.seen()[-1].text.startswith("31  ")


# --- help


def test_a_hint_is_shown_on_the_board(hands):
    table = sit_down(hands)
    hands.press("p")
    hands.until(lambda: table.table.hints.marks)
    hands.frame()
    assert "right" in table.table.hints.text.lower()
    assert any(mark.text == "hint" for mark in table.view.shown_marks)
    play(hands, "6")
    assert not any(mark.text == "hint" for mark in table.view.shown_marks)  # it was Ann's


def test_the_ghost_of_the_best_run_is_switched_by_its_key_and_by_the_mouse(hands):
    table = sit_down(hands)
    hands.press("b")
    assert any(mark.text == "G" for mark in table.view.shown_marks)
    hands.click(button(table, "b"))
    assert not any(mark.text == "G" for mark in table.view.shown_marks)


# --- the end


def test_the_finish_the_results_and_the_replay(hands, tmp_path):
    table = sit_down(hands, size=(900, 640))
    play(hands, "666566455")
    ending = hands.until(lambda: isinstance(hands.app.screen, EndingScreen) and hands.app.screen)
    labels = {line.label: line.value for line in ending.lines}
    assert labels["1. 1 Ann"] == "4 steps" and labels["2. 2 Bob"] == "5 steps"
    assert labels["Your best"] == "4 steps (new record)"
    assert "finished in 5 steps, place 2" in log(table)[-1]
    hands.press("k")
    (saved,) = (tmp_path / "home" / "replays").glob("*.replay")
    assert "note.players: Ann=human,Bob=human" in saved.read_text()
    hands.press("v")
    viewer = hands.app.screen
    assert isinstance(viewer, ViewerScreen) and viewer.cursor.last == 9
    hands.press("right", "right", "right")
    assert viewer.cursor.place == 3
    lines = [mark for mark in viewer.view.shown_marks if mark.kind == "line"]
    assert len(lines) == 3 and {mark.colour for mark in lines if mark.strength == 1.0} == {colour_of(1)}
    words = [getattr(block, "text", "") for block in viewer.panel.blocks]
    assert "Ann: step 2, to 4,1, speed 2,0" in words
    hands.press("end")
    hands.settle()
    figures = {block.figure.label: block.figure.value for block in viewer.panel.blocks if hasattr(block, "figure")}
    assert "1. 1 Ann" in figures and figures["Result"] == "finished, 9 moves"


def test_a_replay_is_taken_over(hands):
    table = sit_down(hands)
    play(hands, "66")
    hands.press("v", "end", "t")
    mine = hands.app.screen
    assert isinstance(mine, TableScreen) and mine is not table
    hands.press("6")
    assert mine.session.moves == 3 and mine.session.players == PEOPLE


def test_the_next_track_has_the_same_players(hands, menu):
    hands.app.settings.players = "Ann=human,Bob=human"
    hands.press("return", "return")
    table = hands.until(lambda: isinstance(hands.app.screen, TableScreen) and hands.app.screen)
    hands.press("tab")
    assert table.session.board.name == "02-bend"
    assert [seat.name for seat in table.session.players] == ["Ann", "Bob"]
    hands.press("n")  # a random track
    assert table.session.board.seed is not None and len(table.session.players) == 2


@pytest.mark.parametrize("size", [(320, 240), (480, 640), (640, 480), (1600, 1000)])
def test_windows_of_every_size(hands, size):
    table = sit_down(hands, size=size)
    play(hands, "66")
    hands.press("o")
    hands.frame()
    hands.press("escape")
    assert table.view.area.height > 0 and table.session.moves == 2
    assert not table.view.area.colliderect(table.display.log.rect)
    if min(size) >= 480:
        hands.click(button(table, "6"))  # the nine buttons are the last to go
        assert table.session.moves == 3


def test_of_a_large_track_the_part_around_the_car_to_move_is_seen(hands):
    board = GAME.levels.read("16-grand-tour")
    table = hands.open(lambda app: TableScreen(app, Session(GAME, board, seed=1, players=(ANN,))), size=(640, 480))
    assert table.view.cell_size == 7 and table.view.board.width < 7 * board.level.track.cols
    for _ in range(40):
        car = table.session.state.cars[0, table.session.place]
        at = table.view.rect_of((int(car["row"]), int(car["col"])))
        assert table.view.area.contains(at) and table.view.cell_at(at.center) == (int(car["row"]), int(car["col"]))
        action = GAME.plan(table.session.env, table.session.state, time_limit=60.0).actions[0]
        legal = [choice.legal for choice in GAME.ui.multiplayer.move_buttons(table.session.env, table.session.state)]
        hands.press("789456123"[action if legal[action] else legal.index(True)])
    seen = hands.pixels(table.view.area)
    table.view.refresh()
    hands.frame()
    assert (hands.pixels(table.view.area) == seen).all()
    hands.resize((1600, 1000))
    assert table.view.board.width == table.view.cell_size * board.level.track.cols


# --- lines and dots on a board


def test_the_picture_does_not_depend_on_earlier_drawing(hands):
    """Lines lie over many cells: a board with marks that came one by one looks like one drawn at once."""
    table = sit_down(hands)
    rng = np.random.default_rng(3)
    marks = []
    for _ in range(24):
        row, col = int(rng.integers(4)), int(rng.integers(10))
        end = int(rng.integers(4)), int(rng.integers(10))
        colour = tuple(int(part) for part in rng.integers(256, size=3))
        strength = float(rng.choice([0.3, 0.6, 1.0]))
        marks.append(Mark("line", (row, col), colour, rows=end[0] - row, cols=end[1] - col, strength=strength))
        style = str(rng.choice(["", "small", "ring", "cross"]))
        marks.append(Mark("dot", end, colour, "5", strength=strength, style=style))
    surface = hands.app.surface

    def drawn(steps: list[list[Mark]]) -> np.ndarray:
        view = BoardView(GAME)
        view.area = table.view.area
        view.show(GAME.ui.drawing.scene(table.session.state))
        for given in steps:
            view.marks(given)
            view.draw(surface)
        return hands.pixels(view.board)

    at_once = drawn([marks])
    assert (drawn([marks[:n] for n in range(len(marks) + 1)]) == at_once).all()
    assert (drawn([marks, marks[:20], [], marks[30:], marks]) == at_once).all()
    assert (drawn([marks, []]) == drawn([[]])).all()
