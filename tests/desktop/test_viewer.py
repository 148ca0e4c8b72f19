"""The replay viewer, driven by events: every key, the mouse on the timeline, and saved videos."""

import time

import numpy as np
import pygame
import pytest
from PIL import Image

from shoverworld import bundled
from shoverworld.core.replay import Replay
from shoverworld.desktop import theme
from shoverworld.desktop.dialog import Ask
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.markers import MARKERS, Legend, draw_marker
from shoverworld.desktop.panel import Heading, Keys, Line
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.viewer import AHEAD, FAR, STEP_SECONDS, ViewerScreen
from shoverworld.games import game_named
from shoverworld.games.shover.tiles import PLAIN_BOX
from shoverworld.play import film
from shoverworld.play.pictures import RULER
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.settings import NO_OVERLAYS, Settings
from tests.windows import PATIENCE, changed_pixels, driver, game  # noqa: F401

ENV = "shoverworld/ShoverWorld-v0"
GAME = game_named("shover")
BOARD = """A.BB.
..BB.
....L
.B...
"""
UP, RIGHT, DOWN, LEFT, BARRIER = 1, 2, 3, 4, 5
MOVES = [
    (3, 1, RIGHT),
    (3, 2, RIGHT),
    (3, 3, RIGHT),
    (0, 1, LEFT),
    (2, 4, LEFT),  # an invalid move, because the cell is lava
    (3, 4, UP),  # the box burns
    ("place", 3, 0),
    (0, 0, BARRIER),  # the square becomes barriers, and no box is left
]


def replay(path, moves=MOVES, board=BOARD, **more) -> Replay:
    Replay.of(ENV, moves, map=board, player="ann", **more).write(path)
    return Replay.read(path)


@pytest.fixture
def viewer(driver, tmp_path):  # noqa: F811
    """Open the viewer on a replay. `viewer.driver` controls the window."""
    cursor = ReplayCursor(replay(tmp_path / "game.replay"))
    screen = driver.open(lambda app: ViewerScreen(app, cursor), settings=Settings(overlays=NO_OVERLAYS))
    screen.driver = driver
    return screen


def on_screen(screen: ViewerScreen, cell) -> np.ndarray:
    return screen.driver.pixels(screen.view.rect_of(cell))


def looks_like(screen: ViewerScreen, cell, tile: int) -> bool:
    return np.array_equal(on_screen(screen, cell), GAME.ui.drawing.tile(tile, screen.view.cell_size)[..., :3])


def test_the_viewer_opens_at_the_start_of_the_replay(viewer):
    assert viewer.cursor.place == 0 and not viewer.playing
    assert looks_like(viewer, (3, 1), PLAIN_BOX) and looks_like(viewer, (2, 4), -100)
    assert "game" in pygame.display.get_caption()[0]


def test_arrow_keys_step_through_the_moves(viewer):
    driver = viewer.driver  # noqa: F811
    driver.press("right")
    assert (
        viewer.cursor.place == 1 and looks_like(viewer, (3, 2), PLAIN_BOX) and not looks_like(viewer, (3, 1), PLAIN_BOX)
    )
    driver.press("right", "right", "left")
    assert viewer.cursor.place == 2 and looks_like(viewer, (3, 3), PLAIN_BOX)
    driver.press("end")
    assert viewer.cursor.place == len(MOVES) and looks_like(viewer, (0, 2), 100)
    driver.press("right")
    assert viewer.cursor.place == len(MOVES)
    driver.press("home")
    assert viewer.cursor.place == 0 and looks_like(viewer, (0, 2), PLAIN_BOX)
    driver.press("left")
    assert viewer.cursor.place == 0
    driver.press("page down")
    assert viewer.cursor.place == min(FAR, len(MOVES))
    driver.press("page up")
    assert viewer.cursor.place == 0


def test_up_and_down_jump_between_timeline_markers(viewer):
    kinds = dict(viewer.cursor.markers)
    assert kinds[5] == "invalid" and kinds[6] == "burn" and kinds[8] in ("special", "end")
    places = []
    for _ in range(4):
        viewer.driver.press("down")
        places.append(viewer.cursor.place)
    assert places == [*sorted(kinds), 8][:4]
    viewer.driver.press("up")
    assert viewer.cursor.place == 6


