"""Sokoban in the window: choosing the game, browsing a collection, and playing by keys and by mouse."""

from pathlib import Path

import pygame
import pytest
from pygame import Rect

from shoverworld.core.errors import ConfigError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act
from shoverworld.desktop.browser import BrowserScreen
from shoverworld.desktop.editor import EditorScreen
from shoverworld.desktop.ending import EndingScreen
from shoverworld.desktop.level_grid import draw_tick
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.viewer import ViewerScreen
from shoverworld.games import game_named
from shoverworld.play.edit_session import EditSession, editor_of
from shoverworld.play.levels import LevelList
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.sokoban import read_levels
from tests.windows import Hands, changed_pixels, hands

__all__ = ["hands"]
GAME = game_named("sokoban")
LEVELS = """; The first
######
#@ $.#
######

; Two boxes
#######
#  .  #
# $@$ #
#  .  #
#######

; A long way
########
#@     #
# #### #
#   $. #
########
"""


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text(LEVELS)
    return path


def seated(app, levels: Path, at: int = 0) -> TableScreen:
    shelf = LevelList(GAME, str(levels), app.records)
    return TableScreen(app, Session(GAME, shelf.boards[at]), None, False, "", shelf)


@pytest.fixture
def table(hands: Hands, levels: Path) -> TableScreen:
    return hands.open(lambda app: seated(app, levels), settings=Settings(game="sokoban"))


def cell(table: TableScreen, row: int, col: int) -> tuple[int, int]:
    return table.view.rect_of((row, col)).center


def board(table: TableScreen) -> str:
    lines = table.session.env.map_text().splitlines()
    return "\n".join(line for line in lines if line.startswith("#"))


def ended(hands: Hands) -> dict[str, str]:
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    return {line.label: line.value for line in hands.app.screen.lines}


def browsed(hands: Hands, levels: Path) -> BrowserScreen:
    menu = hands.open(MenuScreen, settings=Settings(game="sokoban", collection=str(levels)))
    hands.press("b")
    assert isinstance(hands.app.screen, BrowserScreen) and menu in hands.app.screens
    return hands.app.screen


# --- the menu


def test_the_game_is_chosen_by_its_tab_or_by_a_key(hands):
    menu = hands.open(MenuScreen)
    assert [tab.text for tab in menu.games] == ["Shover-World", "Sokoban", "Grid race"] and menu.games[0].on
    hands.press("down", "down")
    shover = menu.maps.value
    hands.click(menu.games[1].rect.center)
    menu = hands.app.screen
    assert menu.game is GAME and menu.title.text == "Sokoban" and menu.games[1].on
    assert [item.value for item in menu.rules.items] == ["", "sokoban", "pull", "fixed", "two"]
    assert [item.value for item in menu.agents.items] == list(GAME.agent_names)
    assert GAME.levels.collections()[0].title in menu.collection.text and "solved" in menu.collection.text
    hands.press("down", "g")
    assert hands.app.screen.game.name == "race"
    hands.press("g")
    menu = hands.app.screen
    assert menu.game.name == "shover" and menu.maps.value == shover, "as it was left"


def test_dropping_a_collection_opens_its_game(hands, levels):
    hands.open(MenuScreen)
    hands.drop(levels)
    menu = hands.app.screen
    assert menu.game is GAME and menu.collection.text == "three · 0 of 3 solved"
    assert [item.text for item in menu.maps.items][1:] == ["1  The first", "2  Two boxes", "3  A long way"]
    assert "3 levels" in menu.status.text and menu.maps.value == "three#1"
    hands.press("n")
    assert menu.maps.value == "three#2", "the next that is not solved"
    assert Settings.load()[0].collection == "" and hands.app.settings.collection == str(levels)


def test_what_no_game_can_read_names_both_reasons(hands, tmp_path):
    menu = hands.open(MenuScreen)
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    hands.drop(tmp_path / "poem.txt")
    assert "for Shover-World" in menu.status.text and "for Sokoban" in menu.status.text
    assert hands.app.screen is menu


