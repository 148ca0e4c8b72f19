"""`shover play --terminal`: tests send keys to the real program in a pseudo-terminal and check its screen."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("this system has no pseudo-terminals", allow_module_level=True)

from shoverworld.core.replay import Replay
from shoverworld.core.ui import Figure, Mark
from shoverworld.games import game_named
from shoverworld.play.session import Session
from shoverworld.terminal import cells
from shoverworld.terminal.keys import Decoder, Mouse, Paste
from shoverworld.terminal.page import TableText, figure_lines, page
from shoverworld.terminal.screen import TerminalScreen
from tests.terminals import PATIENCE, Terminal, set_size

DOCK = """// The dock
// rules: walker
// Push both boxes into the lava.
.....L
A.B.BL
......
"""
LEAP = """// The leap
// rules: milestone1
......
..B...
.....A
..L...
"""
SQUARES = """// The square
// rules: phase2
#######
#.BB..#
#.BB..#
#....L#
#######
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def write_map(tmp_path: Path, text: str, name: str = "dock") -> Path:
    path = tmp_path / f"{name}.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def walker(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    with Terminal("play", write_map(tmp_path, DOCK), "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        yield terminal


# --- a game


def test_the_terminal_shows_changed_rules(tmp_path, home):
    with Terminal("play", write_map(tmp_path, DOCK), "--terminal", "--set", "initial_force=30", home=home) as terminal:
        assert "walker, initial_force=30 (made for walker)" in terminal.wait("initial_force=30")


def test_a_whole_game_can_be_played_with_the_keyboard(walker: Terminal, home: Path):
    shown = walker.text
    assert "Shover-World · The dock · walker" in shown
    assert "▼ · ■ · ■ ~~" in shown
    assert re.search(r"Stamina +1000", shown)
    assert "█" * 10 in shown

    walker.press("d")
    walker.wait("· ▶ ■ · ■ ~~")
    walker.press("right")  # the step costs 1 stamina, and a push from rest costs 50
    assert re.search(r"Stamina +949", walker.wait("· · ▶ ■ ■ ~~"))
    walker.press("w")
    walker.wait("· · ▲ · · ~~")
    walker.press("up")
    assert "row 0 is the edge of the map" in walker.wait("invalid")

    walker.press("b")
    walker.wait("there is no perfect square")
    walker.press("h")
    walker.wait("of size 3 or more")
    walker.press("u", "u", "u", "u")
    assert "Step" in walker.wait("· · ▶ ■ ■ ~~")
    walker.press("y")
    walker.wait("· · ▲ · · ~~")
    walker.press("u")
    walker.wait("· · ▶ ■ ■ ~~")
    walker.press("U")  # Shift+U redoes the move
    walker.wait("· · ▲ · · ~~")
    walker.press("r")
    walker.wait("▼ · ■ · ■ ~~")

    walker.press("esc")
    walker.wait("Leave the game?")
    walker.press("n")  # "n" declines, and no new map is generated
    walker.wait("The dock", but_not="Leave the game?")

    walker.press("f1")
    for what in (
        "barrier maker",
        "hellify",
        "take back a move",
        "a hint",
        "stop the agent",
        "save a replay",
        "the next or previous map",
    ):
        assert what in walker.wait("scroll")
    walker.press("x")
    walker.wait("Q: quit")
    walker.press("?")
    walker.wait("scroll")
    walker.press("esc")
    walker.wait("Q: quit")

    walker.press(*"dddd")
    ending = walker.wait("Outcome")
    assert "Cleared" in ending
    assert re.search(r"Steps +4", ending)
    assert re.search(r"Your best +4 steps, stamina \d+ \(new", ending)
    assert "Best known" not in ending
    walker.press("d")
    walker.wait("The game is over")
    walker.press("k")
    walker.wait("Saved")
    (kept,) = (home / "replays").iterdir()
    replay = Replay.read(kept)
    replay.check()
    assert (replay.steps, replay.end.outcome) == (4, "cleared")

    walker.press("tab")
    walker.wait("First push")
    walker.press("tab")
    walker.wait("Chains")
    walker.press("shift+tab")
    walker.wait("First push")
    walker.press("n")
    walker.wait("Random map")
    walker.press("q")
    assert walker.ends() == 0
    assert walker.as_before()


