"""The replay viewer, driven by real events: every key, the mouse on the timeline, and films read back."""

import time

import numpy as np
import pygame
import pytest
from PIL import Image

from shoverworld import bundled
from shoverworld.core.replay import Replay
from shoverworld.desktop import theme
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.markers import MARKERS, Legend, draw_marker
from shoverworld.desktop.panel import Heading, Line
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.viewer import FAR, STEP_SECONDS, ViewerScreen
from shoverworld.games import game_named
from shoverworld.play import film
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from tests.windows import PATIENCE, changed_pixels, game, hands  # noqa: F401

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
    (2, 4, LEFT),  # into the lava: invalid
    (3, 4, UP),  # burns
    ("place", 3, 0),
    (0, 0, BARRIER),  # the square becomes barriers, and nothing is left
]


def replay(path, moves=MOVES, board=BOARD, **more) -> Replay:
    Replay.of(ENV, moves, map=board, player="ann", **more).write(path)
    return Replay.read(path)


@pytest.fixture
def seen(hands, tmp_path):  # noqa: F811
    """The viewer, open on a replay; `seen.hands` drives it."""
    cursor = ReplayCursor(replay(tmp_path / "game.replay"))
    screen = hands.open(lambda app: ViewerScreen(app, cursor))
    screen.hands = hands
    return screen


def on_screen(screen: ViewerScreen, cell) -> np.ndarray:
    return screen.hands.pixels(screen.view.rect_of(cell))


def looks_like(screen: ViewerScreen, cell, tile: int) -> bool:
    return np.array_equal(on_screen(screen, cell), GAME.ui.drawing.tile(tile, screen.view.cell_size)[..., :3])


def test_it_opens_at_the_start(seen):
    assert seen.cursor.place == 0 and not seen.playing
    assert looks_like(seen, (3, 1), 10) and looks_like(seen, (2, 4), -100)
    assert "game" in pygame.display.get_caption()[0]


def test_the_arrows_go_move_by_move(seen):
    hands = seen.hands  # noqa: F811
    hands.press("right")
    assert seen.cursor.place == 1 and looks_like(seen, (3, 2), 10) and not looks_like(seen, (3, 1), 10)
    hands.press("right", "right", "left")
    assert seen.cursor.place == 2 and looks_like(seen, (3, 3), 10)
    hands.press("end")
    assert seen.cursor.place == len(MOVES) and looks_like(seen, (0, 2), 100)
    hands.press("right")
    assert seen.cursor.place == len(MOVES)
    hands.press("home")
    assert seen.cursor.place == 0 and looks_like(seen, (0, 2), 10)
    hands.press("left")
    assert seen.cursor.place == 0
    hands.press("page down")
    assert seen.cursor.place == min(FAR, len(MOVES))
    hands.press("page up")
    assert seen.cursor.place == 0


def test_up_and_down_go_from_mark_to_mark(seen):
    kinds = dict(seen.cursor.markers)
    assert kinds[5] == "invalid" and kinds[6] == "burn" and kinds[8] in ("special", "end")
    places = []
    for _ in range(4):
        seen.hands.press("down")
        places.append(seen.cursor.place)
    assert places == [*sorted(kinds), 8][:4]
    seen.hands.press("up")
    assert seen.cursor.place == 6


def test_the_words_and_figures_are_those_of_the_moment(seen):
    hands = seen.hands  # noqa: F811
    told = str(seen.panel.blocks)
    assert "ann" in told and "1000" in told
    hands.press("right")
    assert "Pushed 1 box right" in str(seen.panel.blocks) and "950" in str(seen.panel.blocks)
    hands.press("end", "left", "left")
    assert "burnt" in str(seen.panel.blocks)
    before = hands.pixels(seen.panel.rect)
    hands.press("left")
    assert changed_pixels(before, hands.pixels(seen.panel.rect)).any()


