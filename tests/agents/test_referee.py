"""Tests of the referee, which runs valid and faulty agents and must survive all of them."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from shoverworld import ShoverWorldEnv
from shoverworld.agents import PlanAgent, RandomAgent
from shoverworld.agents.host import numbers, plain
from shoverworld.agents.load import load, names
from shoverworld.agents.referee import play
from shoverworld.core.errors import AgentError, ConfigError, ShoverWorldError
from shoverworld.sandbox import Protection
from tests.sandboxes import needs_bubblewrap

# Each box is pushed twice and burns at the right edge. In phase2, the directions z are 0 up, 1 right, 2 down, 3 left.
BOARD = """
    . . B .
    . . . .
    . . B A
"""
PUSHES = [(0, 2, 1), (0, 3, 1), (2, 2, 1), (2, 3, 1)]


def dock(**keywords):
    return ShoverWorldEnv(rules="phase2", **keywords)


@pytest.fixture
def write(tmp_path):
    """Return a function that writes an agent file from the body of `act`, other methods, and lines above the class."""

    def write(act="return PUSHES[info['timestep']]", more="", top="", name="mine.py"):
        lines = [top, f"PUSHES = {PUSHES}", "class Mine:", *(f"    {line}" for line in more.splitlines())]
        lines += ["    def reset(self, info): pass"] if "def reset" not in more else []
        lines += ["    def act(self, obs, info):", *(f"        {line}" for line in act.splitlines())]
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return write


def referee(path, **keywords):
    return play(dock(), path, seed=1, options={"map": BOARD}, **keywords)


def line_of(path, text):
    """Return the number of the first line that contains this string."""
    return next(n for n, line in enumerate(Path(path).read_text().splitlines(), 1) if text in line)


# --- valid agents


def test_an_agent_from_a_file_plays_a_game(write):
    """The agent has no constructor, prints a lot, returns arrays and ((row, col), z), and overwrites its arguments."""
    path = write(
        act="""
print("x" * 100_000)
row, col, z = PUSHES[info['timestep']]
assert obs["grid"][row, col] == 10 and info["number_of_boxes"] == 2 - info["timestep"] // 2
obs["grid"][:] = 0
info.clear()
self.plan = {"left": [np.int64(3)], "of": {(1, 2)}}
return np.array([row, col, z]) if row else ((row, col), z)""",
        top="import numpy as np",
    )
    seen = []
    game = referee(path, on_step=lambda step, action, obs, info: seen.append((step, action, info["number_of_boxes"])))
    assert (game.outcome, game.error, game.steps, game.info["number_destroyed"]) == ("cleared", None, 4, 2)
    assert game.actions == PUSHES and all(type(x) is int for action in game.actions for x in action)
    assert game.figures["stamina"] == 1000 - 2 * (50 + 10) + 2 * 40  # on its second push, each box is already in motion
    assert game.invalid_actions == 0
    assert 0 < game.first_success < game.seconds
    assert game.plan == {"left": [3], "of": [[1, 2]]}
    assert seen == [(1, PUSHES[0], 2), (2, PUSHES[1], 1), (3, PUSHES[2], 1), (4, PUSHES[3], 0)]


def test_an_agent_that_changes_its_copy_of_the_game_does_not_affect_the_real_game(write):
    """On its copy of the game, the agent burns both boxes, starts other games and adds stamina."""
    path = write(
        act="""
assert self.env.observe()[1]["timestep"] == info["timestep"]
assert (self.env.observe()[0]["grid"] == obs["grid"]).all()
state = self.env.get_state()
if info["timestep"] < 4:  # not on the last step
    self.env.step((0, 2, 0))
    self.env.step((2, 2, 2))
    assert self.env.outcome == "cleared"
if info["timestep"] == 1:
    self.env.reset(options={"map": "B."})
if info["timestep"] == 2:
    state.game["stamina"] = 10_000
    self.env.set_state(state)
