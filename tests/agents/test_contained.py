"""Tests of ordinary agents in the sandbox: everything that an honest agent needs still works."""

import os
import sys
import time

import pytest

from shoverworld import ShoverWorldEnv
from shoverworld.agents import pipe
from shoverworld.agents.host import Containment, ProcessHost
from shoverworld.agents.load import alone_in_folder
from shoverworld.agents.pipe import Allowance, Printer, TooLate, depth
from shoverworld.agents.referee import play
from shoverworld.cli import main
from shoverworld.core.errors import AgentError
from shoverworld.core.task import recipe_of
from shoverworld.games import game_named
from shoverworld.play.agent_player import AgentPlayer
from shoverworld.play.session import Session
from shoverworld.sandbox import Protection
from shoverworld.sandbox.protection import TRUST
from tests.commands import run_shover
from tests.sandboxes import needs_bubblewrap

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
BOARD = """
    . . B .
    . . . .
    . . B A
"""
PUSHES = [(0, 2, 1), (0, 3, 1), (2, 2, 1), (2, 3, 1)]
SKILLED = """
import json
from pathlib import Path

import numba
import numpy as np
from helper import REST

FIRST = json.loads(Path(__file__).with_name("data.json").read_text())


@numba.njit(cache=True)
def twice(x):
    return 2 * x


def act(obs, info):
    with open("/tmp/notes.txt", "a") as notes:
        notes.write(".")
    assert twice(np.arange(3)).tolist() == [0, 2, 4]
    return [*FIRST, *REST][info["timestep"]]
"""


def refereed(spec, **keywords):
    env = ShoverWorldEnv(rules="phase2", max_timestep=20)
    return play(env, str(spec), seed=1, options={"map": BOARD}, **keywords)


@pytest.fixture
def skilled(tmp_path):
    """A folder with an agent that uses a module and a data file beside it, NumPy, Numba and /tmp."""
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "agent.py").write_text(SKILLED)
    (folder / "helper.py").write_text(f"REST = {PUSHES[1:]}\n")
    (folder / "data.json").write_text("[[0, 2, 1]]")
    return folder


@needs_bubblewrap
def test_a_folder_is_an_agent_that_can_use_its_files_and_installed_packages(skilled):
    game = refereed(skilled)
    assert (game.outcome, game.error, game.actions, game.failure) == ("cleared", None, PUSHES, None)
    assert game.protection is Protection.strongest()
    assert 0 < game.seconds <= game.cpu_seconds < 20 and game.wall_seconds > 0
    assert sorted(path.name for path in skilled.iterdir()) == ["agent.py", "data.json", "helper.py"]


@needs_bubblewrap
def test_a_file_can_use_its_folder_only_if_it_is_given(skilled):
    assert refereed(skilled / "agent.py", siblings=True).outcome == "cleared"
    game = refereed(skilled / "agent.py")
    assert game.failure == "load" and "No module named 'helper'" in game.error


def test_agents_in_the_same_folder_do_not_see_one_another(tmp_path):
    one, two, three = (str(tmp_path / name) for name in ("one.py", "two.py", "sub/three.py:Agent"))
    assert not alone_in_folder(one, [one, two, "planner"]) and alone_in_folder(three, [one, two, three])
    assert alone_in_folder(one, [one, "planner"]) and not alone_in_folder("planner", [one, "planner"])


@pytest.mark.parametrize(
    ("code", "failure", "error"),
    [
        ("import numpy, math, helper", None, ""),
        ("import gymnasium", "import", "the module 'gymnasium' may not be imported here; allowed are the standard library and numpy"),
        ("from shoverworld import solve", "import", "the module 'shoverworld' may not"),
        ("__import__('shoverworld.search')", "import", "the module 'shoverworld.search' may not"),
        ("import sys; sys.path.append(__file__[:-8] + 'site-packages'); import inner", "import", "the module 'gymnasium' may"),
        ("import nothing_of_this_name", "load", "No module named 'nothing_of_this_name'"),
    ],
)  # fmt: skip
def test_imports_can_be_restricted(tmp_path, code, failure, error):
    (tmp_path / "helper.py").write_text("import numpy.linalg")
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "inner.py").write_text("import gymnasium")
    (tmp_path / "agent.py").write_text(f"{code}\n\n\ndef act(obs, info):\n    return {PUSHES}[info['timestep']]\n")
    game = refereed(tmp_path, allow_imports=["numpy"])
    assert game.failure == failure and error in (game.error or ""), game.error


def test_an_agent_that_is_trusted_runs_without_a_sandbox(tmp_path, monkeypatch):
    written = tmp_path / "written"
    (tmp_path / "mine.py").write_text(f"def act(obs, info):\n    open({str(written)!r}, 'w')\n    return 'nothing'\n")
    game = refereed(tmp_path / "mine.py")
    assert game.failure == "error" and not written.exists()
    monkeypatch.setenv(TRUST, "1")
    game = refereed(tmp_path / "mine.py")
    assert (game.failure, game.protection, written.exists()) == ("answer", Protection.NONE, True)