def test_the_panel_tells_the_game(hands, tmp_path):  # noqa: F811
    session = Session(GAME, GAME.levels.read("01-first-push"))
    for _ in range(4):
        session.do(session.handler.press(session.state, "right"), by="greedy")
    session.replay("ann", date="2026-01-02").write(tmp_path / "kept.replay")
    screen = hands.open(lambda app: ViewerScreen(app, ReplayCursor(Replay.read(tmp_path / "kept.replay"))), (1100, 800))
    told = [block.figure for block, _ in screen.panel.placed() if isinstance(block, Line)]
    figures = {figure.label: figure.value for figure in told}
    assert screen.panel.blocks[0] == Heading("First push", "kept")
    assert figures["Rules"] == "milestone1" and figures["Played by"] == "ann" and figures["Date"] == "2026-01-02"
    assert figures["Result"] == "cleared, 4 steps" and figures["Help from"] == "greedy"


def test_marks_differ_in_shape_and_have_a_legend(seen):
    """Without colours, too."""
    shapes = []
    for kind in MARKERS:
        surface = pygame.Surface((20, 20))
        draw_marker(surface, kind, 10, 10)
        shapes.append(pygame.surfarray.array3d(surface).any(axis=2))
    assert all((one != other).sum() > 10 for i, one in enumerate(shapes) for other in shapes[:i])
    (legend,) = [block for block in seen.panel.blocks if isinstance(block, Legend)]
    assert set(legend.kinds) == {kind for _, kind in seen.cursor.markers}
    line = seen.transport.timeline
    over = seen.hands.pixels(pygame.Rect(line.x_of(6) - 6, line.rect.top + 4, 12, 12))
    plain = seen.hands.pixels(pygame.Rect(line.x_of(2) - 6, line.rect.top + 4, 12, 12))
    assert (over == theme.WARN).all(axis=2).any() and not (plain == theme.WARN).all(axis=2).any()


def test_space_plays_and_pauses(seen):
    hands = seen.hands  # noqa: F811
    hands.press("space")
    assert seen.playing
    for place in range(1, 4):
        hands.frame(STEP_SECONDS)
        assert seen.cursor.place == place
    hands.press("space")
    assert not seen.playing
    hands.frame(5.0)
    assert seen.cursor.place == 3
    hands.press("space")
    for _ in range(20):
        hands.frame(STEP_SECONDS)
    assert seen.cursor.place == len(MOVES) and not seen.playing, "the end"
    hands.press("space")
    assert seen.cursor.place == 0 and seen.playing, "from the start again"


def test_speed(seen):
    hands = seen.hands  # noqa: F811
    hands.press("+", "+")
    assert seen.app.settings.speed == 4
    hands.press("space")
    hands.frame(STEP_SECONDS)
    assert seen.cursor.place in (4, 5)
    hands.press("-", "-", "-")
    assert seen.app.settings.speed == 0.5
    for _ in range(12):
        hands.press("+")
    assert seen.app.settings.speed == 64, "there is a fastest"
    assert "64" in seen.transport.speed.text


def test_motions_are_seen_and_a_key_never_waits_for_them(hands, tmp_path):  # noqa: F811
    cursor = ReplayCursor(replay(tmp_path / "game.replay"))
    screen = hands.open(lambda app: ViewerScreen(app, cursor), animation=True)
    hands.press("right")
    assert screen.view.moving and screen.cursor.place == 1
    hands.press("right", "right")
    assert screen.cursor.place == 3
    hands.press("left")
    assert screen.cursor.place == 2 and not screen.view.moving
    hands.frame(1.0)
    screen.hands = hands
    assert looks_like(screen, (3, 3), 10)


# ---------------------------------------------------------------- the mouse


def spot(screen: ViewerScreen, place: int) -> tuple[int, int]:
    line = screen.transport.timeline
    return line.x_of(place), line.rect.bottom - 9


def test_a_click_on_the_timeline_goes_there(seen):
    for place in (6, 2, 8, 0, 5):
        seen.hands.click(spot(seen, place))
        assert seen.cursor.place == place
    assert looks_like(seen, (3, 4), 10)