return 1, 1, 1""",
        more="def __init__(self, env, seed): self.env = env.unwrapped; assert seed == 1",
    )
    game = play(dock(max_timestep=5), path, seed=1, options={"map": BOARD})
    assert (game.outcome, game.error, game.steps) == ("timeout", None, 5)
    assert (game.invalid_actions, game.info["number_destroyed"], game.first_success) == (
        5,
        0,
        None,
    )  # there is no box at (1, 1)
    assert game.figures["stamina"] == 1000


def test_the_text_that_an_agent_prints_can_be_shown(write, capfd):
    assert (
        referee(write("print('thinking of', info['timestep'])\nreturn PUSHES[info['timestep']]"), prints=True).steps
        == 4
    )
    output = capfd.readouterr()
    assert output.err.splitlines() == [f"mine.py: thinking of {step}" for step in range(4)] and output.out == ""


def test_built_in_agents_play_reproducibly():
    game = referee("planner")
    assert (game.outcome, game.steps, game.info["number_destroyed"]) == ("cleared", 2, 2)
    assert game.plan.status == "solved" and game.plan.actions == game.actions
    one, two = (play(dock(map_path="05-over-the-edge"), "random", seed=3) for _ in range(2))
    assert one.actions == two.actions and one.steps > 0 and one.invalid_actions == 0
    other = play(dock(map_path="05-over-the-edge"), "random", seed=3, agent_options={"seed": 4})
    assert other.actions != one.actions


def test_the_referee_closes_an_environment_that_a_function_created():
    closed = []

    class Dock(ShoverWorldEnv):
        def close(self):
            closed.append(self)

    assert play(lambda: Dock(rules="phase2"), "random", seed=1).error is None
    env = Dock(rules="phase2")
    assert play(env, "random", seed=1).error is None
    assert len(closed) == 1 and closed[0] is not env


# --- faulty agents

ROW_COL_Z = "expected integers (row, col, z) with row 0-2, col 0-3, z 0-5"


@pytest.mark.parametrize(
    ("act", "error"),
    [
        ("return None", f"act() returned None at step 1: {ROW_COL_Z}"),
        ("return 'north'", f"act() returned 'north' at step 1: {ROW_COL_Z}"),
        ("return PUSHES[0] if obs['previous_action'] < 0 else (3, 0, 1)", "act() returned (3, 0, 1) at step 2: expected"),
        ("if info['timestep']:\n    1 / 0\nreturn PUSHES[0]", "act() raised ZeroDivisionError: division by zero (mine.py, line {1 / 0}) at step 2"),
        ("import sys; sys.exit(4)", "act() raised SystemExit: 4 (mine.py, line {sys.exit}) at step 1"),
        ("import os; os._exit(3)", "act() ended the agent's process with exit code 3 at step 1"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "act() ended the agent's process with signal 11 (Segmentation fault) at step 1"),
        ("raise KeyboardInterrupt", "act() raised KeyboardInterrupt"),
    ],
)  # fmt: skip
def test_errors_in_the_act_method_are_reported(write, act, error):
    path = write(act)
    game = referee(path)
    if "{" in error:
        before, _, rest = error.partition("{")
        text, _, end = rest.partition("}")
        error = f"{before}{line_of(path, text)}{end}"
    assert game.outcome == "failed" and game.error.startswith(error)
    assert game.steps == len(game.actions) == (1 if "step 2" in error else 0)
    assert game.figures["stamina"] == (950 if game.steps else 1000)  # the result includes the steps before the error


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"more": "def reset(self, info): info['nothing']"}, "reset() raised KeyError: 'nothing' (mine.py, line {def reset})"),
        ({"more": "def __init__(self, env): env.fly()"}, "Mine(env) raised AttributeError: 'ShoverWorldEnv' object has no attribute 'fly' (mine.py, line {def __init__})"),
        ({"top": "import nothing_of_this_name"}, "mine.py cannot be imported: ModuleNotFoundError: No module named 'nothing_of_this_name' (mine.py, line 1)"),
    ],
)  # fmt: skip
def test_errors_before_the_first_step_are_reported(write, parts, error):
    path = write(**parts)
    if "{" in error:
        error = error[: error.index("{")] + str(line_of(path, error[error.index("{") + 1 : -2])) + ")"
    game = referee(path)
    assert (game.outcome, game.error, game.steps, game.seconds < 60) == ("failed", error, 0, True)


SWALLOWS = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass"""


