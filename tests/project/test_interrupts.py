"""Tests of Ctrl-C in long-running commands, which keep the finished work and report how much was finished."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from shoverworld.sandbox.protection import TRUST
from shoverworld.sokoban import read_levels
from tests.terminals import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send SIGINT")

# The agent plays two games and then waits, so that the test knows when to press Ctrl-C. It writes files to tell the test,
# so it runs without the sandbox.
WAITS = """
import pathlib, time
games = pathlib.Path(__file__).with_name("games")

class Waits:
    def __init__(self):
        played = int(games.read_text()) if games.exists() else 0
        games.write_text(str(played + 1))
        if played == 2:
            games.with_name("waiting").write_text("")
            time.sleep(300)

    def act(self, obs, info):
        return ACTION
"""


def interrupted(folder, *arguments, ready):
    """Start a command, press Ctrl-C when `ready` returns true, and return the exit code, the output and the errors."""
    child = subprocess.Popen(
        [sys.executable, "-m", "shoverworld.cli", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True,
        env={**os.environ, TRUST: "1"},
    )  # fmt: skip
    until = time.monotonic() + 240
    while not ready() and time.monotonic() < until:
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGINT)  # a terminal sends the signal to the whole process group
    output, errors = child.communicate(timeout=120)
    assert "Traceback" not in errors
    return child.returncode, output, errors


def agent(folder, action):
    (folder / "waits.py").write_text(WAITS.replace("ACTION", action))
    return f"{folder / 'waits.py'}:Waits"


def test_compare_writes_the_tables_for_the_finished_games(tmp_path):
    mine = agent(tmp_path, "(0, 0, 1)")
    code, output, errors = interrupted(
        tmp_path, "compare", "lessons", "--agents", f"greedy,{mine}", "--out", "out",
        ready=(tmp_path / "waiting").exists,
    )  # fmt: skip
    assert code == 130 and errors == "shover compare: interrupted after 5 of 32 games\n"
    assert re.search(r"^greedy +3 ", output, re.M) and re.search(r"^waits.py:Waits +2 ", output, re.M)
    assert len((tmp_path / "out" / "compare.csv").read_text().splitlines()) == 1 + 5
    assert "Interrupted after 5 of 32 games." in (tmp_path / "out" / "compare.md").read_text()


def test_tournament_writes_the_tables_for_the_finished_games(tmp_path):
    mine = agent(tmp_path, "4")
    code, output, errors = interrupted(
        tmp_path, "tournament", "01-straight", "--players", f"greedy,{mine}", "--races", 9, "--out", "out",
        ready=(tmp_path / "waiting").exists,
    )  # fmt: skip
    assert code == 130 and errors == "shover tournament: interrupted after 2 of 18 games\n"
    assert "2 of 18 games with 2 players each on 1 track" in output
    assert len((tmp_path / "out" / "tournament.csv").read_text().splitlines()) == 1 + 2 * 2
    assert "2 of 18 games" in (tmp_path / "out" / "tournament.md").read_text()


def test_an_interrupt_before_the_first_game_ends_writes_no_table(tmp_path):
    mine = agent(tmp_path, "(0, 0, 1)")
    (tmp_path / "games").write_text("2")
    code, output, errors = interrupted(
        tmp_path, "compare", "01-first-push", "--agents", mine, "--out", "out", ready=(tmp_path / "waiting").exists
    )
    assert code == 130 and errors == "shover compare: interrupted after 0 of 1 game\n" and not output
    assert not any((tmp_path / "out").iterdir())


def test_solve_keeps_the_solutions_of_the_finished_levels(tmp_path):
    mine = agent(tmp_path, "1")
    code, output, errors = interrupted(
        tmp_path, "solve", "tiny", "--agent", mine, "--out", "solved.xsb", ready=(tmp_path / "waiting").exists
    )
    assert code == 130 and errors == "shover solve: interrupted after 2 of 60 levels\n"
    assert output.count("\ntiny-") == 2 and (tmp_path / "solved.xsb").exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_generate_keeps_the_finished_levels(tmp_path, jobs):
    tracks = tmp_path / "tracks"
    code, output, errors = interrupted(
        tmp_path, "generate", "race", 100_000, "--jobs", jobs, "--out", tracks,
        ready=lambda: tracks.exists() and any(tracks.glob("*.txt")),
    )  # fmt: skip
    done = len(list(tracks.glob("*.txt")))
    assert code == 130 and done > 0
    assert errors == f"shover generate: interrupted after {done:,} of 100,000 tracks\n"
    assert output.startswith(f"Saved {done:,} track")


def test_generate_writes_the_finished_levels_to_a_single_file(tmp_path):
    command = "generate", "sokoban", 100_000, "--jobs", 1, "--size", "7x7", "--out", tmp_path / "levels.xsb"
    with Terminal(*command, home=tmp_path) as terminal:
        terminal.wait(lambda terminal: re.search(r"[1-9]\d*/100000", terminal.text))  # wait for the progress bar
        terminal.press("\x03")
        assert terminal.ends() == 130
        text = " ".join(terminal.text.split())
    done = len(read_levels(tmp_path / "levels.xsb"))
    assert done > 0 and f"interrupted after {done:,} of 100,000 levels" in text