def test_the_timeline_is_scrubbed(seen):
    """Held and drawn along, the board follows in every frame; outside the bar it stays at its ends."""
    hands = seen.hands  # noqa: F811
    hands.press("space")
    hands.hold(spot(seen, 0))
    assert not seen.playing, "a hand on the timeline stops it"
    for place in (1, 2, 3, 4, 5, 6, 7, 8, 4, 3):
        hands.point(spot(seen, place))
        assert seen.cursor.place == place
    assert looks_like(seen, (3, 4), 10)
    x, y = spot(seen, 8)
    hands.point((x + 500, y - 200))
    assert seen.cursor.place == 8
    hands.point((-50, y))
    assert seen.cursor.place == 0
    hands.let_go(spot(seen, 3))
    assert seen.cursor.place == 3
    hands.point(spot(seen, 7))
    assert seen.cursor.place == 3, "nothing is held any more"


def test_the_buttons_and_the_wheel(seen):
    hands, buttons = seen.hands, seen.transport.buttons  # noqa: F811
    for name, place in (("end", 8), ("back", 7), ("start", 0), ("forward", 1)):
        hands.click(buttons[name].rect.center)
        assert seen.cursor.place == place
    hands.click(buttons["play"].rect.center)
    assert seen.playing and buttons["play"].icon == "pause"
    hands.click(seen.view.area.center)
    assert not seen.playing and buttons["play"].icon == "play"
    hands.click(seen.transport.faster.rect.center)
    assert seen.app.settings.speed == 2
    hands.click(seen.transport.slower.rect.center)
    assert seen.app.settings.speed == 1
    hands.press("home")
    hands.wheel(-1)
    assert seen.cursor.place == 1
    hands.wheel(1)
    assert seen.cursor.place == 0


# ---------------------------------------------------------------- overlays


@pytest.mark.parametrize(("key", "place"), [("1", 0), ("2", 1), ("3", 0), ("4", 0)])
def test_overlays(seen, key, place):
    hands = seen.hands  # noqa: F811
    for _ in range(place):
        hands.press("right")
    before = hands.pixels(seen.view.area)
    hands.press(key)
    assert changed_pixels(before, hands.pixels(seen.view.area)).any() and seen.app.settings.overlays == key
    hands.press(key)
    assert np.array_equal(before, hands.pixels(seen.view.area)) and seen.app.settings.overlays == ""


def test_the_plan_ahead_is_what_was_played(seen):
    seen.hands.press("4", "right", "right", "right", "right")
    assert seen.plan_ahead().actions == [(2, 4, LEFT), (3, 4, UP)], "up to the free move"


def test_only_what_has_changed_is_drawn(seen):
    seen.hands.frame()
    assert seen.hands.frame() == []
    seen.hands.press("right")
    board = sum(rect.width * rect.height for rect in seen.hands.drawn if seen.view.area.contains(rect))
    assert 0 < board <= 6 * seen.view.cell_size**2


# ---------------------------------------------------------------- saving


def saved(screen: ViewerScreen, key: str) -> None:
    screen.hands.press(key)
    assert screen.export is not None
    screen.hands.until(lambda: screen.export is None)


def test_g_saves_a_gif_beside_the_replay(seen, tmp_path):
    saved(seen, "g")
    assert f"Saved {tmp_path / 'game.gif'}" in seen.app.note
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames > len(MOVES)
        last = gif.seek(gif.n_frames - 1) or np.array(gif.convert("RGB"))
    want = next(film.frames(GAME, seen.cursor.states[-1:], (last.shape[1], last.shape[0])))
    assert abs(last.astype(int) - want).mean() < 4
    saved(seen, "g")
    assert (tmp_path / "game-2.gif").exists(), "nothing is written over"


