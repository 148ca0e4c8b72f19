"""The race in the window, driven by events: players, moves by mouse and keyboard, penalties, the finish and replays."""

import numpy as np
import pygame
import pytest
from PIL import Image

from shoverworld.core.ui import Act, Board, Mark
from shoverworld.desktop.browser import BrowserScreen
from shoverworld.desktop.dialog import Ask
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
from shoverworld.play import unfinished
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.levels import LevelList
from shoverworld.play.players import Player, parse_players
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from tests.windows import WindowDriver, driver

__all__ = ["driver"]
GAME = game_named("race")
LANE = "##########\n#S.......F\n#S.......F\n##########"
ANN, BOB, GREEDY = Player("Ann"), Player("Bob"), Player("greedy", "greedy")
PEOPLE, MIXED = (ANN, BOB), (ANN, GREEDY)


def open_race(driver: WindowDriver, players=PEOPLE, text: str = LANE, **options) -> TableScreen:
    starts = ((1, 1), (1, 2))[: len(players)]
    board = Board("lane", "race", Grid(Track.parse(text, "lane"), starts), "The lane")
    return driver.open(lambda app: TableScreen(app, Session(GAME, board, players=players)), **options)


def play(driver: WindowDriver, keys: str) -> None:
    driver.press(*keys)


def button_position(table: TableScreen, key: str) -> tuple[int, int]:
    """Return the position of the button for a key."""
    rect = table.display.panel.rect
    for y in range(rect.top, rect.bottom, 3):
        for x in range(rect.left, rect.right, 3):
            if table.display.panel.key_at((x, y)) == key:
                return x + 4, y + 4
    raise AssertionError(f"there is no button for {key}")


def log(table: TableScreen) -> list[str]:
    return [entry.text for entry in table.display.log.entries]


# --- players


@pytest.fixture
def menu(driver):
    settings = Settings(game="race", board="01-straight")
    screen = driver.open(MenuScreen, settings=settings)
    assert isinstance(screen, MenuScreen)
    return screen


def test_players_are_added_by_name_before_the_race_starts(driver, menu):
    driver.press("return")
    players = driver.app.screen
    assert isinstance(players, PlayersScreen) and players.setup.board.name == "01-straight"
    assert [player.kind for player in players.setup.players] == ["human", "greedy"]  # the default players
    driver.press("delete", "delete")
    assert players.setup.players == []
    driver.press("return")
    assert driver.app.screen is players and "A game needs at least one driver" in players.status.text
    driver.click(players.name.rect.center)
    driver.type("Ann")
    driver.press("return")
    driver.type("Bob")
    driver.click(players.add.rect.center)
    driver.click(players.agents.row_rect(1).center)
    driver.click(players.add_ai.rect.center)
    assert players.setup.players == [Player("Ann"), Player("Bob"), Player("optimal", "optimal")]
    assert "3 of" in players.taken.text
    driver.click(players.buttons[0].rect.center)
    table = driver.until(lambda: isinstance(driver.app.screen, TableScreen) and driver.app.screen)
    assert [seat.name for seat in table.session.players] == ["Ann", "Bob", "optimal"]
    assert driver.app.settings.players == "Ann=human,Bob=human,optimal=optimal"


def test_the_number_of_players_is_limited_by_the_number_of_start_cells(driver):
    table = open_race(driver)
    driver.press("o")
    players = driver.app.screen
    assert isinstance(players, PlayersScreen)
    driver.press("a", "i", "i")
    assert len(players.setup.players) == 2 and "room for 2 drivers" in players.status.text
    driver.press("escape")
    assert driver.app.screen is table


def test_changing_the_players_restarts_the_race_on_the_same_screen(driver):
    table = open_race(driver)
    play(driver, "6")
    driver.press("o", "delete")
    driver.press("f1")
    assert isinstance(driver.app.screen, HelpScreen)
    driver.press("escape", "return")
    assert driver.app.screen is table
    assert len(table.session.players) == 1 and table.session.moves == 0


