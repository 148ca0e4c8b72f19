"""Tests of untrusted text: file names, titles, agent errors and player names cannot control a terminal."""

import os
from io import StringIO

import pygame
import pytest
from rich.text import Text

from shoverworld.core.replay import Replay
from shoverworld.core.text import one_line, visible
from shoverworld.desktop import theme
from shoverworld.desktop.menu import MenuScreen
from shoverworld.terminal.console import SafeConsole
from tests.commands import run_shover
from tests.terminals import Terminal
from tests.windows import WindowDriver

EVIL = "\x1b]0;owned\x07\x1b[2J[red]:smile:\u202egnp\u200b\x9b31m"  # sets the title, clears the screen, reverses text
SHOWN = "␛]0;owned␇␛[2J[red]:smile:\N{REPLACEMENT CHARACTER}gnp"
ROOM = "#####\n#@$.#\n#####\n"
MAP = "..B..\nA....\n...L.\n"


def shover(*arguments, code=0):
    """Run a command with colours and terminal features switched off, and return its stdout and stderr."""
    run = run_shover(*arguments, variables={"COLUMNS": "300"})
    output = run.stdout + run.stderr
    assert run.returncode == code, output
    assert_harmless(output)
    return output


def assert_harmless(output):
    hidden = {character for character in output if not character.isprintable() and character != "\n"}
    assert not hidden, hidden


# --- the rule


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, Ünïcödé, 日本語, 😀 ✓", "plain text, Ünïcödé, 日本語, 😀 ✓"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("a\x00b\x07c\rd\x08e\x7f", "a␀b␇c␍d␈e␡"),
        ("a\tb\u00a0c\u3000d", "a b c d"),
        ("two\nlines", "two\nlines"),
        ("\x9b31m", "\N{REPLACEMENT CHARACTER}31m"),
        ("\u202eevil\u202c \u2066x\u2069 \u200f", "�evil� �x� �"),
        ("zero\u200bwidth\u200djoin\ufeff\u00ad", "zero�width�join��"),
        ("\u2028line\u2029 \u3164filler \udcff \ue000", "�line� �filler � �"),
    ],
)
def test_hidden_characters_become_visible(text, shown):
    assert visible(text) == shown and len(shown) == len(text)
    assert one_line(f" {text}\n") == " ".join(shown.split())


def test_the_console_shows_control_characters_and_does_not_interpret_markup():
    paper = StringIO()
    console = SafeConsole(file=paper, width=200)
    console.print(EVIL, "x.py:A: [bold]b[/bold]", style="red")
    console.print(Text(EVIL, "bold"))
    first, second = paper.getvalue().splitlines()
    assert first.startswith(SHOWN) and first.endswith("x.py:A: [bold]b[/bold]")
    assert second.startswith(SHOWN.replace("␇", ""))  # Rich itself removes some control characters from a Text object
    assert_harmless(paper.getvalue())


# --- commands


@pytest.fixture
def agent(tmp_path):
    """Return an agent that fails with a malicious message."""
    file = tmp_path / "x.py"
    file.write_text(f"class A:\n    def act(self, obs, info):\n        raise ValueError({EVIL!r})\n")
    return f"{file}:A"


def test_an_agent_error_is_printed_safely(agent, tmp_path):
    output = shover("solve", "01-first-push", "--agent", agent, code=1)
    assert SHOWN in output
    output = shover("watch", "01-first-push", "--agent", agent, "--terminal", code=1)
    assert SHOWN in output and "x.py:A" in output
    out = str(tmp_path / "out")
    output = shover("compare", "01-first-push", "--agents", agent, "--out", out, code=1)
    assert SHOWN in output and "x.py:A: act() raised" in output
    assert_harmless((tmp_path / "out" / "compare.md").read_text(encoding="utf-8"))
    players = f"greedy,{agent}"
    output = shover("tournament", "01-straight", "--races", "1", "--players", players, "--out", out, code=1)
    assert SHOWN in output
    assert_harmless((tmp_path / "out" / "tournament.md").read_text(encoding="utf-8"))