def test_v_saves_an_mp4(seen, tmp_path, monkeypatch):
    from tests.play.test_film import needs_ffmpeg

    needs_ffmpeg()
    saved(seen, "v")
    assert b"ftyp" in (tmp_path / "game.mp4").read_bytes()[:16]
    monkeypatch.setenv("PATH", str(tmp_path))
    seen.hands.press("v")
    assert seen.export is None and "ffmpeg" in seen.app.note


def test_s_saves_a_picture_of_the_moment(seen, tmp_path):
    seen.hands.press("right", "right", "s")
    with Image.open(tmp_path / "game-2.png") as picture:
        found = np.array(picture)
    assert np.array_equal(found, film.still(GAME, seen.cursor.states[2], found.shape[0] // 4))


def test_f12_saves_the_window(seen, tmp_path):
    seen.hands.press("f12")
    (shot,) = (tmp_path / "home" / "screenshots").glob("*.png")
    with Image.open(shot) as picture:
        assert picture.size == seen.app.surface.get_size()


class Gated(film.Film):
    """A film that waits after its first picture until it is cancelled: the test decides when, not the clock."""

    export: film.FilmExport

    def shots(self):
        for place, shot in enumerate(super().shots()):
            start = time.monotonic()
            while place and not self.export.cancelled and time.monotonic() - start < PATIENCE:
                time.sleep(0.001)
            yield shot


def long_export(screen: ViewerScreen, path) -> film.FilmExport:
    gated = Gated((100, 80), True)
    gated.add(GAME, screen.cursor.states)
    gated.export = screen.export = film.FilmExport(gated, path)
    return gated.export


def test_escape_stops_saving_a_film(seen, tmp_path):
    hands = seen.hands  # noqa: F811
    long_export(seen, tmp_path / "film.gif")
    hands.press("right")
    assert "Saving" in str(seen.panel.blocks) and seen.cursor.place == 1, "the window goes on"
    hands.press("g")
    assert "still being saved" in seen.app.note and seen.export.path.name == "film.gif"
    hands.press("escape")
    assert seen.app.running and seen.app.screen is seen
    hands.until(lambda: seen.export is None)
    assert "was cancelled" in seen.app.note and not list(tmp_path.glob("*film*"))


def test_leaving_stops_it_too(seen, tmp_path):
    export = long_export(seen, tmp_path / "film.gif")
    seen.hands.close()
    assert export.cancelled and export.over and not list(tmp_path.glob("*film*"))


def test_a_film_that_cannot_be_saved_is_reported(seen, tmp_path):
    (tmp_path / "file").write_text("")
    seen.export = film.FilmExport(film.Film((100, 80)).add(GAME, seen.cursor.states), tmp_path / "file" / "film.gif")
    seen.hands.until(lambda: seen.export is None)
    assert f"there is no folder {tmp_path / 'file'}" in seen.app.note and seen.app.running


def test_a_game_from_no_file_is_saved_in_the_players_folder_under_its_maps_name(hands, tmp_path):  # noqa: F811
    for number, (replay, name) in enumerate(
        [
            (Replay.of(ENV, MOVES[:3], map=BOARD), "replay"),
            (Replay.of(ENV, [(0, 2, RIGHT)], map=bundled("01-first-push").to_text("B")), "01-first-push"),
            (game("AB.L").replay(), "drawn"),
        ],
        1,
    ):
        hands.open(lambda app, replay=replay: ViewerScreen(app, ReplayCursor(replay)))
        hands.press("s")
        saved = list((tmp_path / "home" / "films").glob("*.png"))
        assert len(saved) == number and any(path.name.startswith(f"{name}-0-") for path in saved)


# ---------------------------------------------------------------- ways out


def test_t_takes_the_game_over(seen):
    hands = seen.hands  # noqa: F811
    hands.press("right", "right", "t")
    table = seen.app.screen
    assert isinstance(table, TableScreen) and table.session.steps == 2 and table.session.can_undo
    assert table.session.env.state_hash() == seen.cursor.replay.moves[1].hash
    hands.press("escape")
    assert seen.app.screen is seen and seen.cursor.place == 2
    assert looks_like(seen, (3, 3), 10)


def test_a_known_map_keeps_its_name_and_words(hands, tmp_path):  # noqa: F811
    moves = [(0, 2, RIGHT), (0, 3, RIGHT)]
    Replay.of(ENV, moves, map=bundled("01-first-push").to_text("B")).write(tmp_path / "any.replay")
    screen = hands.open(lambda app: ViewerScreen(app, ReplayCursor(Replay.read(tmp_path / "any.replay"))))
    hands.press("right", "t")
    table, board = hands.app.screen, GAME.levels.read("01-first-push")
    assert (table.session.board.title, table.session.board.about) == (board.title, board.about)
    assert table.session.identity == GAME.levels.identity(board, "milestone1")
    assert table.table.message.text == "You continue from move 1."
    hands.press("escape")
    assert hands.app.screen is screen, "nothing was done that could be lost"
    hands.press("t", "right", "escape")
    assert hands.app.screen.title == "Leave this game?"
    hands.press("escape")
    assert isinstance(hands.app.screen, TableScreen)
    hands.press("escape", "l")
    assert hands.app.screen is screen


def test_tab_goes_to_the_next_file(hands, tmp_path):  # noqa: F811
    first = ReplayCursor(replay(tmp_path / "one.replay"))
    second = replay(tmp_path / "two.replay", [(0, 1, DOWN)], "AB\n..\n.L\n")
    screen = hands.open(lambda app: ViewerScreen(app, first, [second]))
    hands.press("tab")
    assert screen.cursor.last == 1 and screen.name == "two" and "2 of 2" in str(screen.panel.blocks)
    hands.press("end", "tab")
    assert screen.name == "one" and screen.cursor.place == 0
    screen = hands.open(lambda app: ViewerScreen(app, ReplayCursor(second)))
    hands.press("tab")
    assert screen.name == "two" and "no other file" in screen.app.note


def test_f1_lists_every_key(seen):
    hands = seen.hands  # noqa: F811
    hands.press("f1")
    assert isinstance(seen.app.screen, HelpScreen)
    told = str(seen.app.screen.sections)
    for key in ("space", "right", "home", "'+'", "'g'", "'v'", "'s'", "'t'", "tab", "escape", "'1'", "'4'", "f12"):
        assert key in told
    hands.press("escape")
    assert seen.app.screen is seen


@pytest.mark.parametrize("key", ["escape", "q"])
def test_the_way_out(seen, key):
    seen.hands.press(key)
    assert not seen.app.running


def test_any_size_of_window(seen):
    hands = seen.hands  # noqa: F811
    hands.press("right")
    for size in ((1600, 900), (640, 480), (420, 700), (320, 240), (900, 640)):
        hands.resize(size)
        assert seen.app.surface.get_size() == size
        board = seen.view.board
        assert board.width >= 5 and seen.view.area.contains(board)
        assert not board.colliderect(seen.transport.rect) and not board.colliderect(seen.panel.rect)
        buttons = [*seen.transport.buttons.values(), seen.transport.slower, seen.transport.faster]
        rects = [button.rect for button in buttons if button.rect.width]
        assert all(seen.transport.rect.contains(rect) for rect in rects)
        assert all(not one.colliderect(other) for i, one in enumerate(rects) for other in rects[:i])
        hands.click(spot(seen, 6))
        assert seen.cursor.place == 6
        hands.click(spot(seen, 1))
        assert looks_like(seen, (3, 2), 10)


def test_settings_are_kept(hands, tmp_path):  # noqa: F811
    cursor = ReplayCursor(replay(tmp_path / "game.replay"))
    hands.open(lambda app: ViewerScreen(app, cursor))
    hands.press("+", "3")
    hands.close()
    settings, message = Settings.load()
    assert settings.speed == 2 and settings.overlays == "3" and message is None