def test_the_players_screen_opens_first_if_the_players_are_not_given(driver):
    def first(app):
        board = Board("lane", "race", Grid(Track.parse(LANE, "lane")), "The lane")
        table = TableScreen(app, Session(GAME, board, players=MIXED))
        table.asks_first = True
        return table

    players = driver.open(first)
    assert isinstance(players, PlayersScreen) and players.setup.players == list(MIXED)
    driver.press("down", "delete", "return")
    table = driver.app.screen
    assert isinstance(table, TableScreen) and table.session.players == (ANN,)
    driver.press("o", "escape")
    assert driver.app.screen is table


@pytest.mark.parametrize("way", ["menu", "table"])
def test_an_unfinished_race_is_offered_before_the_players_are_chosen(driver, way):
    settings = Settings(game="race", board="01-straight")
    board = next(board for board in GAME.levels.boards() if board.name == "01-straight")
    left = Session(GAME, board, players=(ANN, BOB))
    left.do(Act(5))
    unfinished.keep(left)

    def first(app):
        table = TableScreen(app, Session(GAME, board, players=MIXED))
        table.asks_first = True
        return table

    for answer in ("n", "c"):
        if way == "menu":
            driver.open(MenuScreen, settings=settings)
            driver.press("return")
        else:
            driver.open(first)
        question = driver.app.screen
        assert isinstance(question, Ask) and question.text == f"You left a game on {board.title} after 1 move."
        driver.press(answer)
        if answer == "n":
            assert isinstance(driver.app.screen, PlayersScreen)
    table = driver.until(lambda: isinstance(driver.app.screen, TableScreen) and driver.app.screen)
    assert table.session.players == (ANN, BOB) and table.session.moves == 1


def test_the_watch_button_in_the_menu_starts_a_race_with_one_agent(driver, menu):
    driver.press("w")
    table = driver.until(lambda: isinstance(driver.app.screen, TableScreen) and driver.app.screen)
    driver.until(lambda: table.session.moves >= 2)
    assert table.session.helpers == ["greedy"] and len(table.session.players) == 1


# --- moves


def test_digits_and_the_number_pad_and_the_mouse_and_buttons_move_the_car(driver):
    table = open_race(driver)
    driver.press("6")  # Ann moves with the number row
    assert table.session.place == 1
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_KP6, mod=0, unicode="6", scancode=94))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_KP6, mod=0, unicode="6", scancode=94))
    driver.frame()  # Bob moves with the number pad
    assert table.session.moves == 2
    driver.click(table.view.rect_of((1, 4)).center)  # Ann
    assert [int(col) for col in table.session.state.cars["col"][0]] == [4, 2]
    driver.click(button_position(table, "6"))  # Bob
    assert [int(col) for col in table.session.state.cars["col"][0]] == [4, 4]
    driver.press("right")
    assert table.session.moves == 5
    assert log(table)[0] == "1  Ann: step 1, to 2,1, speed 1,0" and len(log(table)) == 5


def test_the_number_pad_works_without_num_lock(driver):
    """Without Num Lock, the keys of the number pad produce no text. They have names such as "[6]"."""
    table = open_race(driver)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_KP6, mod=0, unicode="", scancode=94))
    driver.frame()
    assert table.session.moves == 1


def test_the_nine_possible_next_cells_are_shown_and_illegal_ones_are_marked(driver):
    table = open_race(driver, size=(900, 640))
    legal, plain = (driver.pixels(table.view.rect_of(cell)) for cell in ((1, 2), (1, 6)))
    illegal, sand = (driver.pixels(table.view.rect_of((0, col))) for col in (1, 6))

    def near(pixels: np.ndarray, colour: tuple[int, int, int]) -> int:
        return int((np.abs(pixels.astype(int) - colour).max(axis=-1) < 10).sum())

    assert near(legal, colour_of(0)) > 100 > near(plain, colour_of(0))
    assert (illegal != sand).any(axis=-1).sum() > 100
    play(driver, "6")
    assert near(driver.pixels(table.view.rect_of((2, 2))), colour_of(1)) > 100  # now the cells are Bob's


def test_the_cell_under_the_pointer_is_described(driver):
    table = open_race(driver)
    driver.point(table.view.rect_of((2, 2)).center)
    assert table.table.message.text.startswith("Click to drive down-right (3)")
    driver.point(table.view.rect_of((0, 2)).center)
    assert "illegal, the move lands off the track" in table.table.message.text