def test_the_panel_describes_the_current_move(viewer):
    driver = viewer.driver  # noqa: F811
    shown = str(viewer.panel.blocks)
    assert "ann" in shown and "1000" in shown
    driver.press("right")
    assert "Pushed 1 box right" in str(viewer.panel.blocks) and "950" in str(viewer.panel.blocks)
    driver.press("end", "left", "left")
    assert "burnt" in str(viewer.panel.blocks)
    before = driver.pixels(viewer.panel.rect)
    driver.press("left")
    assert changed_pixels(before, driver.pixels(viewer.panel.rect)).any()


def test_the_panel_describes_the_replay(driver, tmp_path):  # noqa: F811
    session = Session(GAME, GAME.levels.read("01-first-push"))
    for number in range(4):
        session.do(session.handler.press(session.state, "right"), by="greedy" if number else "")
    session.replay("ann", date="2026-01-02").write(tmp_path / "kept.replay")
    screen = driver.open(
        lambda app: ViewerScreen(app, ReplayCursor(Replay.read(tmp_path / "kept.replay"))), (1100, 800)
    )
    shown = [block.figure for block, _ in screen.panel.placed() if isinstance(block, Line)]
    figures = {figure.label: figure.value for figure in shown}
    assert screen.panel.blocks[0] == Heading("First push", "kept")
    assert figures["Rules"] == "milestone1" and figures["Played by"] == "ann" and figures["Date"] == "2026-01-02"
    assert figures["Result"] == "cleared, 4 steps" and figures["Help from"] == "greedy"


def test_timeline_markers_differ_in_shape_and_have_a_legend(viewer):
    """The markers can be distinguished without colour."""
    shapes = []
    for kind in MARKERS:
        surface = pygame.Surface((20, 20))
        draw_marker(surface, kind, 10, 10)
        shapes.append(pygame.surfarray.array3d(surface).any(axis=2))
    assert all((one != other).sum() > 10 for i, one in enumerate(shapes) for other in shapes[:i])
    (legend,) = [block for block in viewer.panel.blocks if isinstance(block, Legend)]
    assert set(legend.kinds) == {kind for _, kind in viewer.cursor.markers}
    line = viewer.transport.timeline
    over = viewer.driver.pixels(pygame.Rect(line.x_of(6) - 6, line.rect.top + 4, 12, 12))
    plain = viewer.driver.pixels(pygame.Rect(line.x_of(2) - 6, line.rect.top + 4, 12, 12))
    assert (over == theme.WARN).all(axis=2).any() and not (plain == theme.WARN).all(axis=2).any()


def test_space_plays_and_pauses(viewer):
    driver = viewer.driver  # noqa: F811
    driver.press("space")
    assert viewer.playing
    for place in range(1, 4):
        driver.frame(STEP_SECONDS)
        assert viewer.cursor.place == place
    driver.press("space")
    assert not viewer.playing
    driver.frame(5.0)
    assert viewer.cursor.place == 3
    driver.press("space")
    for _ in range(20):
        driver.frame(STEP_SECONDS)
    assert viewer.cursor.place == len(MOVES) and not viewer.playing, "playback stops at the end"
    driver.press("space")
    assert viewer.cursor.place == 0 and viewer.playing, "playback starts again from the beginning"


def test_keys_change_the_playback_speed(viewer):
    driver = viewer.driver  # noqa: F811
    driver.press("+", "+")
    assert viewer.app.settings.speed == 4
    driver.press("space")
    driver.frame(STEP_SECONDS)
    assert viewer.cursor.place in (4, 5)
    driver.press("-", "-", "-")
    assert viewer.app.settings.speed == 0.5
    for _ in range(12):
        driver.press("+")
    assert viewer.app.settings.speed == 64, "the speed has a maximum"
    assert "64" in viewer.transport.speed.text


def test_moves_are_animated_and_keys_do_not_wait_for_the_animation(driver, tmp_path):  # noqa: F811
    cursor = ReplayCursor(replay(tmp_path / "game.replay"))
    screen = driver.open(lambda app: ViewerScreen(app, cursor), animation=True)
    driver.press("right")
    assert screen.view.moving and screen.cursor.place == 1
    driver.press("right", "right")
    assert screen.cursor.place == 3
    driver.press("left")
    assert screen.cursor.place == 2 and not screen.view.moving
    driver.frame(1.0)
    screen.driver = driver
    assert looks_like(screen, (3, 3), PLAIN_BOX)