@pytest.mark.parametrize("answer", ["y", "q"])
def test_escape_asks_before_it_leaves_a_game_with_moves(walker: Terminal, answer: str):
    walker.press("right")
    walker.wait("· ▶ ■ · ■ ~~")
    walker.press("esc")
    walker.wait("Press Y or Q to leave, Esc or any other key to stay")
    walker.press("esc")
    walker.wait("The dock", but_not="Leave the game?")
    walker.press("esc")
    walker.wait("Leave the game?")
    walker.press(answer)
    assert walker.ends() == 0
    assert "The game has been saved" in walker.wait("saved")


def test_escape_immediately_leaves_a_game_without_moves(walker: Terminal):
    walker.press("esc")
    assert walker.ends() == 0
    assert "Leave the game?" not in walker.text


def test_keys_show_hints_and_start_agents_and_toggle_overlays(tmp_path: Path, home: Path):
    with Terminal("play", write_map(tmp_path, SQUARES), "--terminal", "--agent", "greedy", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.wait("● row 1, column 2: age 0, 20 left")  # perfect squares are shown by default
        terminal.press("3")
        terminal.wait(" 3 2 1~~▒▒")
        terminal.press("3", "1", "4")
        terminal.wait("4: plan ahead", but_not="age 0")
        terminal.press("p")
        terminal.wait("Hint: Use the barrier maker on the 2 x 2 square at row 1, column 2. This is the last move")
        terminal.press("+", "+")
        terminal.wait("The speed is 4 times normal")
        terminal.press("-")
        terminal.wait("The speed is 2 times normal")
        terminal.press("space")
        ending = terminal.wait("Outcome")
        assert "▒▒▒▒▒▒" in ending
        assert re.search(r"Played by +greedy", ending)
        assert re.search(r"Help from +(hint, plan ahead|plan ahead, hint) \(no record\)", ending)
        assert "Your best" not in ending
        terminal.press("u")
        terminal.wait("Undone")
        terminal.press("q")
        assert terminal.ends() == 0
    assert '"speed": 1.0' in (home / "settings.json").read_text(), "the speed of an agent is not remembered"
    assert '"overlays": "-"' in (home / "settings.json").read_text(), "nor is help"


def test_the_cursor_or_the_mouse_selects_a_box(tmp_path: Path, home: Path):
    with Terminal("play", write_map(tmp_path, LEAP), "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.press("x")
        terminal.wait("Enter: choose")
        terminal.press("up", "left", "left", "left")
        terminal.wait("Box at row 1, column 2. Cost of a push")
        terminal.press("enter")
        terminal.wait("is selected")
        terminal.press("down")
        terminal.wait(lambda t: t.screen.display[3].startswith("· · ■ "))
        terminal.press("u", "u")
        terminal.wait("There is no move to undo")

        terminal.mouse("down", 2, 4)
        terminal.mouse("up", 2, 5)
        terminal.wait("Nothing is selected")  # undo has restored the selection
        terminal.mouse("down", 2, 4)
        terminal.mouse("up", 2, 5)
        terminal.wait("The box is selected")
        terminal.press("right")
        terminal.wait(lambda t: t.screen.display[2].startswith("· · ▶ ■ "))
        terminal.mouse("down", 2, 6)
        terminal.mouse("up", 2, 10)  # drag the box to the right
        terminal.wait(lambda t: t.screen.display[2].startswith("· · · ▶ ■ "))
        terminal.mouse("down", 1, 0)
        terminal.mouse("up", 1, 1)
        terminal.wait(lambda t: t.screen.display[1].startswith("▶"))
        terminal.press("enter")
        terminal.wait("Enter: choose")
        terminal.press("esc")
        terminal.wait("X: cursor")
        terminal.press("esc", "y")
        assert terminal.ends() == 0


def test_the_layout_adapts_to_any_terminal_size(tmp_path: Path, home: Path):
    rows = [["."] * 60 for _ in range(50)]
    rows[25][30], rows[24][30], rows[0][0] = "A", "B", "B"
    text = "// rules: walker\n" + "\n".join("".join(row) for row in rows)
    with Terminal("play", write_map(tmp_path, text), "--terminal", home=home, columns=160, rows=60) as terminal:
        terminal.wait("Q: quit")
        assert terminal.screen.display[1].startswith("■ · · · ")
        assert terminal.screen.display[26][60] == "▼"
        terminal.resize(100, 60)  # now each cell is one character wide
        terminal.wait(lambda t: t.screen.display[1].startswith("■···") and t.screen.display[26][30] == "▼")
        terminal.resize(50, 20)  # only part of the board is shown, with the statistics above it
        shown = terminal.wait(lambda t: "of 50 x 60" in t.text and "Stamina 1000" in t.text and "▼" in t.text)
        assert "■" in shown
        terminal.resize(20, 5)
        terminal.wait("needs 30 x 10")
        terminal.resize(100, 30)
        terminal.wait("Q: quit")  # the last line of the frame
        before = len(terminal.written)
        terminal.press("a")
        terminal.wait(lambda t: "◀" in t.text and "alked left" in t.text)
        terminal.press("q")
        assert terminal.ends() == 0
        assert len(terminal.written) - before < 2000  # only changed lines are written


def test_all_text_fits_in_80_columns(tmp_path: Path, home: Path):
    """No text is cut off in the middle of a word. F1 shows the full text."""
    about = (
        "Push the box into the lava. " + "Then think about " + ", ".join(f"thing {i}" for i in range(30)) + ". Done."
    )
    text = f"// A long lesson\n// rules: phase2\n// {about}\n......\n..B..L\n"
    with Terminal("play", write_map(tmp_path, text), "--terminal", home=home, columns=80, rows=24) as terminal:
        shown = terminal.wait("Q: quit").splitlines()
        first, second, keys = [line for line in shown if line][-3:]
        assert keys.startswith("F1: help · Q: quit · Arrows: move · X: cursor") and keys.endswith(
            ("cursor", "undo", "hint", "maps", "agent", "again", "next")
        )
        assert first.startswith("Push the box into the lava. Then") and second.endswith(" … (F1)")
        terminal.press("f1")
        output = " ".join(terminal.wait("Any other key closes the help").split())
        assert f"About this map {about}" in output
        terminal.press("x")
        terminal.wait("Q: quit")
        terminal.press("right")
        terminal.wait("Select a box first: choose it with X.")
        terminal.resize(40, 24)
        terminal.wait(lambda t: "F1: help · Q: quit · Arrows: move" in [line.rstrip() for line in t.screen.display])
        terminal.press("q")
        assert terminal.ends() == 0


def test_messages_are_visible_while_the_cursor_is_shown(tmp_path: Path, home: Path):
    with Terminal("play", write_map(tmp_path, LEAP), "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.press("x", "left")
        terminal.wait("Enter: stand here")
        terminal.press("k")
        terminal.wait("Saved")
        terminal.press("left")
        terminal.wait("Enter: stand here", but_not="Saved")
        terminal.press("p")
        terminal.wait("Hint: Push")
        terminal.press("left")
        terminal.wait("Enter: stand here", but_not="Hint: ")
        terminal.press("q")
        assert terminal.ends() == 0


def test_a_map_with_21_rows_fits_in_24_lines(home: Path):
    with Terminal("play", "16-the-great-dock", "--terminal", home=home, columns=80, rows=24) as terminal:
        shown = terminal.wait("Q: quit").splitlines()
        assert "of 21 x 29" not in shown[0] and shown[1].startswith("▒·■") and shown[21].startswith("▒·■")


# --- leaving


@pytest.mark.parametrize(("how", "code"), [("SIGTERM", 143), ("SIGHUP", 129), ("\x03", 130)])
def test_signals_and_ctrl_c_restore_the_terminal(walker: Terminal, how: str, code: int):
    walker.press("d")
    walker.wait("· ▶ ■ ")
    if how.startswith("SIG"):
        walker.signal(getattr(signal, how))
    else:
        walker.press(how)
    assert walker.ends() == code
    assert walker.as_before()
    assert b"Traceback" not in walker.written


def test_ctrl_s_does_not_stop_the_output(walker: Terminal):
    walker.press("\x13", "d")
    walker.wait("· ▶ ■ ")
    walker.press("q")
    assert walker.ends() == 0
    assert walker.as_before()


def test_ctrl_z_restores_the_terminal_and_fg_resumes_the_game(tmp_path: Path, home: Path):
    script = '"$@"; echo WAITING; read; fg'
    with Terminal("play", write_map(tmp_path, DOCK), "--terminal", home=home, shell=script) as terminal:
        terminal.wait("Q: quit")
        terminal.press("\x1a")
        terminal.wait("WAITING")
        assert terminal.as_before()
        terminal.press("enter")
        terminal.wait(lambda terminal: not terminal.as_before())
        terminal.wait("Q: quit", but_not="WAITING")
        terminal.press("d")
        terminal.wait("· ▶ ■ ")
        terminal.press("q")
        assert terminal.ends() == 0
        assert terminal.as_before()


def test_the_whole_screen_is_redrawn_after_ctrl_z_during_a_frame(monkeypatch: pytest.MonkeyPatch):
    """The program is suspended while it writes a frame. When it resumes, it writes the whole frame again."""
    master, slave = os.openpty()
    set_size(slave, 80, 24)
    with os.fdopen(slave, "r+b", buffering=0) as raw, io.TextIOWrapper(raw, write_through=True) as file:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setattr(sys, "stdout", file)
        screen = TerminalScreen()
        screen.open()
        screen.show(["one", "two"])
        assert not screen.stale
        write = screen.write

        def interrupted(text: str) -> None:
            write(text)
            monkeypatch.setattr(screen, "write", write)
            screen.close()  # Ctrl-Z closes the screen in the same way
            screen.open()

        monkeypatch.setattr(screen, "write", interrupted)
        screen.show(["one", "three"])
        assert screen.stale

        def written(mark: str) -> bytes:
            """Return all output so far. Output arrives in pieces, so write a mark and read until the mark appears."""
            file.write(mark)
            read = b""
            while mark.encode() not in read:
                read += os.read(master, 65536)
            return read

        written("<before>")
        screen.show(["one", "three"])
        assert not screen.stale and b"one" in written("<after>")
        screen.close()
    os.close(master)


def test_an_error_restores_the_terminal(tmp_path: Path, home: Path):
    """There is a file at the path of the settings folder. The error is reported, and the terminal is restored."""
    home.write_text("not a folder")
    with Terminal("play", write_map(tmp_path, DOCK), "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.press("k")
        terminal.wait("cannot save")
        terminal.press("q")
        terminal.ends()
        assert terminal.as_before()
        assert b"Traceback" not in terminal.written


def test_a_missing_terminal_is_reported(tmp_path: Path, home: Path):
    run = subprocess.run(
        [sys.executable, "-m", "shoverworld.cli", "play", write_map(tmp_path, DOCK), "--terminal"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "SHOVERWORLD_HOME": str(home)},
        timeout=PATIENCE,
    )
    assert run.returncode == 2
    assert "playing needs a terminal" in run.stderr
    assert "Traceback" not in run.stderr
    assert "\x1b" not in run.stdout


# --- decoding and drawing


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("wW", ["w", "shift+w"]),
        ("\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        ("\x1bOA\x1bOP\x1bOQ", ["up", "f1", "f2"]),
        ("\x1b[11~\x1b[24~\x1b[[A", ["f1", "f12", "f1"]),
        ("\x1b[1;5C", ["right"]),
        ("\t\x1b[Z \r\n\x7f", ["tab", "shift+tab", "space", "return", "return", "backspace"]),
        ("\x0c", ["ctrl+l"]),
        ("\x1by", ["escape", "y"]),
        ("\x1b[99~\x1b[198~+", ["+"]),
        ("\x1b[200~aB\r\x1b[201~+", [Paste("aB\n"), "+"]),
        ("\x1b[<0;5;3M\x1b[<32;6;3M\x1b[<0;6;3m", [Mouse("down", 2, 4), Mouse("drag", 2, 5), Mouse("up", 2, 5)]),
        ("\x1b[<2;5;3M\x1b[<64;5;3M", []),
        ("\x1b[200~\x1b[201~" * 2000, [Paste("")] * 2000),
    ],
)
def test_keys_have_the_same_names_as_in_the_window(sent: str, keys: list):
    whole, pieces = Decoder(), Decoder()
    assert whole.feed(sent) == keys
    assert [key for letter in sent for key in pieces.feed(letter)] == keys
    assert whole.flush() == pieces.flush() == []


@pytest.mark.parametrize("sent", [f"\x1b[{'9' * 5000}~", f"\x1b[<{'9' * 5000};1;1M", f"\x1b[<1;{'٣' * 5000};1m"])
def test_an_escape_sequence_with_too_many_digits_is_read_as_single_keys(sent: str):
    keys = Decoder().feed(sent)
    assert keys[:2] == ["escape", "["] and len(keys) == len(sent)


def test_a_lone_escape_byte_is_the_escape_key():
    decoder = Decoder()
    assert decoder.feed("\x1b") == []
    assert decoder.flush() == ["escape"]
    assert decoder.feed("\x1b[") == []
    assert decoder.flush() == ["escape", "["]


def test_marks_are_shown_on_cells_and_in_the_legend(tmp_path: Path):
    game = game_named("shover")
    session = Session(game, game.levels.read(str(write_map(tmp_path, SQUARES))), seed=0)
    scene = game.ui.drawing.scene(session.state)
    rows, cols = scene.tiles.shape
    marks = [
        Mark("shade", (1, 1), (0, 0, 255), "7", strength=1.0),
        Mark("arrow", (1, 2), (0, 255, 0), "3", direction=1),
        Mark("arrow", (2, 2), (0, 255, 0), "3, 4", direction=2),
        Mark("frame", (1, 2), (255, 0, 0), "age 3", 2, 2),
    ]
    line = cells.lines(game, scene, cells.BoardPart(0, 0, rows, cols), marks)[1]
    assert line.plain.startswith("▒▒ 73→■ ")
    assert line.get_style_at_offset(console(), 2).bgcolor.get_truecolor() == (0, 0, 255)
    assert line.get_style_at_offset(console(), 7).bgcolor.get_truecolor() == (255, 0, 0)
    output = page(TableText(game, scene, "title", [Figure("Step", "7")], marks=marks), 100, 20)
    assert output.lines[1].plain.endswith("~  Step 7")
    assert (
        output.lines[1].get_style_at_offset(console(), -1).bgcolor is None
    )  # the lava around the board does not extend into the panel
    text = "\n".join(line.plain for line in output.lines)
    assert "● row 1, column 2: age 3" in text
    assert "● row 2, column 2: 3, 4 ↓" in text
    assert output.cell_at(output.row + 2, output.col + 5) == (2, 2)
    assert output.cell_at(0, 0) is None
    assert output.cell_at(output.row, output.col + 2 * cols) is None


def console():
    from rich.console import Console

    return Console()


def test_statistics_have_bars_and_long_values_are_wrapped():
    lines = figure_lines(
        [Figure("Stamina", "500", 0.5), Figure("Why", "there is a barrier beyond the box", tone="bad")], 24
    )
    assert [line.plain for line in lines] == [
        "Stamina 500",
        "        ████████░░░░░░░░",
        "Why     there is a",
        "        barrier beyond",
        "        the box",
    ]


@pytest.mark.parametrize("width", [1, 2])
def test_every_tile_has_a_distinct_glyph(width: int):
    game = game_named("shover")
    tiles = [0, -100, 100, *range(1, 11), *range(200, 204)]
    signs = [game.ui.drawing.glyph(tile, width)[0] for tile in tiles]
    assert {len(sign) for sign in signs} == {width}
    assert len(set(signs)) == len(tiles)


# --- a large screen


def test_a_large_terminal_shows_larger_cells_and_the_best_result_and_the_keys_near_the_board(home: Path):
    with Terminal("play", "01-first-push", "--terminal", home=home, columns=170, rows=52) as terminal:
        terminal.wait("Q: quit")
        lines = terminal.text.split("\n")
        row = next(number for number, line in enumerate(lines) if "▼" in line)
        assert re.search(r"  ▼ +▕ +· +■ +▕", lines[row]), "each cell has six columns"
        assert lines[row - 1][30:36] == lines[row][30:36] == lines[row + 1][30:36] == "~~~~~~", "and three lines"
        assert lines[row].index("■") - lines[row].index("▼") == 12
        assert lines[row + 1][12:18] == "▁▁▁▁▁▕", "an object has a border"
        assert re.search(r"Best possible +3 steps", terminal.text)
        keys = next(number for number, line in enumerate(lines) if "Q: quit" in line)
        assert keys <= 20, "the line of keys is near the board and not at the bottom of the screen"
        box = lines[row].index("■")
        for kind in ("down", "up"):
            terminal.mouse(kind, row + 1, box + 2)  # a corner of the cell
        terminal.wait("The box is selected")
        terminal.press("right", "right", "right")
        assert "Perfect: you matched it!" in terminal.wait("Cleared: no box is left")
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize(("columns", "lines", "size"), [(60, 20, 1), (60, 20, 2), (60, 20, 4), (23, 20, 4)])
def test_cells_are_as_large_as_the_space_and_the_limit_allow(tmp_path: Path, columns: int, lines: int, size: int):
    game = game_named("shover")
    board = game.levels.read(str(write_map(tmp_path, DOCK)))
    scene = game.ui.drawing.thumbnail(board)
    part = cells.part_of(scene, columns, lines, (0, 0), size)
    limit = min(size, columns // 12, lines // 3)
    assert (part.rows, part.cols, part.width, part.height) == (3, 6, 2 * limit, limit)
    shown = cells.lines(game, scene, part)
    assert len(shown) == 3 * limit and {line.cell_len for line in shown} == {12 * limit}


# --- unfinished games


@pytest.mark.parametrize(("columns", "rows", "height"), [(99, 32, 1), (100, 31, 1), (100, 32, 2), (150, 48, 3)])
def test_the_size_of_a_cell_depends_on_the_terminal_as_documented(columns: int, rows: int, height: int):
    game = game_named("shover")
    board = next(board for board in game.levels.boards() if board.name == "01-first-push")
    session = Session(game, board)
    view = page(TableText(game, game.ui.drawing.scene(session.state), "title"), columns, rows).view
    assert view is not None and view.height == height


def test_an_unfinished_game_is_offered_again_and_can_be_continued(tmp_path: Path, home: Path):
    path = write_map(tmp_path, DOCK)
    with Terminal("play", path, "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.press("d", "right")
        terminal.wait("· · ▶ ■ ■ ~~")
        terminal.press("q")
        assert terminal.ends() == 0
        assert "The game has been saved. The next `shover play` offers to continue it." in terminal.text
    with Terminal("play", "--terminal", home=home) as terminal:
        shown = terminal.wait("You left a game on this map after 2 moves. Press T to continue it.")
        assert "▼ · ■ · ■ ~~" in shown and "T: continue" in shown
        terminal.press("t")
        assert re.search(r"Stamina +949", terminal.wait("· · ▶ ■ ■ ~~"))
        terminal.signal(signal.SIGTERM)
        terminal.ends()
    with Terminal("play", path, "--terminal", home=home) as terminal:
        terminal.wait("You left a game on this map after 2 moves.")