def test_an_illegal_move_needs_confirmation_and_incurs_a_penalty(driver):
    table = open_race(driver)
    play(driver, "66")
    driver.press("8")
    assert table.session.moves == 2 and "choose it again" in table.table.message.text
    driver.press("8")
    assert table.session.moves == 3
    assert "skips 5 turns" in table.table.message.text and table.display.line.colour != (232, 234, 238)
    assert table.display.log.entries[-1].tone == "bad"
    waiting = [
        figure for figure in GAME.ui.multiplayer.standings(table.session.env, table.session.state, "AB") if figure.tone
    ]
    assert [figure.value for figure in waiting] == ["2 steps, skips 5"]
    assert any(mark.text == "-5" for mark in table.view.shown_marks)
    play(driver, "6")
    assert table.session.place == 1 and "car 1 skips 1 turn, 4 left" in log(table)[-1]


def test_undo_and_redo_update_the_moves_and_the_log(driver):
    table = open_race(driver)
    play(driver, "666")
    driver.press("u")
    assert table.session.moves == 2 and len(log(table)) == 2
    driver.press("y")
    assert table.session.moves == 3 and len(log(table)) == 3


def test_an_agent_moves_on_its_turn(driver):
    table = open_race(driver, MIXED)
    driver.press("space")  # pause the agent
    driver.press("6")
    driver.press("6")  # ignored, because it is not Ann's turn
    assert table.session.moves == 1 and "It is greedy's turn" in table.table.message.text
    driver.press("space")
    driver.until(lambda: table.session.moves == 2)
    assert table.session.waits_for is None and log(table)[1].startswith("2  greedy: step 1")
    driver.press("u")
    assert table.session.moves == 0  # the agent's move is undone together with Ann's
    driver.press("space")
    assert "stopped" in table.table.message.text
    driver.press("6")
    driver.frames(10)
    assert table.session.moves == 1
    driver.press("space")
    driver.until(lambda: table.session.moves == 2)


def test_a_race_between_agents_runs_without_input(driver):
    table = open_race(driver, parse_players("greedy,Rob=optimal", "race"))
    ending = driver.until(lambda: isinstance(driver.app.screen, EndingScreen) and driver.app.screen, seconds=0.3)
    assert ending.lines[0].label == "Outcome"
    assert sorted(line.label.split(" ", 1)[1] for line in ending.lines[1:3]) == ["Rob", "greedy"]
    assert not any("record" in line.value for line in ending.lines)
    assert table.session.outcome == "finished"


def test_the_log_scrolls_with_the_wheel(driver):
    table = open_race(driver, size=(640, 480))
    for _ in range(30):
        driver.press("5")
    box = table.display.log
    assert box.seen()[-1].text.startswith("30  ")
    before = driver.pixels(box.rect)
    driver.wheel(6)
    assert box.seen()[-1].text.startswith("24  ") and (driver.pixels(box.rect) != before).any()
    driver.press("5")
    assert box.seen()[-1].text.startswith("24  ")  # a new entry does not scroll the log back to the end
    driver.wheel(-99)
    assert box.seen()[-1].text.startswith("31  ")


# --- help


def test_a_hint_is_shown_on_the_board(driver):
    table = open_race(driver)
    driver.press("p")
    driver.until(lambda: table.table.hints.marks)
    driver.frame()
    assert "right" in table.table.hints.text.lower()
    assert any(mark.text == "hint" for mark in table.view.shown_marks)
    play(driver, "6")
    assert not any(mark.text == "hint" for mark in table.view.shown_marks)  # the hint was for Ann's move


def test_a_key_and_the_mouse_toggle_the_ghost_of_the_best_run(driver):
    table = open_race(driver)
    driver.press("b")
    assert any(mark.text == "G" for mark in table.view.shown_marks)
    driver.click(button_position(table, "b"))
    assert not any(mark.text == "G" for mark in table.view.shown_marks)