def test_file_names_and_titles_are_printed_safely(tmp_path):
    folder = tmp_path / f"levels{EVIL.replace('/', '')}"
    folder.mkdir()
    (folder / f"{EVIL}.xsb").write_text(f"{ROOM}Title: {EVIL}\nAuthor: {EVIL}\n")
    (folder / "two.xsb").write_text(f"{ROOM}Title: {EVIL} again\n")
    assert SHOWN in shover("solve", str(folder), "--time", "2")
    assert SHOWN in shover("maps", str(folder))
    saved = tmp_path / "saved"
    shover("solve", str(folder / "two.xsb"), "--time", "2", "--save", str(saved))
    (saved / "two.replay").rename(saved / f"{EVIL}.replay")
    assert SHOWN in shover("replay", "--check", str(saved / f"{EVIL}.replay"))
    (folder / f"{EVIL}bad.xsb").write_text("#####\n#@$ #\n#####\n")
    assert SHOWN in shover("solve", str(folder / f"{EVIL}bad.xsb"), code=2)
    assert SHOWN in shover("solve", "two", f"--nosuchoption{EVIL}", code=2)
    assert "there is no agent" in shover("play", "--players", EVIL, "01-straight", code=2)


def test_a_file_name_that_is_not_utf_8_is_printed_safely(tmp_path):
    path = os.fsencode(tmp_path) + b"/map-\xff.txt"
    with open(path, "w") as file:
        file.write(MAP)
    assert "map-\N{REPLACEMENT CHARACTER}" in shover("solve", os.fsdecode(path), "--time", "2")
    assert "map-\N{REPLACEMENT CHARACTER}" in shover("solve", os.fsdecode(tmp_path), "--time", "2")


def test_the_player_name_in_a_replay_is_printed_safely(tmp_path):
    shover("solve", "01-first-push", "--save", str(tmp_path))
    path = tmp_path / "01-first-push.replay"
    saved = path.read_text(encoding="utf-8")
    assert Replay.read(path).player == "planner"
    path.write_text(saved.replace("planner", "[red]:smile:x.py:A:"), encoding="utf-8")
    assert "played by [red]:smile:x.py:A:" in shover("replay", "--terminal", str(path))
    path.write_text(saved.replace("planner", EVIL), encoding="utf-8")  # no replay contains such characters
    assert "contains unprintable characters" in shover("replay", "--check", str(path), code=1)


# --- the terminal and the window


def test_a_terminal_game_shows_untrusted_text_safely(tmp_path):
    path = tmp_path / "level.txt"
    path.write_text(f"// {EVIL}\n// {EVIL}\n{MAP}", encoding="utf-8")
    with Terminal("play", "--terminal", path, home=tmp_path / "home", columns=140) as terminal:
        terminal.wait("Stamina")
        assert "owned" in terminal.text and ":smile:" in terminal.text
        terminal.press("l")
        terminal.wait("Lessons")
        terminal.press("esc", "f1")
        terminal.wait("Esc")
        terminal.press("esc", "q")
        assert terminal.ends() == 0 and terminal.as_before()
    assert b"\x1b]0;owned" not in terminal.written and "\u202e".encode() not in terminal.written
    assert b"\x9b31m" not in terminal.written.replace("\N{REPLACEMENT CHARACTER}".encode(), b"")


@pytest.fixture
def driver(tmp_path, monkeypatch):
    driver = WindowDriver(tmp_path / "home", monkeypatch)
    yield driver
    driver.close()


def test_the_window_shows_untrusted_text_safely(driver, tmp_path):
    name = os.fsdecode(b"\xff" + EVIL.replace("/", "").encode())
    folder = tmp_path / name
    folder.mkdir()
    for number in range(2):
        (folder / f"{name}{number}.txt").write_text(f"// {EVIL}\x00\n{MAP}", encoding="utf-8", errors="surrogateescape")
    menu = driver.open(MenuScreen)
    driver.drop(folder)
    driver.press("b")  # the level browser, whose title is the name of the folder
    driver.frame()
    assert driver.app.screen is not menu
    assert_harmless(pygame.display.get_caption()[0])
    assert theme.written(EVIL).get_width() == theme.written("?]0;owned??[2J[red]:smile:?gnp??31m").get_width()