# ---------------------------------------------------------------- the mouse


def timeline_point(screen: ViewerScreen, place: int) -> tuple[int, int]:
    line = screen.transport.timeline
    return line.x_of(place), line.rect.bottom - 9


def test_a_click_on_the_timeline_jumps_to_that_move(viewer):
    for place in (6, 2, 8, 0, 5):
        viewer.driver.click(timeline_point(viewer, place))
        assert viewer.cursor.place == place
    assert looks_like(viewer, (3, 4), PLAIN_BOX)


def test_dragging_the_timeline_scrubs_the_replay(viewer):
    """The board follows the pointer in every frame. Beyond an end of the timeline, the first or last state is shown."""
    driver = viewer.driver  # noqa: F811
    driver.press("space")
    driver.hold(timeline_point(viewer, 0))
    assert not viewer.playing, "pressing the timeline stops playback"
    for place in (1, 2, 3, 4, 5, 6, 7, 8, 4, 3):
        driver.point(timeline_point(viewer, place))
        assert viewer.cursor.place == place
    assert looks_like(viewer, (3, 4), PLAIN_BOX)
    x, y = timeline_point(viewer, 8)
    driver.point((x + 500, y - 200))
    assert viewer.cursor.place == 8
    driver.point((-50, y))
    assert viewer.cursor.place == 0
    driver.release(timeline_point(viewer, 3))
    assert viewer.cursor.place == 3
    driver.point(timeline_point(viewer, 7))
    assert viewer.cursor.place == 3, "the mouse button is released"


def test_the_replay_is_controlled_by_buttons_and_the_mouse_wheel(viewer):
    driver, buttons = viewer.driver, viewer.transport.buttons  # noqa: F811
    for name, place in (("end", 8), ("back", 7), ("start", 0), ("forward", 1)):
        driver.click(buttons[name].rect.center)
        assert viewer.cursor.place == place
    driver.click(buttons["play"].rect.center)
    assert viewer.playing and buttons["play"].icon == "pause"
    driver.click(viewer.view.area.center)
    assert not viewer.playing and buttons["play"].icon == "play"
    driver.click(viewer.transport.faster.rect.center)
    assert viewer.app.settings.speed == 2
    driver.click(viewer.transport.slower.rect.center)
    assert viewer.app.settings.speed == 1
    driver.press("home")
    driver.wheel(-1)
    assert viewer.cursor.place == 1
    driver.wheel(1)
    assert viewer.cursor.place == 0


# ---------------------------------------------------------------- overlays


@pytest.mark.parametrize(("key", "place"), [("1", 0), ("2", 1), ("3", 0), ("4", 0)])
def test_number_keys_toggle_overlays(viewer, key, place):
    driver = viewer.driver  # noqa: F811
    for _ in range(place):
        driver.press("right")
    before = driver.pixels(viewer.view.area)
    driver.press(key)
    assert changed_pixels(before, driver.pixels(viewer.view.area)).any() and viewer.overlays == {key}
    assert viewer.app.settings.overlays == (NO_OVERLAYS if key == "4" else key), "a plan is not remembered"
    driver.press(key)
    assert np.array_equal(before, driver.pixels(viewer.view.area)) and viewer.app.settings.overlays == NO_OVERLAYS


def test_the_plan_overlay_shows_the_upcoming_moves(viewer):
    viewer.driver.press("4", "right", "right", "right", "right")
    assert viewer.cursor.ahead(AHEAD).actions == [(2, 4, LEFT), (3, 4, UP)], "the plan ends at the free move"


def test_only_changed_areas_are_drawn(viewer):
    viewer.driver.frame()
    assert viewer.driver.frame() == []
    viewer.driver.press("right")
    board = sum(rect.width * rect.height for rect in viewer.driver.drawn if viewer.view.area.contains(rect))
    assert 0 < board <= 6 * viewer.view.cell_size**2


# ---------------------------------------------------------------- saving


def saved(screen: ViewerScreen, key: str) -> None:
    screen.driver.press(key)
    assert screen.export is not None
    screen.driver.until(lambda: screen.export is None)