def test_the_best_run_has_its_own_colour(driver):
    table = open_race(driver)
    driver.press("b")
    ghost = next(mark.colour for mark in table.view.shown_marks if mark.text == "G")
    lines = {mark.colour for mark in table.view.shown_marks if mark.kind == "line"}
    assert ghost in lines
    for car in range(24):
        far = sum((one - two) ** 2 for one, two in zip(ghost, colour_of(car), strict=True)) ** 0.5
        assert far > 80, f"car {car + 1} has a similar colour"


@pytest.mark.parametrize("rotated", [False, True])
def test_a_long_track_uses_the_full_width_or_height_of_the_window(driver, rotated):
    """A wide track uses the whole width, above the panel; a tall track uses the whole height, beside the log."""
    draft = GAME.ui.editor.draft_of(GAME.levels.read("06-chicanes"))
    board = (draft.rotated() if rotated else draft).board("race", "long")
    session = Session(GAME, board, players=[Player("Ann"), Player("Bob")])
    table = driver.open(lambda app: TableScreen(app, session), size=(1280, 800))
    area, panel, log = table.view.area, table.display.panel.rect, table.display.log.rect
    if rotated:
        assert area.height > 740 and log.left >= area.right and panel.left >= log.right
    else:
        assert area.width > 1260 and panel.top >= area.bottom and log.left >= panel.right
    assert table.view.board.width > 0.95 * area.width or table.view.board.height > 0.9 * area.height
    assert not any(rect.colliderect(other) for rect, other in ((area, panel), (area, log), (panel, log)))


def test_the_layout_adapts_to_the_shape_of_the_next_track(driver):
    levels = LevelList(GAME, "", Records())
    session = Session(GAME, levels.boards[1], players=[Player("Ann")])
    table = driver.open(lambda app: TableScreen(app, session, levels=levels), size=(1280, 800))
    assert table.display.panel.rect.left >= table.view.area.right
    driver.press("tab", shift=True)  # the straight track, which is 6 x 40
    assert table.session.board.name == "01-straight"
    assert table.display.panel.rect.top >= table.view.area.bottom
    seen = driver.pixels()
    driver.app.refresh()
    driver.frame()
    assert (seen == driver.pixels()).all(), "nothing of the old layout is left"


# --- the end


def test_the_end_screen_shows_the_results_and_can_open_the_replay(driver, tmp_path):
    table = open_race(driver, size=(900, 640))
    play(driver, "666566455")
    ending = driver.until(lambda: isinstance(driver.app.screen, EndingScreen) and driver.app.screen)
    labels = {line.label: line.value for line in ending.lines}
    assert labels["1. Ann"] == "4 steps" and labels["2. Bob"] == "5 steps"
    assert labels["Your best"] == "4 steps (new record)"
    assert "finished in 5 steps, place 2" in log(table)[-1]
    driver.press("k")
    (saved,) = (tmp_path / "home" / "replays").glob("*.replay")
    assert "note.players: Ann=human,Bob=human" in saved.read_text()
    driver.press("v")
    viewer = driver.app.screen
    assert isinstance(viewer, ViewerScreen) and viewer.cursor.last == 9
    driver.press("right", "right", "right")
    assert viewer.cursor.place == 3
    lines = [mark for mark in viewer.view.shown_marks if mark.kind == "line"]
    assert len(lines) == 3 and {mark.colour for mark in lines if mark.strength == 1.0} == {colour_of(1)}
    words = [getattr(block, "text", "") for block in viewer.panel.blocks]
    assert "Ann: step 2, to 4,1, speed 2,0" in words
    driver.press("end")
    driver.settle()
    figures = {block.figure.label: block.figure.value for block in viewer.panel.blocks if hasattr(block, "figure")}
    assert "1. Ann" in figures and figures["Result"] == "finished, 9 moves"


def test_a_game_can_continue_from_a_replay(driver):
    table = open_race(driver)
    play(driver, "66")
    driver.press("v", "end", "t")
    mine = driver.app.screen
    assert isinstance(mine, TableScreen) and mine is not table
    driver.press("6")
    assert mine.session.moves == 3 and mine.session.players == PEOPLE