def test_one_level_alone_is_added_to_the_list(hands, tmp_path):
    (tmp_path / "one.xsb").write_text("#####\n#@$.#\n#####\n")
    hands.open(MenuScreen)
    hands.drop(tmp_path / "one.xsb")
    menu = hands.app.screen
    assert menu.game is GAME and menu.maps.value == str(tmp_path / "one.xsb")
    hands.press("return")
    hands.until(lambda: isinstance(hands.app.screen, TableScreen))
    hands.press("right")
    assert ended(hands)["Pushes"] == "1"


def test_a_random_level(hands):
    menu = hands.open(MenuScreen, settings=Settings(game="sokoban", board="random", seed=3))
    hands.until(lambda: not menu.waiting)
    assert "3" in menu.about.text
    hands.press("return")
    hands.until(lambda: isinstance(hands.app.screen, TableScreen))
    assert hands.app.screen.session.board.seed == 3
    hands.press("n")
    assert hands.app.screen.session.board.seed == 4


# --- the browser


def test_the_browser_shows_every_level_and_plays_the_chosen_one(hands, levels):
    screen = browsed(hands, levels)
    assert screen.title.text == "three" and screen.count.text == "0 of 3 solved"
    assert screen.grid.items == [0, 1, 2] and screen.grid.value == 0
    hands.press("right")
    assert (
        screen.grid.value == 1 and "Two boxes · 2 of 3" in screen.status.text and "not solved yet" in screen.status.text
    )
    pictures = {bytes(hands.pixels(screen.grid.row_rect(at).inflate(-40, -60)).data) for at in range(3)}
    assert len(pictures) == 3, "each has its picture"
    hands.click(screen.grid.row_rect(2).center)
    assert screen.grid.value == 2
    hands.press("return")
    hands.until(lambda: isinstance(hands.app.screen, TableScreen))
    table = hands.app.screen
    hands.until(lambda: table.display.panel.blocks)  # drawn in the next frame
    assert table.session.board.title == "A long way" and table.display.panel.blocks[0].below.startswith("three, 3 of 3")


def test_solved_levels_have_a_tick_and_the_best_result(hands, levels):
    table = hands.open(lambda app: seated(app, levels), settings=Settings(game="sokoban"))
    hands.press("right", "right")
    ended(hands)
    hands.press("l")
    screen = hands.app.screen
    assert isinstance(screen, BrowserScreen) and screen.count.text == "1 of 3 solved"
    hands.press("left")
    assert "your best: 1 push, 2 moves" in screen.status.text
    mark = pygame.Surface((22, 22))
    draw_tick(mark, 11, 11)
    first = screen.grid.row_rect(0)
    corner = hands.pixels(Rect(first.right - 30, first.top + 8, 22, 22))
    green = tuple(mark.get_at((11, 3)))[:3]
    assert (corner == green).all(axis=2).sum() > 100, "a tick"
    hands.press("n")
    assert screen.grid.value == 1
    hands.press("return")
    assert hands.app.screen is table and table.session.board.title == "Two boxes", (
        "back at the table, without an ending"
    )


def test_levels_are_found_by_number_and_title(hands, levels):
    screen = browsed(hands, levels)
    hands.press("/")
    hands.type("long")
    assert screen.grid.items == [2]
    hands.type("est")
    assert screen.grid.items == [] and screen.status.text == "No level matches."
    hands.press("return")
    assert hands.app.screen is screen, "there is nothing to be played"
    hands.press("escape")
    assert screen.grid.items == [0, 1, 2] and screen.form.focused is screen.grid
    hands.press("f")
    hands.type("2")
    hands.press("return")
    hands.until(lambda: isinstance(hands.app.screen, TableScreen))
    assert hands.app.screen.session.board.title == "Two boxes"


@pytest.mark.parametrize("key", ["/", "f"])
def test_the_key_that_leads_to_the_search_is_not_searched_for(hands, levels, key):
    screen = browsed(hands, levels)
    hands.key(key, text=key)  # as a real keyboard does it: the key, and the letter it writes
    hands.frame()
    assert screen.form.focused is screen.search and screen.search.text == ""
    hands.key("2", text="2")
    hands.frame()
    assert screen.search.text == "2" and screen.grid.items == [1]
    hands.key(key, text=key)  # now it is a letter
    hands.frame()
    assert screen.search.text == f"2{key}"