def test_pressing_g_saves_a_gif_file_next_to_the_replay(viewer, tmp_path):
    saved(viewer, "g")
    assert f"Saved {tmp_path / 'game.gif'}" in viewer.app.note
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames > len(MOVES)
        last = gif.seek(gif.n_frames - 1) or np.array(gif.convert("RGB"))
    want = next(film.frames(GAME, viewer.cursor.states[-1:], (last.shape[1], last.shape[0]), rulers=True))
    assert abs(last.astype(int) - want).mean() < 4
    saved(viewer, "g")
    assert (tmp_path / "game-2.gif").exists(), "the first file is not overwritten"


def test_pressing_v_saves_an_mp4_file(viewer, tmp_path, monkeypatch):
    from tests.play.test_film import needs_ffmpeg

    needs_ffmpeg()
    saved(viewer, "v")
    assert b"ftyp" in (tmp_path / "game.mp4").read_bytes()[:16]
    monkeypatch.setenv("PATH", str(tmp_path))
    viewer.driver.press("v")
    assert viewer.export is None and "ffmpeg" in viewer.app.note


def test_pressing_s_saves_a_picture_of_the_current_state(viewer, tmp_path):
    viewer.driver.press("right", "right", "s")
    with Image.open(tmp_path / "game-2.png") as picture:
        found = np.array(picture)
    cell = (found.shape[0] - RULER) // 4
    assert np.array_equal(found, film.still(GAME, viewer.cursor.states[2], cell, rulers=True))


def test_the_viewer_shows_rulers(viewer):
    assert viewer.view.ruled


def test_the_export_button_asks_for_the_format(viewer, tmp_path):
    button = viewer.transport.export
    viewer.driver.press("right", "right")
    viewer.driver.click(button.rect.center)
    dialog = viewer.app.screen
    assert isinstance(dialog, Ask)
    wanted = ["GIF", "MP4", "PNG", "Cancel"] if film.ffmpeg() else ["GIF", "PNG", "Cancel"]
    assert [widget.text for widget in dialog.form.widgets] == wanted
    viewer.driver.click(next(widget for widget in dialog.form.widgets if widget.text == "PNG").rect.center)
    assert viewer.app.screen is viewer and (tmp_path / "game-2.png").exists()
    viewer.driver.press("e", "escape")
    assert viewer.app.screen is viewer and viewer.export is None
    saved_files = set(tmp_path.iterdir())
    viewer.driver.press("e", "g")
    viewer.driver.until(lambda: viewer.export is None)
    assert {path.name for path in set(tmp_path.iterdir()) - saved_files} == {"game.gif"}