def test_the_next_track_keeps_the_players(driver, menu):
    driver.app.settings.players = "Ann=human,Bob=human"
    driver.press("return", "return")
    table = driver.until(lambda: isinstance(driver.app.screen, TableScreen) and driver.app.screen)
    driver.press("tab")
    assert table.session.board.name == "02-bend"
    assert [seat.name for seat in table.session.players] == ["Ann", "Bob"]
    driver.press("n")  # open a random track
    assert table.session.board.seed is not None and len(table.session.players) == 2


@pytest.mark.parametrize("size", [(320, 240), (480, 640), (640, 480), (1600, 1000)])
def test_the_layout_adapts_to_any_window_size(driver, size):
    table = open_race(driver, size=size)
    play(driver, "66")
    driver.press("o")
    driver.frame()
    driver.press("escape")
    assert table.view.area.height > 0 and table.session.moves == 2
    assert not table.view.area.colliderect(table.display.log.rect)
    if min(size) >= 480:
        driver.click(button_position(table, "6"))  # the nine buttons are still visible
        assert table.session.moves == 3


def test_a_large_track_scrolls_to_the_car_whose_turn_it_is(driver):
    board = GAME.levels.read("16-grand-tour")
    table = driver.open(lambda app: TableScreen(app, Session(GAME, board, seed=1, players=(ANN,))), size=(640, 480))
    assert table.view.cell_size == 7 and table.view.board.width < 7 * board.level.track.cols
    for _ in range(40):
        car = table.session.state.cars[0, table.session.place]
        at = table.view.rect_of((int(car["row"]), int(car["col"])))
        assert table.view.area.contains(at) and table.view.cell_at(at.center) == (int(car["row"]), int(car["col"]))
        action = GAME.plan(table.session.env, table.session.state, time_limit=60.0).actions[0]
        legal = [choice.legal for choice in GAME.ui.multiplayer.move_buttons(table.session.env, table.session.state)]
        driver.press("789456123"[action if legal[action] else legal.index(True)])
    seen = driver.pixels(table.view.area)
    table.view.refresh()
    driver.frame()
    assert (driver.pixels(table.view.area) == seen).all()
    driver.resize((1600, 1000))
    assert table.view.board.width == table.view.cell_size * board.level.track.cols


# --- lines and dots on a board


def test_the_picture_does_not_depend_on_what_was_drawn_before(driver):
    """Lines cross many cells. Marks that are drawn one by one look the same as marks that are drawn together."""
    table = open_race(driver)
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
    surface = driver.app.surface

    def drawn(steps: list[list[Mark]]) -> np.ndarray:
        view = BoardView(GAME)
        view.area = table.view.area
        view.show(GAME.ui.drawing.scene(table.session.state))
        for given in steps:
            view.marks(given)
            view.draw(surface)
        return driver.pixels(view.board)

    at_once = drawn([marks])
    assert (drawn([marks[:n] for n in range(len(marks) + 1)]) == at_once).all()
    assert (drawn([marks, marks[:20], [], marks[30:], marks]) == at_once).all()
    assert (drawn([marks, []]) == drawn([[]])).all()


def test_the_error_for_a_picture_in_other_colours_gives_the_number_of_pixels_of_each_colour(driver, tmp_path):
    pixels = Track.parse("######\n#S..F#\n#S..F#\n######").to_image()
    swapped = pixels.copy()
    swapped[(pixels == (0, 255, 0)).all(axis=2)] = 255, 255, 255  # the track is white, and the finish is blue
    swapped[(pixels == (255, 255, 255)).all(axis=2)] = 0, 0, 255
    swapped[(pixels == (0, 0, 255)).all(axis=2)] = 0, 255, 0
    Image.fromarray(swapped).save(tmp_path / "other.png")
    menu = driver.open(MenuScreen)
    driver.drop(tmp_path / "other.png")
    assert driver.app.screen is menu and "16 red, 4 white, 2 green and 2 blue pixels" in menu.status.text
    driver.open(lambda app: BrowserScreen(app, LevelBrowser(LevelList(GAME)), lambda *_: None))
    driver.drop(tmp_path / "other.png")
    assert "16 red, 4 white, 2 green and 2 blue pixels" in driver.app.note