@pytest.mark.parametrize(
    ("parts", "limits", "error"),
    [
        ({"act": SWALLOWS}, {"step_limit": 0.3}, "act() took longer than 0.3 s at step 1: stopped"),
        ({"act": "import time; time.sleep(1e6)"}, {"time_limit": 0.3, "wall_limit": 3}, "act() exceeded the limit of 0.3 s per game at step 1: stopped (the agent was waiting, not computing)"),
        ({"more": "def reset(self, info):\n    while True: pass"}, {"time_limit": 0.3}, "reset() exceeded the limit of 0.3 s per game: stopped"),
        ({"top": "while True: pass"}, {"load_limit": 0.3}, "loading the agent took longer than 0.3 s: stopped"),
    ],
)  # fmt: skip
def test_an_agent_that_exceeds_a_time_limit_is_stopped(write, parts, limits, error):
    game = referee(write(**parts), **limits)
    assert (game.outcome, game.error, game.steps, game.failure) == ("failed", error, 0, "time")


def test_the_time_limit_for_a_built_in_agent_is_checked_when_the_agent_returns():
    game = referee("planner", time_limit=0)
    assert game.error == "reset() exceeded the limit of 0 s per game: stopped"


def children(pid):
    """Return the ids of the processes that a process has started, and of those that they have started."""
    found = [int(word) for task in Path(f"/proc/{pid}/task").glob("*/children") for word in task.read_text().split()]
    return found + [inner for child in found for inner in children(child)]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(condition):
    """Wait for the condition to hold, at most until the time limit of the test."""
    while not condition():
        time.sleep(0.02)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the process state from /proc")
@pytest.mark.parametrize(
    "protection", [Protection.NONE, Protection.LANDLOCK, pytest.param(Protection.BUBBLEWRAP, marks=needs_bubblewrap)]
)
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_agent_process_is_left_behind(write, end, protection):
    """The agent process ends when the user presses Ctrl-C and when the referee is killed."""
    path = write("print('thinking')" + SWALLOWS)
    code = f"""
from shoverworld import ShoverWorldEnv
from shoverworld.agents.referee import play
try:
    play(ShoverWorldEnv(rules="phase2"), {path!r}, time_limit=None, prints=True, protection={protection.value!r})
except KeyboardInterrupt:
    print("stopped")
"""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stderr.readline() == "mine.py: thinking\n"
    pids = children(run.pid)
    assert pids and all(map(alive, pids))
    run.send_signal(end)
    output, _ = run.communicate()
    assert output == ("stopped\n" if end == signal.SIGINT else "")
    until(lambda: not any(map(alive, pids)))


# --- loading


def test_load_finds_a_built_in_agent_by_name():
    env = dock()
    env.reset(seed=1)
    assert type(load("random", env)) is RandomAgent
    assert load("planner", env, time_limit=7).options["time_limit"] == 7 and type(load("planner", env)) is PlanAgent
    ours = ["greedy", "phase2-astar", "phase2-rbfs", "learned", "learned-search"]
    assert names() == ["random", "planner", *ours, "optimal", "racer", "tactician"]


def test_load_reads_an_agent_from_a_file(write, tmp_path):
    env = dock()
    path = write("return self.n", more="def __init__(self, env, n=1): self.env, self.n = env, n")
    assert load(path, env).act({}, {}) == 1
    assert load(f"{path}:Mine", env, n=5).act({}, {}) == 5
    assert load(Path(path), env).env is env
    write("return 2")  # a changed file is reloaded; the constructor of this class does not take an environment
    assert load(path, env).act({}, {}) == 2
    (tmp_path / "helper.py").write_text("ANSWER = 42")
    path = write("import helper; return helper.ANSWER", name="beside.py")
    assert load(path, env).act({}, {}) == 42


