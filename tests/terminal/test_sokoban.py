"""Sokoban in a pseudo-terminal: the list of levels, games by keyboard and mouse, hints, and settings."""

import base64
import json
import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("this system has no pseudo-terminals", allow_module_level=True)

from shoverworld.cli import main
from shoverworld.core.replay import Replay
from shoverworld.terminal.keys import Decoder, Paste
from tests.terminals import Terminal

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
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text(LEVELS)
    return path


def test_escape_in_the_list_of_levels_goes_back_to_where_the_player_came_from(levels: Path, home: Path):
    with Terminal("play", f"{levels}#2", "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.press("l")
        terminal.wait("Esc: back")
        terminal.press("esc")
        assert "Two boxes" in terminal.wait("Q: quit")
        terminal.press("q")
        assert terminal.ends() == 0
    with Terminal("play", levels, "--terminal", home=home) as terminal:
        terminal.wait("Esc: quit")
        terminal.press("esc")
        assert terminal.ends() == 0
        assert terminal.as_before() and "not finished" not in terminal.text


def test_solving_a_level_from_the_list_leads_to_the_next_level(levels: Path, home: Path):
    with Terminal("play", levels, "--terminal", home=home) as terminal:
        shown = terminal.wait("G: game")
        assert "Sokoban · three" in shown and "0 of 3 solved" in shown
        assert all(f"{n}  {title}" in shown for n, title in enumerate(("The first", "Two boxes", "A long way"), 1))
        terminal.press("down")
        terminal.wait("2 of 3 · 5 x 7 · not solved yet")
        assert sum("▒▒" in line for line in terminal.text.split("\n")) == 5, (
            "the selected level is drawn next to the list"
        )
        terminal.press("/")
        terminal.wait("Search:")
        terminal.press("f", "i", "r")
        assert "Two boxes" not in terminal.wait("1 found")
        terminal.press("enter")
        start = terminal.wait("Q: quit")
        assert "Sokoban · The first" in start and re.search(r"Pushes +0", start)

        terminal.press("right")
        terminal.wait(lambda t: re.search(r"Moves +1", t.text))
        terminal.press("u")
        terminal.wait(lambda t: re.search(r"Moves +0", t.text))
        terminal.press("d", "d")
        over = terminal.wait("The game is over")
        assert re.search(r"Pushes +1\b", over) and re.search(r"Your best +1 push, 2 moves \(new", over)
        assert re.search(r"three +1 of 3 solved", over)
        terminal.press("k")
        terminal.wait("Saved")

        terminal.press("l")
        listed = terminal.wait("1 of 3 solved", but_not="Your best")
        assert re.search(r"✓ 1  The first +1 push, 2 moves", listed)
        terminal.press("n")
        terminal.wait("2 of 3 · ")
        terminal.press("esc")
        terminal.wait("Saved")
        terminal.press("tab")
        terminal.wait("Two boxes")
        terminal.press("q")
        assert terminal.ends() == 0 and terminal.as_before()
    (saved,) = (home / "replays").glob("*.replay")
    assert Replay.read(saved).steps == 2
    settings = json.loads((home / "settings.json").read_text())
    assert (settings["game"], settings["collection"], settings["board"]) == ("sokoban", str(levels), "three#2")
    with Terminal("play", "--terminal", home=home) as terminal:
        assert "Two boxes" in terminal.wait("Q: quit"), "the selection is unchanged"
        terminal.press("j")
        terminal.wait("A long way")
        terminal.press("j")
        terminal.wait("Two boxes")  # the first level is solved
        terminal.press("l")
        terminal.wait("1 of 3 solved")
        terminal.press("g")
        terminal.wait("Grid race · Tracks")
        terminal.press("g")
        terminal.wait("Shover-World · Lessons")
        terminal.press("enter")
        terminal.wait("First push · milestone1")
        terminal.press("q")
        assert terminal.ends() == 0


def test_hints_and_agents_and_walks_work_in_the_terminal(levels: Path, home: Path):
    with Terminal("play", f"{levels}#3", "--terminal", home=home) as terminal:
        shown = terminal.wait("Q: quit")
        assert "A long way" in shown
        terminal.press("p")
        assert "Hint:" in terminal.wait("first of")
        lines = terminal.text.split("\n")
        row = next(n for n, line in enumerate(lines) if "[]" in line)  # the row of the box
        col = lines[row].index("[]")
        terminal.mouse("down", row, col - 2)
        terminal.mouse("up", row, col - 2)
        terminal.wait(lambda t: re.search(r"Moves +4", t.text))  # the walk leads around the wall and along the corridor
        terminal.press("u")
        terminal.wait(lambda t: re.search(r"Moves +0", t.text))
        terminal.press("space")
        over = terminal.wait("The game is over")
        assert re.search(r"Played by +planner", over) and re.search(r"Help from +hint", over)
        assert "Your best" not in over
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["LEVELS", "--level", "9"], "three.txt has no level 9; its levels are 1 to 3"),
        (["POEM"], "for Shover-World: "),
        (["POEM"], "for Sokoban: "),
        (["LEVELS", "--game", "shover"], "three.txt"),
        (["sokoban", "--game", "shover"], "specify only one game"),
        (["shoverworld/Sokoban-v0", "--game", "shover"], "belongs to sokoban"),
        (["LEVELS#1", "--rules", "walker"], "the presets are 'sokoban', 'pull', 'fixed', 'two'"),
    ],
)
def test_play_reports_errors_without_starting_a_game(levels, home, tmp_path, arguments, message, capsys, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(home))
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    given = [a.replace("LEVELS", str(levels)).replace("POEM", str(tmp_path / "poem.txt")) for a in arguments]
    assert main(["play", *given, "--terminal"]) == 2
    assert message in capsys.readouterr().err


