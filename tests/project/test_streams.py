"""Tests of commands whose streams are closed, full, unread, or in an encoding that lacks some characters."""

import os
import subprocess
import sys

import pytest

from tests.terminals import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tests use a POSIX shell")


def shell(script, *arguments, **variables):
    """Run a bash script in which "$@" stands for `shover` with these arguments."""
    program = [sys.executable, "-m", "shoverworld.cli", *map(str, arguments)]
    return subprocess.run(
        ["bash", "-c", script, "bash", *program],
        capture_output=True, encoding="utf-8", errors="replace", timeout=280, env={**os.environ, **variables},
    )  # fmt: skip


@pytest.mark.parametrize("command", [["envs"], ["maps"], ["solve", "01-first-push"], ["--help"]])
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_cause_no_error(command, closed):
    run = shell(f'"$@" {closed}', *command)
    assert run.returncode == 0 and not run.stderr


def test_an_error_is_reported_by_the_exit_code_if_the_streams_are_closed():
    run = shell('"$@" >&- 2>&-', "solve", "no-such-map")
    assert run.returncode == 2 and not run.stdout and not run.stderr


def test_playing_without_input_is_reported_as_an_error():
    run = shell('"$@" <&-', "play", "--terminal", "01-first-push")
    assert run.returncode == 2 and "playing needs a terminal" in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("command", [["envs"], ["solve", "--help"], ["generate", 300]])
def test_a_reader_that_closes_the_pipe_early_causes_no_error(command):
    run = shell('set -o pipefail; "$@" | head -1', *command)
    assert run.returncode == 0 and run.stdout.count("\n") == 1 and not run.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("command", [["envs"], ["generate"]])
def test_a_full_disk_is_reported_once(command):
    run = shell('"$@" > /dev/full', *command)
    assert run.returncode == 2
    assert run.stderr == f"shover {command[0]}: No space left on device\n"


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_characters_that_the_encoding_lacks_cause_no_error(variables):
    run = shell('"$@"', "watch", "01-first-push", "--all", **variables)
    assert run.returncode == 0 and "cleared after 3 steps" in run.stdout and not run.stderr
    run = shell('"$@"', "envs", **variables)
    assert run.returncode == 0 and "shoverworld/Race-v0" in run.stdout and not run.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_game_can_be_played_in_a_terminal_without_utf8(tmp_path, encoding):
    variables = {"PYTHONIOENCODING": encoding}
    with Terminal("play", "--terminal", "01-first-push", home=tmp_path, variables=variables) as terminal:
        terminal.wait("Stamina")
        terminal.press("f1")
        terminal.wait("Esc")
        terminal.press("esc", "l")  # open the list of levels
        terminal.wait("Lessons")
        terminal.press("esc", "q")
        assert terminal.ends() == 0 and terminal.as_before()
    assert b"Traceback" not in terminal.written and b"\xe2" not in terminal.written  # no UTF-8 sequence was written


def test_a_path_with_an_unknown_user_causes_no_traceback():
    for place in ("~nosuchuser", "~nosuchuser/level.txt"):
        run = shell('"$@"', "edit", place)
        assert run.returncode == 2 and "~nosuchuser" in run.stderr and "Traceback" not in run.stderr