TWO = "class Other:\n    def act(self, obs, info): pass\nclass Idle: pass"


@pytest.mark.parametrize(
    ("top", "more", "ending", "options", "error"),
    [
        (TWO, "", "", {}, "mine.py has 2 classes with an act method: Other, Mine; specify one as mine.py:Other"),
        (TWO, "", ":Yours", {}, "mine.py has no class 'Yours'; it defines Other, Idle, Mine"),
        (TWO, "", ":Idle", {}, "Idle has no method act(self, obs, info)"),
        ("def f(:", "", "", {}, "mine.py cannot be imported: SyntaxError: invalid syntax (mine.py, line 1)"),
        ("import sys; sys.exit('bye')", "", "", {}, "mine.py cannot be imported: SystemExit: bye (mine.py, line 1)"),
        ("", "def __init__(self): 1 / 0", "", {}, "Mine() raised ZeroDivisionError: division by zero (mine.py, line 4)"),
        ("", "def __init__(self, a, b): pass", "", {}, "Mine(a, b) cannot be called: agents are created with Mine(env) or Mine()"),
        ("", "", "", {"n": 3}, "Mine() cannot be called with n=3"),
    ],
)  # fmt: skip
def test_errors_in_an_agent_file_are_reported(write, top, more, ending, options, error):
    with pytest.raises(AgentError) as caught:
        load(write(top=top, more=more) + ending, dock(), **options)
    assert str(caught.value).startswith(error)


def test_an_invalid_agent_name_is_reported(tmp_path):
    (tmp_path / "empty.py").write_text("")
    for spec, error in {
        "planer": "there is no agent 'planer'; did you mean 'planner'",
        "xyz": "the agents are random, planner, greedy",
        str(tmp_path / "none.py"): f"the file {tmp_path / 'none.py'} does not exist",
        str(tmp_path / "none.py") + ":Mine": f"the file {tmp_path / 'none.py'} does not exist",
        str(
            tmp_path / "empty.py"
        ): "empty.py has no class with a method act(self, obs, info) and no function act(obs, info)",
    }.items():
        with pytest.raises(AgentError) as caught:
            load(spec, dock())
        assert error in str(caught.value) and isinstance(caught.value, ShoverWorldError)
    game = referee(str(tmp_path / "none.py"))
    assert (game.outcome, game.error) == ("failed", f"the file {tmp_path / 'none.py'} does not exist")
    assert "did you mean 'planner'" in referee("planer").error


def test_an_agent_class_or_object_instead_of_a_name_is_rejected():
    for call in (lambda: load(RandomAgent, dock()), lambda: referee(RandomAgent(dock()))):  # type: ignore[arg-type]
        with pytest.raises(AgentError, match=r"path/to/file.py:Class, not .*RandomAgent"):
            call()


@pytest.mark.parametrize("name", ["time_limit", "step_limit", "load_limit"])
def test_a_negative_limit_is_rejected(name):
    with pytest.raises(ConfigError, match=name):
        referee("random", **{name: -1})


# --- conversions


class Nasty:
    def __len__(self):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("action", "same"),
    [
        ([1, 2, 3], (1, 2, 3)),
        (np.array([1, 2, 3], np.int8), (1, 2, 3)),
        ((np.array([1, 2]), np.int64(3)), (1, 2, 3)),
        ([1, 2], "[1, 2]"),
        ((1.0, 2, 3), "(1.0, 2, 3)"),
        ((1, 2, 3, 4), "(1, 2, 3, 4)"),
        (5, "5"),
        (Nasty(), "a Nasty"),
    ],
    ids=range(8),
)
def test_the_numbers_function_converts_actions_to_tuples(action, same):
    assert numbers(action) == same


def test_the_plain_function_converts_arrays_to_lists():
    assert plain([np.float64(0.5), (1, {2: np.arange(2)}), None]) == [0.5, [1, {"2": [0, 1]}], None]