def test_mp4_is_not_offered_without_ffmpeg(viewer, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    viewer.driver.press("e")
    assert [widget.text for widget in viewer.app.screen.form.widgets] == ["GIF", "PNG", "Cancel"]


def test_the_buttons_in_the_panel_can_be_clicked(viewer):
    keys = next((block, rect) for block, rect in viewer.panel.placed() if isinstance(block, Keys))
    block, rect = keys
    place = block.places(rect.width)[[key for key, _ in block.keys].index("f1")].move(rect.topleft)
    viewer.driver.click(place.center)
    assert isinstance(viewer.app.screen, HelpScreen)


def test_f12_saves_a_screenshot_of_the_window(viewer, tmp_path):
    viewer.driver.press("f12")
    (shot,) = (tmp_path / "home" / "screenshots").glob("*.png")
    with Image.open(shot) as picture:
        assert picture.size == viewer.app.surface.get_size()


class BlockedFilm(film.Film):
    """A video that blocks after the first frame until saving is cancelled, so the test does not depend on timing."""

    export: film.FilmExport

    def shots(self):
        for place, shot in enumerate(super().shots()):
            start = time.monotonic()
            while place and not self.export.cancelled and time.monotonic() - start < PATIENCE:
                time.sleep(0.001)
            yield shot


def long_export(screen: ViewerScreen, path) -> film.FilmExport:
    gated = BlockedFilm((100, 80), True)
    gated.add(GAME, screen.cursor.states)
    gated.export = screen.export = film.FilmExport(gated, path)
    return gated.export


def test_escape_cancels_the_export_of_a_film(viewer, tmp_path):
    driver = viewer.driver  # noqa: F811
    long_export(viewer, tmp_path / "film.gif")
    driver.press("right")
    assert "Saving" in str(viewer.panel.blocks) and viewer.cursor.place == 1, "the window stays responsive"
    driver.press("g")
    assert "still being saved" in viewer.app.note and viewer.export.path.name == "film.gif"
    driver.press("escape")
    assert viewer.app.running and viewer.app.screen is viewer
    driver.until(lambda: viewer.export is None)
    assert "was cancelled" in viewer.app.note and not list(tmp_path.glob("*film*"))


def test_leaving_the_viewer_cancels_the_export_of_a_film(viewer, tmp_path):
    export = long_export(viewer, tmp_path / "film.gif")
    viewer.driver.close()
    assert export.cancelled and export.over and not list(tmp_path.glob("*film*"))


def test_a_failed_export_of_a_film_is_reported(viewer, tmp_path):
    (tmp_path / "file").write_text("")
    viewer.export = film.FilmExport(
        film.Film((100, 80)).add(GAME, viewer.cursor.states), tmp_path / "file" / "film.gif"
    )
    viewer.driver.until(lambda: viewer.export is None)
    assert f"the folder {tmp_path / 'file'} does not exist" in viewer.app.note and viewer.app.running


def test_a_film_of_an_unsaved_replay_is_named_after_its_map(driver, tmp_path):  # noqa: F811
    for number, (replay, name) in enumerate(
        [
            (Replay.of(ENV, MOVES[:3], map=BOARD), "replay"),
            (Replay.of(ENV, [(0, 2, RIGHT)], map=bundled("01-first-push").to_text("B")), "01-first-push"),
            (game("AB.L").replay(), "drawn"),
        ],
        1,
    ):
        driver.open(lambda app, replay=replay: ViewerScreen(app, ReplayCursor(replay)))
        driver.press("s")
        saved = list((tmp_path / "home" / "films").glob("*.png"))
        assert len(saved) == number and any(path.name.startswith(f"{name}-0-") for path in saved)


# ---------------------------------------------------------------- leaving


def test_pressing_t_continues_the_game_from_the_current_state(viewer):
    driver = viewer.driver  # noqa: F811
    driver.press("right", "right", "t")
    table = viewer.app.screen
    assert isinstance(table, TableScreen) and table.session.steps == 2 and table.session.can_undo
    assert table.session.env.state_hash() == viewer.cursor.replay.moves[1].hash
    driver.press("escape")
    assert viewer.app.screen is viewer and viewer.cursor.place == 2
    assert looks_like(viewer, (3, 3), PLAIN_BOX)


def test_continuing_on_a_packaged_map_keeps_its_title_and_description(driver, tmp_path):  # noqa: F811
    moves = [(0, 2, RIGHT), (0, 3, RIGHT)]
    Replay.of(ENV, moves, map=bundled("01-first-push").to_text("B")).write(tmp_path / "any.replay")
    screen = driver.open(lambda app: ViewerScreen(app, ReplayCursor(Replay.read(tmp_path / "any.replay"))))
    driver.press("right", "t")
    table, board = driver.app.screen, GAME.levels.read("01-first-push")
    assert (table.session.board.title, table.session.board.about) == (board.title, board.about)
    assert table.session.identity == GAME.levels.identity(board, "milestone1")
    assert table.table.message.text == "Continuing from move 1."
    driver.press("escape")
    assert driver.app.screen is screen, "there are no unsaved moves, so no dialog opens"
    driver.press("t", "right", "escape")
    assert driver.app.screen.title == "Leave this game?"
    driver.press("escape")
    assert isinstance(driver.app.screen, TableScreen)
    driver.press("escape", "l")
    assert driver.app.screen is screen


def test_tab_opens_the_next_file(driver, tmp_path):  # noqa: F811
    first = ReplayCursor(replay(tmp_path / "one.replay"))
    second = replay(tmp_path / "two.replay", [(0, 1, DOWN)], "AB\n..\n.L\n")
    screen = driver.open(lambda app: ViewerScreen(app, first, [second]))
    driver.press("tab")
    assert screen.cursor.last == 1 and screen.name == "two" and "2 of 2" in str(screen.panel.blocks)
    driver.press("end", "tab")
    assert screen.name == "one" and screen.cursor.place == 0
    screen = driver.open(lambda app: ViewerScreen(app, ReplayCursor(second)))
    driver.press("tab")
    assert screen.name == "two" and "Only one file is open" in screen.app.note


def test_f1_lists_every_viewer_key(viewer):
    driver = viewer.driver  # noqa: F811
    driver.press("f1")
    assert isinstance(viewer.app.screen, HelpScreen)
    shown = str(viewer.app.screen.sections)
    for key in ("space", "right", "home", "'+'", "'g'", "'v'", "'s'", "'t'", "tab", "escape", "'1'", "'4'", "f12"):
        assert key in shown
    driver.press("escape")
    assert viewer.app.screen is viewer


@pytest.mark.parametrize("key", ["escape", "q"])
def test_escape_and_q_close_the_viewer(viewer, key):
    viewer.driver.press(key)
    assert not viewer.app.running


def test_the_layout_adapts_to_any_window_size(viewer):
    driver = viewer.driver  # noqa: F811
    driver.press("right")
    for size in ((1600, 900), (640, 480), (420, 700), (320, 240), (900, 640)):
        driver.resize(size)
        assert viewer.app.surface.get_size() == size
        board = viewer.view.board
        assert board.width >= 5 and viewer.view.area.contains(board)
        assert not board.colliderect(viewer.transport.rect) and not board.colliderect(viewer.panel.rect)
        buttons = [*viewer.transport.buttons.values(), viewer.transport.slower, viewer.transport.faster]
        rects = [button.rect for button in buttons if button.rect.width]
        assert all(viewer.transport.rect.contains(rect) for rect in rects)
        assert all(not one.colliderect(other) for i, one in enumerate(rects) for other in rects[:i])
        driver.click(timeline_point(viewer, 6))
        assert viewer.cursor.place == 6
        driver.click(timeline_point(viewer, 1))
        assert looks_like(viewer, (3, 2), PLAIN_BOX)


def test_speed_and_overlays_are_saved_in_the_settings(driver, tmp_path):  # noqa: F811
    cursor = ReplayCursor(replay(tmp_path / "game.replay"))
    driver.open(lambda app: ViewerScreen(app, cursor))
    driver.press("+", "3")
    driver.close()
    settings, message = Settings.load()
    assert settings.speed == 2 and settings.overlays == "13" and message is None


# --- overlays in other games


@pytest.mark.parametrize(("name", "key"), [("sokoban", "3"), ("race", "f"), ("shover", "4")])
def test_the_plan_overlay_shows_the_next_moves_of_every_game(driver, name, key):  # noqa: F811
    other = game_named(name)
    session = Session(other, other.levels.boards()[0], seed=0)
    for action in other.plan(session.env, session.state, time_limit=20.0).actions:
        session.env.step(action)
    screen = driver.open(lambda app: ViewerScreen(app, ReplayCursor(session.replay())))
    driver.press("home")
    clean = driver.pixels(screen.view.area)
    driver.press(key)
    assert changed_pixels(clean, driver.pixels(screen.view.area)).any() and not driver.app.note
    driver.press("right", "end", "home")
    assert driver.app.running


def test_overlays_are_saved_in_the_settings_of_the_replayed_game(driver):  # noqa: F811
    race = game_named("race")
    session = Session(race, race.levels.boards()[0], seed=0)
    session.env.step(4)
    settings = Settings(game="shover", overlays="1")
    screen = driver.open(lambda app: ViewerScreen(app, ReplayCursor(session.replay())), settings=settings)
    assert not screen.overlays
    driver.press("z", "f")
    assert screen.overlays == {"z", "f"}
    assert settings.overlays == "1" and settings.own("race", "overlays") == "z", "a plan is not remembered"


def test_a_failing_overlay_is_reported_and_the_replay_continues(viewer, monkeypatch):
    def fail(*arguments):
        raise TypeError("int() argument must be a number")

    monkeypatch.setattr(GAME.ui.overlays, "marks", fail)
    viewer.driver.press("1", "right")
    assert viewer.cursor.place == 1 and viewer.app.note.startswith("The overlay perfect squares failed: TypeError")