def test_the_title_shows_the_number_of_the_level_in_the_collection(levels: Path, home: Path):
    with Terminal("play", f"{levels}#2", "--terminal", home=home) as terminal:
        assert terminal.wait("Q: quit").startswith("Sokoban · Two boxes · sokoban · three, 2 of 3")
        terminal.press("tab")
        terminal.wait("three, 3 of 3")


def test_the_envs_command_wraps_lines_in_a_narrow_terminal(home: Path):
    with Terminal("envs", home=home, columns=80, rows=140) as terminal:
        assert terminal.ends() == 0
        lines = terminal.text.split("\n")
    place = lines.index("shoverworld/PushAndPull-Sokoban-v5")
    assert lines[place + 1].startswith("    boxes can also be pulled; size 13x11, boxes 5, steps 300")
    assert "│" not in terminal.text and "…" not in terminal.text


def test_a_game_can_be_started_from_an_environment_id(home: Path):
    with Terminal("play", "shoverworld/Sokoban-small-v0", "--seed", "5", "--terminal", home=home) as terminal:
        assert "Sokoban-small-v0, seed 5" in terminal.wait("Q: quit")
        terminal.press("n")
        terminal.wait("Sokoban-small-v0, seed 6")
        terminal.press("q")
        assert terminal.ends() == 0


# --- the clipboard


def test_levels_and_moves_can_be_copied_and_pasted(levels: Path, home: Path):
    with Terminal("play", f"{levels}#1", "--terminal", home=home) as terminal:
        terminal.wait("Q: quit")
        terminal.press("right", "C")
        terminal.wait("Copied the moves to the clipboard: r")
        assert b"\x1b]52;c;" + base64.b64encode(b"r") + b"\x07" in terminal.written
        terminal.press("c")
        terminal.wait("Copied the level to the clipboard")
        copied = base64.b64decode(terminal.written.rpartition(b"\x1b]52;c;")[2].partition(b"\x07")[0]).decode()
        assert copied.splitlines()[1:] == ["######", "#@ $.#", "######"]
        terminal.press("\x16")  # Ctrl+V
        terminal.wait("paste with your terminal's paste key")

        terminal.press("\x1b[200~rR\x1b[201~")
        terminal.wait("move 2 of 2")
        shown = terminal.wait("Solved: every box is on its target")
        assert "rR▏" in shown and "Esc: back" in shown
        terminal.press("\x1b[H")
        assert "▏rR" in terminal.wait("move 0 of 2")
        terminal.press("right", "esc")
        terminal.wait("Q: quit")
        assert "r▏" in terminal.text, "the game itself is unchanged"

        terminal.press("\x1b[200~; Pasted\r######\r#@$. #\r######\x1b[201~")
        terminal.wait("Opened the pasted level")
        terminal.press("right")
        terminal.wait("Solved: every box is on its target")
        terminal.press("v")
        terminal.wait("Pasted · move")
        terminal.press("esc", "\x1b[200~rubbish\x1b[201~")
        terminal.wait("contains neither a level nor moves")
        terminal.press("q")
        assert terminal.ends() == 0
        assert terminal.as_before() and terminal.written.rfind(b"\x1b[?2004l") > terminal.written.rfind(b"\x1b[?2004h")


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_pasted_text_may_arrive_in_pieces(size: int):
    sent = "a\x1b[200~" + "#$.@\r\n" * 100 + "\x1b[A\x1b[201~b\x1b[A"
    decoder, keys = Decoder(), []
    for start in range(0, len(sent), size):
        keys += decoder.feed(sent[start : start + size])
    assert keys == ["a", Paste("#$.@\n" * 100 + "\x1b[A"), "b", "up"]