def test_the_command_line_can_trust_an_agent(tmp_path):
    written = tmp_path / "written"
    (tmp_path / "mine.py").write_text(f"open({str(written)!r}, 'w')\n\n\ndef act(obs, info):\n    return 0, 0, 1\n")
    command = ("solve", "01-first-push", "--agent", tmp_path / "mine.py")
    run = run_shover(*command)
    assert "cannot be imported" in run.stdout and not written.exists()
    run = run_shover(*command, "--trust")
    assert "cannot be imported" not in run.stdout and written.exists(), run.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["watch", "01-first-push", "--terminal", "--agent", "AGENT"],
        ["compare", "01-first-push", "--agents", "AGENT", "--out", "OUT"],
        ["tournament", "01-straight", "--players", "AGENT,random", "--races", "1", "--out", "OUT"],
    ],
    ids=lambda command: command[0],
)
def test_every_command_contains_agents_from_files(tmp_path, command):
    written, agent = tmp_path / "written", tmp_path / "mine.py"
    agent.write_text(f"open({str(written)!r}, 'w')\n\n\ndef act(obs, info):\n    return 0\n")
    main([word.replace("AGENT", str(agent)).replace("OUT", str(tmp_path / "out")) for word in command])
    assert not written.exists()
    main([word.replace("AGENT", str(agent)).replace("OUT", str(tmp_path / "out")) for word in [*command, "--unsafe"]])
    assert written.exists()
    if command[0] != "watch":
        report = tmp_path / "out" / {"compare": "compare.md", "tournament": "tournament.md"}[command[0]]
        assert "Agents from files ran without a sandbox." in report.read_text("utf-8")


def test_the_window_and_the_web_player_contain_agents_from_files(tmp_path):
    """Both let an `AgentPlayer` play."""
    written, agent = tmp_path / "written", tmp_path / "mine.py"
    agent.write_text(f"def act(obs, info):\n    open({str(written)!r}, 'w')\n    return 0, 0, 1\n")
    game = game_named("shover")
    player = AgentPlayer(Session(game, game.levels.boards()[0]), str(agent))
    player.poll()
    while player.thinking:  # the test's time limit ends this loop
        time.sleep(0.01)
    with pytest.raises(AgentError, match="Errno"):
        player.poll()
    player.close()
    assert not written.exists() and player.ended(60)


def test_writing_to_a_process_that_does_not_read_has_a_deadline(tmp_path):
    (tmp_path / "agent.py").write_text(
        "import os, signal\n\n\ndef act(obs, info):\n    os.kill(os.getpid(), signal.SIGSTOP)\n"
    )
    env = ShoverWorldEnv(rules="phase2")
    env.reset(seed=1)
    host = ProcessHost(str(tmp_path), recipe_of(env), env.get_state(), Containment())
    try:
        host.ask(10.0, "load", str(tmp_path), {}, 1)
        os.kill(host._process.pid, 19)  # SIGSTOP
        with pytest.raises(TooLate):
            host.ask(10.0, "act", *[(0, 0, 1)] * 200_000, wall=0.3)
    finally:
        host.close()


class Starved:
    """A process that has used no processor time and could not run for `seconds`."""

    def __init__(self, seconds):
        self.seconds, self.paused = seconds, 0.0

    def cpu_seconds(self):
        return 0.0

    def starved_seconds(self):
        return self.seconds + self.paused


def test_the_time_of_a_machine_that_is_busy_does_not_count(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(pipe.time, "monotonic", lambda: now[0])
    process = Starved(3.0)
    allowance = Allowance(process, 10.0, 5.0)
    for now[0] in (1.0, 101.0, 102.0, 103.0, 104.0, 105.0):  # the referee was stopped, and the agent with it
        assert 0 <= allowance.left() <= 1
    assert process.paused == 98.0
    now[0] = 106.5  # 5 s, 3 s of another program and 98 s of a break
    with pytest.raises(TooLate):
        allowance.left()


def test_the_kernel_reports_how_long_a_process_could_not_run(tmp_path):
    (tmp_path / "agent.py").write_text("def act(obs, info):\n    return 0, 0, 1\n")
    env = ShoverWorldEnv(rules="phase2")
    env.reset(seed=1)
    host = ProcessHost(str(tmp_path), recipe_of(env), env.get_state(), Containment())
    try:
        assert host._process.paused < 0  # at least some nanoseconds until the agent was ready
        host.ask(60.0, "load", str(tmp_path), {}, 1)
        assert host._process.starved_seconds() >= 0
    finally:
        host.close()
    assert host._process.starved_seconds() == 0  # unknown after the end


def test_output_is_shown_up_to_a_limit(capsys):
    printer = Printer("mine.py")
    for _ in range(40):
        printer.add(b"\x1b[2J" + b"x" * 50_000)
    printer.add(b"\nend\n")
    printer.end()
    shown = capsys.readouterr().err
    assert len(shown) < 1_200_000 and "\x1b" not in shown and shown.endswith("mine.py: (further output is not shown)\n")


@pytest.mark.parametrize(
    ("line", "levels"),
    [(b"[1, 2, 3]", 0), (b"[" * 60_000, 60_000), (b"[" * 40 + b"]" * 40, 40), (b'"' + b"[" * 100 + b'"', 0), (b"[]" * 50, 1)],
)  # fmt: skip
def test_the_depth_of_an_answer_is_known_before_it_is_read(line, levels):
    assert depth(line) == levels
