"""The real program on a real X server: keyboard and mouse input, and the results on the screen and on disk."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shoverworld import Map
from shoverworld.core.errors import ReplayError
from shoverworld.core.replay import Replay
from tests.xserver import Server, Window, picture_in, require_x, until

if sys.platform == "win32":
    pytest.skip("there is no X server here", allow_module_level=True)

WALK = "// A walk\n// rules: walker\n.....L\nA.B..L\n......\n"
LEAP = "// A leap\n// rules: milestone1\n......\n..B...\n.....A\n..L..B\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    require_x()
    made = Server()
    yield made
    made.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def write_map(tmp_path: Path, text: str, name: str = "drawn") -> Path:
    path = tmp_path / f"{name}.txt"
    path.write_text(text, encoding="utf-8")
    return path


def settings(home: Path) -> dict:
    return json.loads((home / "settings.json").read_text())


def last_replay(home: Path) -> Replay:
    """Verify the most recent replay and return it."""

    def newest() -> Replay | None:
        found = sorted((home / "replays").glob("*.replay"), key=lambda path: path.stat().st_mtime_ns)
        try:
            return Replay.read(found[-1]) if found else None
        except ReplayError:  # the file has not been written completely yet
            return None

    replay = until(newest, "a replay was saved")
    replay.check()
    return replay


def cell_positions(text: str, size: tuple[int, int]):
    """Return a function that gives the position of a cell of this map in a window of this size."""
    from shoverworld.desktop.table_view import TableView
    from shoverworld.games import game_named

    game = game_named("shover")
    level = Map.parse("\n".join(line for line in text.splitlines() if not line.startswith("//")))
    display = TableView(game)
    display.lay_out(size)
    display.view.show(game.ui.drawing.scene(_started_env(level).get_state()))
    return lambda row, col: display.view.rect_of((row, col)).center


def _started_env(level: Map):
    from shoverworld import ShoverWorldEnv

    env = ShoverWorldEnv()
    env.reset(seed=0, options={"map": level})
    return env


def test_a_game_is_played_with_the_keyboard(server: Server, tmp_path: Path, home: Path):
    with Window(server, home, "A walk", "play", write_map(tmp_path, WALK)) as window:
        start = window.shot()
        window.press("3")
        window.press("Right")
        window.press("d")
        until(lambda: not np.array_equal(window.shot(), start), "the board has changed")
        window.press("d", "d", "Right", "d")  # more keys than needed; the end screen receives the last keys
        until(lambda: (home / "records.json").exists(), "a record was saved")
        window.press("k")
        replay = last_replay(home)
        assert replay.end.outcome == "cleared"
        assert [move.action[2] for move in replay.moves] == [2] * 4

        window.press("r")
        window.press("F1")
        window.press("Escape")
        window.resize((820, 610))
        until(lambda: window.shot().shape[:2] == (610, 820), "the window has the new size")
        window.press("Tab")
        until(lambda: "First push" in window.caption, "the next map is open")
        window.press("n")
        until(lambda: "Random map" in window.caption, "a random map is open")
        assert window.ends("q") == 0
    left = settings(home)
    assert (left["width"], left["height"]) == (820, 610)
    assert left["overlays"] == "13"


def test_a_game_is_played_with_the_mouse(server: Server, tmp_path: Path, home: Path):
    with Window(server, home, "A leap", "play", write_map(tmp_path, LEAP), "--no-animation") as window:
        first = window.shot()
        cell = cell_positions(LEAP, (first.shape[1], first.shape[0]))
        window.point(cell(0, 0))
        away = window.shot()
        window.point(cell(1, 2))  # the chain of boxes and the cost of the push appear
        until(lambda: not np.array_equal(window.shot(), away), "the preview is shown")
        window.click(cell(1, 2))
        window.press("Down")
        window.drag(cell(3, 5), cell(3, 3))
        window.click(cell(0, 1))
        window.press("k")
        replay = last_replay(home)
        moves = [(move.action, move.place) for move in replay.moves]
        assert moves[0] == ((1, 2, 3), False)  # if the key had been repeated, the box would have been pushed further
        assert moves[-2:] == [((3, 5, 4), False), ((0, 1), True)]
        window.press("u", "u", "u")
        window.press("space")  # the planner plays
        until(
            lambda: window.press("k") or last_replay(home).end.outcome == "cleared",
            "the planner has cleared the map",
            every=1.0,
        )
        assert window.ends("q") == 0


def test_the_x_server_shows_the_drawn_pixels(server: Server, tmp_path: Path, home: Path):
    """Only changed areas are sent to the screen. After many animated moves, no area of the screen is out of date."""
    with Window(server, home, "A walk", "play", write_map(tmp_path, WALK)) as window:
        window.press("1", "2", "3")
        for keys in (("Right", "Right"), ("Up", "Left"), ("Down", "Down", "u"), ("Left", "b", "h")):
            window.press(*keys)

        until(lambda: np.array_equal(window.shot(), window.shot()), "no animation is running")

        def shown_as_drawn() -> bool:
            """Compare repeatedly, because an animation or the note about the saved picture may still be visible."""
            drawn, tries = window.shot(), 40
            while not (same := np.array_equal(drawn, window.on_screen())) and tries:
                tries -= 1
                time.sleep(0.3)
            return same

        until(shown_as_drawn, "the screen shows the drawn pixels")
        server.do("windowunmap", window.id)
        server.do("windowmap", window.id)
        window.focus()
        until(shown_as_drawn, "the screen shows the drawn pixels after the window was hidden")


def test_an_edited_level_survives_if_the_process_is_killed(server: Server, tmp_path: Path, home: Path):
    path = tmp_path / "mine.txt"
    with Window(server, home, "mine", "edit", path, "--rules", "walker") as window:
        assert "*" not in window.caption
        window.press("b", "Down", "space")
        until(lambda: "*" in window.caption, "the title shows unsaved changes")
        window.press("Right", "Right", "l", "space")
        until(lambda: len(set_cells(home)) == 2, "the autosave contains both cells")
        window.process.send_signal(signal.SIGKILL)
        assert window.ends() == -signal.SIGKILL
    assert not path.exists()
    with Window(server, home, "editor", "edit") as window:
        window.press("Return")  # confirm that the level is restored
        until(lambda: "mine" in window.caption, "the drawing is restored")
        window.press("ctrl+s")
        until(path.exists, "the file is saved")
        assert window.ends("ctrl+q") == 0
    level = Map.read(path)
    assert sorted(level.grid.ravel()[level.grid.ravel() != 0].tolist()) == [-100, 10]


def set_cells(home: Path) -> list[int]:
    """Return the cells in the autosave that are not empty floor."""
    for path in home.glob("autosave-*.json"):
        cells = json.loads(path.read_text())["draft"]["cells"]
        return [code for row in cells for code in row if code]
    return []


def test_the_replay_viewer_visits_every_state(server: Server, tmp_path: Path, home: Path):
    env = _started_env(Map.parse("A.B.L"))
    from shoverworld import Recorder

    recorder = Recorder(env)
    recorder.reset(seed=0, options={"map": Map.parse("A.B.L")})
    for col in (2, 3):
        recorder.step((0, col, 2))
    path = tmp_path / "burnt.replay"
    recorder.replay().write(path)
    with Window(server, home, "burnt", "replay", path) as window:
        window.press("Home")
        window.press("s")
        window.press("End")
        window.press("s")
        start, end, film = (tmp_path / name for name in ("burnt-0.png", "burnt-2.png", "burnt.gif"))
        assert not np.array_equal(picture_in(start), picture_in(end))
        window.press("g")
        assert picture_in(film).size
        assert window.ends("q") == 0