def test_other_collections_by_key_path_and_drop(hands, levels, tmp_path):
    screen = browsed(hands, levels)
    known = [one.name for one in GAME.levels.collections()]
    hands.press("]")
    assert screen.browser.levels.name == known[0]
    hands.press("[")
    assert screen.browser.levels.name == str(levels)
    other = tmp_path / "other.txt"
    other.write_text(LEVELS.split("; A long")[0])
    hands.drop(other)
    assert screen.browser.levels.name == str(other) and len(screen.browser.levels) == 2
    hands.click(screen.path.rect.center)
    hands.type(str(levels))
    hands.press("return")
    assert screen.browser.levels.name == str(levels)
    hands.drop(tmp_path)  # a folder
    assert len(screen.browser.levels) == 5
    before = screen.browser.levels.name
    hands.drop(tmp_path / "nothing.txt")
    assert screen.browser.levels.name == before and "nothing.txt" in hands.app.note
    hands.press("escape")
    assert isinstance(hands.app.screen, MenuScreen)


def test_a_thousand_levels_are_drawn_only_where_they_are_seen(hands, tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("\n".join(f"; Level {n}\n######\n#@$.{' ' if n % 2 else '#'}#\n######\n" for n in range(1000)))
    menu = hands.open(MenuScreen, settings=Settings(game="sokoban", collection=str(path)))
    assert len(menu.maps.items) == 1001 and len(menu.levels.thumbnails) < 30
    hands.press("b")
    screen = hands.app.screen
    hands.press("end")
    assert screen.grid.value == 999 and len(screen.grid.thumbnails) < 100
    hands.press("page up", "home", "down")
    assert screen.grid.value == screen.grid.columns
    hands.point(screen.grid.rect.center)
    hands.wheel(-3)
    assert screen.grid.scroll == 3 * screen.grid.row_height
    hands.wheel(1000)
    assert screen.grid.scroll == 0


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1100, 750), (1600, 1000), (500, 900)])
def test_everything_in_the_browser_has_its_place(hands, levels, size):
    menu = hands.open(MenuScreen, size=size, settings=Settings(game="sokoban", collection=str(levels)))
    menu.browse()
    hands.frame()
    screen = hands.app.screen
    rects = [widget.rect for widget in screen.form.widgets if widget.rect.width and widget.rect.height]
    assert all(Rect(0, 0, *size).contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    assert screen.grid.rect.height > 40


# --- the table


def test_a_level_is_played_to_its_end_by_keys_and_the_next_follows(table, hands):
    assert board(table) == "######\n#@ $.#\n######"
    hands.press("left")
    assert "wall" in table.table.message.text.lower() and table.session.moves == 0, "what is blocked costs nothing"
    hands.press("right", "u")
    assert table.session.moves == 0
    hands.press("y", "right")
    told = ended(hands)
    assert (told["Pushes"], told["Moves"]) == ("1", "2") and told["Your best"] == "1 push, 2 moves (new record)"
    assert told["three"] == "1 of 3 solved"
    assert Records.load()[0].best(table.session.identity).words == "1 push, 2 moves"
    hands.press("return")
    assert hands.app.screen is table and table.session.board.title == "Two boxes"
    assert hands.app.settings.board == "three#2"
    hands.press("tab")
    assert table.session.board.title == "A long way"
    hands.press("tab", "tab")
    assert table.session.board.title == "Two boxes", "in a circle"
    hands.press("j")
    assert table.session.board.title == "A long way", "the next that is not solved"
    hands.press("j")
    assert table.session.board.title == "Two boxes", "the first is solved"


def test_a_walk_by_the_mouse_is_one_move(table, hands):
    hands.press("tab", "tab")
    assert table.session.board.title == "A long way"
    start = board(table)
    hands.click(cell(table, 3, 3))
    assert table.session.moves == 2 + 2 and board(table) != start, "down and along the corridor"
    hands.press("u")
    assert table.session.moves == 0 and board(table) == start, "taken back as one"
    hands.press("y")
    assert table.session.moves == 4
    hands.press("r")
    hands.click(cell(table, 3, 4))  # the box
    assert "selected" in table.table.message.text
    hands.click(cell(table, 3, 5))  # its target
    assert table.session.score is not None
    told = ended(hands)
    assert told["Pushes"] == "1" and "record" in told["Your best"]
    hands.click(next(b for b in hands.app.screen.form.widgets if b.text == "Undo").rect.center)
    assert table.session.moves == 0 and hands.app.screen is table


def test_a_walk_is_seen_step_by_step_and_any_key_ends_it(hands, levels):
    table = hands.open(lambda app: seated(app, levels, 2), animation=True, settings=Settings(game="sokoban"))
    hands.click(cell(table, 3, 3))
    assert table.session.moves == 1 and len(table.table.way) == 3
    hands.until(lambda: not table.table.way)
    assert table.session.moves == 4
    hands.press("u")
    hands.settle()
    hands.click(cell(table, 3, 3))
    assert table.session.moves == 1
    hands.press("u")
    assert table.table.way == [] and table.session.moves == 0, "all of it was made, and taken back"
    hands.click(cell(table, 3, 3))
    hands.press("right")
    assert table.session.moves == 5 and table.session.score is not None


def test_a_hint_and_the_plan_ahead(table, hands):
    hands.press("tab")
    plans = next(overlay.key for overlay in GAME.ui.overlays.overlays if overlay.plans)
    hands.press("p")
    hands.until(lambda: table.table.hints.plan is not None and table.table.hints.plan.actions)
    assert "first of" in table.table.hints.text and table.table.hints.marks
    before = hands.pixels(table.view.area)
    hands.press(plans)
    hands.frame()
    assert changed_pixels(before, hands.pixels(table.view.area)).any()
    assert "moves to go" in table.table.hints.plan_ahead
    for action in list(table.table.hints.plan.actions):
        assert table.table.hints.plan is not None and table.table.hints.plan.actions[0] == action, (
            "whoever follows it keeps it"
        )
        table.table.play(Act(action))
    told = ended(hands)
    assert "hint" in told["Help from"] and "Your best" not in told


def test_every_overlay_is_seen(table, hands):
    hands.press("tab")
    plain = hands.pixels(table.view.area)
    for overlay in GAME.ui.overlays.overlays:
        if not overlay.plans:
            hands.press(overlay.key)
            hands.frame()
            assert changed_pixels(plain, hands.pixels(table.view.area)).any(), overlay.name
            hands.press(overlay.key)
            hands.frame()


def test_the_agent_plays(hands, levels):
    table = hands.open(lambda app: seated(app, levels, 1), settings=Settings(game="sokoban", speed=64.0))
    hands.press("space")
    hands.until(lambda: table.session.score is not None)
    assert table.session.helpers == ["planner"]


def test_the_help_is_of_this_game(table, hands):
    hands.press("f1")
    said = str(hands.app.screen.sections)
    assert "Sokoban" in hands.app.screen.title and "walk or push" in said and "stamina" not in said.lower()


# --- replays


def test_a_game_is_watched_scrubbed_and_taken_over(table, hands):
    hands.press("tab", "left")
    hands.press("right", "right", "k", "v")
    viewer = hands.app.screen
    assert isinstance(viewer, ViewerScreen) and viewer.cursor.last == 3
    hands.press("end")
    assert viewer.cursor.place == 3
    hands.press("home", "right")
    assert viewer.cursor.place == 1
    line = viewer.transport.timeline
    hands.drag((line.x_of(1), line.rect.bottom - 9), (line.x_of(3), line.rect.bottom - 9))
    assert viewer.cursor.place == 3
    hands.press("home", "right", "t")
    taken = hands.app.screen
    assert isinstance(taken, TableScreen) and taken.session.moves == 1 and taken.session.helpers == ["replay"]
    saved = list((Path(hands.app.screenshot()).parent.parent / "replays").glob("*.replay"))
    assert len(saved) == 1
    assert Replay.read(saved[0]).steps == 3


def test_the_timeline_marks_boxes_that_come_home_and_leave(hands, levels):
    hands.open(lambda app: seated(app, levels, 1), settings=Settings(game="sokoban"))
    hands.press("up", "v")
    assert hands.app.screen.cursor.markers == []
    hands.press("escape", "u")
    table = hands.app.screen
    hands.press("tab")
    while table.session.board.title != "The first":
        hands.press("tab")
    hands.press("right", "right")
    ended(hands)
    hands.press("v")
    assert [kind for _, kind in hands.app.screen.cursor.markers] == ["goal", "end"]


# --- the editor


def test_a_level_is_drawn_saved_and_played(hands, tmp_path):
    drawing = EditSession.blank(GAME)
    path = tmp_path / "mine.xsb"
    screen = hands.open(lambda app: EditorScreen(app, drawing), settings=Settings(game="sokoban"))
    keys = {brush.name.lower(): brush.key for brush in editor_of(GAME).brushes}
    assert {"wall", "box", "target", "player"} <= set(keys)
    screen.edit.change(lambda draft: draft.resized(3, 6))

    def paint(brush: str, *cells: tuple[int, int]) -> None:
        hands.press(keys[brush])
        for at in cells:
            hands.click(screen.view.rect_of(at).center)

    paint("wall", *[(row, col) for row in range(3) for col in range(6) if row != 1 or col in (0, 5)])
    paint("floor", *[(1, col) for col in range(1, 5)])
    paint("player", (1, 1))
    paint("box", (1, 3))
    assert any(problem.serious for problem in drawing.problems()), "a target is missing"
    paint("target", (1, 4))
    assert not any(problem.serious for problem in drawing.problems())
    hands.press("p")
    hands.until(lambda: "Solving" not in screen.solver.text)
    assert screen.solver.text == "The level can be solved: 1 push, 2 moves; no plan is better."
    drawing.save(str(path))
    (level,) = read_levels(path)
    assert level.lines() == ["######", "#@ $.#", "######"]
    hands.press("t")
    table = hands.app.screen
    assert isinstance(table, TableScreen)
    hands.press("right", "right")
    assert ended(hands)["Pushes"] == "1"


def test_a_level_of_a_collection_is_never_written_over_it(table, hands, levels):
    hands.press("tab", "e")
    editor = hands.app.screen
    assert isinstance(editor, EditorScreen) and editor.edit.path is None
    assert editor.edit.name.startswith("three")


def drawing_of(path: object = None, game: str | None = None, **options: str) -> EditSession:
    """What `shover edit` would show."""
    from argparse import Namespace

    from shoverworld.commands.edit import drawing_for

    given = None if path is None else str(path)
    return drawing_for(Namespace(map=given, game=game, rules=options.get("rules"), format=options.get("format")))


def test_edit_finds_out_which_game_a_file_is_of(levels, tmp_path):
    assert drawing_of().game.name == "shover" and drawing_of(game="sokoban").game is GAME
    assert drawing_of(f"{levels}#2").draft.rows == 5
    new = drawing_of(tmp_path / "new.xsb")
    assert new.game is GAME and new.path == str(tmp_path / "new.xsb")
    assert drawing_of(tmp_path / "new.txt").game.name == "shover"
    (tmp_path / "one.txt").write_text("#####\n#@$.#\n#####\n")
    one = drawing_of(tmp_path / "one.txt")
    assert one.game is GAME and one.path == str(tmp_path / "one.txt")
    with pytest.raises(ConfigError, match=r"three.txt has 3 levels: name one of them, as in .*three.txt#1"):
        drawing_of(levels)
    with pytest.raises(ConfigError, match="format='Z'"):
        drawing_of(game="sokoban", format="Z")


def test_rules_that_do_not_fit_a_level_are_reported_in_the_menu(hands, levels):
    hands.open(MenuScreen, settings=Settings(game="sokoban", collection=str(levels), preset="two"))
    hands.press("return")
    hands.until(lambda: isinstance(hands.app.screen, MenuScreen) and hands.app.screen.status.text)
    assert "one player" in hands.app.screen.status.text and "two" in hands.app.screen.status.text
