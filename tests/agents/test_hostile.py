"""Hostile agents, each really run in a sandbox. Whatever they try, the referee returns a result and nothing is left behind.

The agents are in hostile/. An agent whose attack succeeds raises an error with the word BREACH.
"""

import os
import re
import resource
import shutil
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from shoverworld import ShoverWorldEnv
from shoverworld.agents.referee import play
from shoverworld.core.kernel_cache import cache_home
from shoverworld.sandbox import Limits, Protection, cgroup
from shoverworld.sandbox.limits import MEBIBYTE
from tests.sandboxes import needs_bubblewrap

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
FOLDER = Path(__file__).parent / "hostile"
SECRET = "swordfish-4711"
BOARD = """
    . . B .
    . . . .
    . . B A
"""
LIMITS = Limits(memory=256 * MEBIBYTE, processes=8, tmp=4 * MEBIBYTE)
REFUSED = r"PermissionError: \[Errno 1\]"
MISSING = r"FileNotFoundError|PermissionError: \[Errno 13\]"  # without a mount namespace, Landlock refuses
READ_ONLY = r"\[Errno (30|13|1)\]"
BRIEF = {"time_limit": 0.3, "wall_limit": 0.6}  # the agent waits, or should be stopped soon
TOO_LATE = r"exceeded the limit of 0.3 s per game.*: stopped"
RIVAL = {"on_step": lambda *_: time.sleep(0.2)}  # a rival thinks, while the referee does not wait for this agent
FAILURES = {  # the kind of failure, the error, and further arguments for the referee
    "reads_secret": ("error", MISSING),
    "reads_rival": ("error", MISSING),
    "reads_maps": ("error", MISSING),
    "reads_environment": ("error", "act.. raised RuntimeError: HOME LANG"),
    "reads_command_line": ("error", MISSING),
    "forges_result": ("error", MISSING),
    "forges_by_system_call": ("error", REFUSED),
    "traces": ("error", REFUSED),
    "signals_referee": ("error", REFUSED),
    "signals_everybody": ("error", REFUSED),
    "writes_outside": ("error", MISSING),
    "changes_rival": ("error", f"{MISSING}|{READ_ONLY}"),
    "changes_package": ("error", READ_ONLY),
    "poisons_cache": ("error", READ_ONLY),
    "replaces_cache": ("error", r"\[Errno (30|13|1|16|18)\]"),
    "sends": ("error", REFUSED),
    "looks_up_names": ("error", REFUSED),
    "connects_to_loopback": ("error", REFUSED),
    "fork_bomb": ("error", REFUSED),
    "daemon": ("error", REFUSED),
    "runs_a_shell": ("error", REFUSED),
    "thread_bomb": ("error", "can't start new thread"),
    "ten_gigabytes": ("memory", "MemoryError"),
    "shared_memory": ("error", r"\[Errno 12\]"),
    "fills_disk": ("error", r"\[Errno (28|27)\]"),
    "loops_in_c": ("time", TOO_LATE, BRIEF),
    "sleeps": ("time", f"{TOO_LATE} .the agent was waiting", BRIEF),
    "ignores_signals": ("time", TOO_LATE, BRIEF),
    "stops_itself": ("time", f"{TOO_LATE} .the agent was waiting", BRIEF),
    "thinks_in_constructor": ("time", "loading the agent exceeded the limit of 0.3 s per game", BRIEF),
    "thinks_in_background": ("time", TOO_LATE, {"time_limit": 0.3, "wall_limit": 60}),
    "floods_output": ("time", TOO_LATE, {"time_limit": 0.3, "wall_limit": 60, "prints": True}),
    "writes_100_megabytes": ("output", "an answer of more than 65,536 bytes at step 1"),
    "writes_half_a_line": ("time", TOO_LATE, BRIEF),
    "answers_nan": ("protocol", "act.. wrote to the pipe that is reserved for answers|more than one answer"),
    "answers_huge_number": ("protocol", "wrote to the pipe that is reserved for answers|more than one answer"),
    "answers_deep_json": ("protocol", "act.. wrote to the pipe that is reserved for answers|more than one answer"),
    "answers_pickle": ("protocol", "wrote to the pipe that is reserved for answers|more than one answer"),
    "answers_ahead": ("protocol", "wrote more than one answer|before it was asked|reserved for answers"),
    "answers_later": ("protocol|output", "before it was asked|more than one answer|reserved for|more than 65,536", RIVAL),
    "forges_error": ("error", r"\|{300} at step 1$"),
    "raises_long_error": ("error", "^act.. raised RuntimeError"),
    "crashes": ("killed", r"act.. ended the agent's process with signal 11 .Segmentation fault. at step 1"),
    "exits": ("killed", "act.. ended the agent's process with exit code 0 at step 1"),
    "leaves_namespace": ("error", REFUSED),
    "inherits_handles": ("error", r"RuntimeError: device pipe pipe \(inherits"),
    "answers_from_a_thread": ("protocol|output", "before it was asked|more than one answer|reserved for|more than 65,536"),
    "answers_long_text": ("answer", r"act.. returned A{79}… at step 1: expected integers"),
    "answers_infinity": ("answer", r"act.. returned \[inf, 0, 1\] at step 1: expected integers"),
    "returns_4000_digits": ("answer", r"act.. returned .10{70,}… at step 1: expected integers"),
    "steals_commands": ("time", TOO_LATE, BRIEF),
    "closes_everything": ("time|killed", f"{TOO_LATE}|closed its pipe at step 1|ended the agent's process", BRIEF),
    "controls_terminal": ("error", "alert"),
    "error_without_end": ("time", TOO_LATE, BRIEF),
    "plan_without_end": (None, ""),
    "reads_files_of_system": (None, ""),
    "patches_package": (None, ""),
    "changes_observation": (None, ""),
    "imports_planner": ("import", "the module 'shoverworld.games.shover.planner' may not be imported", {"allow_imports": ["numpy"]}),
    "imports_planner_by_name": ("import", "'shoverworld.games.shover.planner' may not", {"allow_imports": ["numpy"]}),
}  # fmt: skip
# Attacks that the weaker protection must stop too: one for each part of it.
WEAK = ("reads_secret", "reads_rival", "forges_result", "signals_referee", "changes_package", "poisons_cache", "sends",
        "daemon", "thread_bomb", "ten_gigabytes", "loops_in_c", "changes_rival")  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A class with submissions, hidden maps and a secret, and a server on this machine."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "secret.txt").write_text(SECRET)
    (folder / "maps").mkdir()
    (folder / "maps" / "hidden.txt").write_text(SECRET)
    (folder / "submissions").mkdir()
    (folder / "submissions" / "rival.py").write_text(f"# {SECRET}\n")
    for file in FOLDER.glob("*.py"):
        shutil.copy(file, folder / "submissions")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)  # only the sandbox protects the files
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        target = {"secret": str(folder / "secret.txt"), "rival": str(folder / "submissions" / "rival.py")}
        target |= {"maps": str(folder / "maps"), "port": server.getsockname()[1], "pid": os.getpid()}
        yield SimpleNamespace(folder=folder, server=server, target=target)


@pytest.fixture(autouse=True)
def variable(monkeypatch):
    monkeypatch.setenv("TEACHERS_TOKEN", SECRET)


def children(pid):
    """Return the processes that a process has started and that still run."""
    found = [int(word) for task in Path(f"/proc/{pid}/task").glob("*/children") for word in task.read_text().split()]
    return found + [inner for child in found for inner in children(child)]


def contained():
    """Return the processes of sandboxes below this process. Other tests may have started others, such as a browser."""
    found = set()
    for pid in children(os.getpid()):
        with suppress(OSError):  # it has ended
            if b"inner.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
    return found


def cache_times():
    """Return when each compiled kernel was written. Other tests on this machine may add kernels meanwhile."""
    found = {}
    for path in cache_home().rglob("*.nb*"):
        with suppress(OSError):
            found[path] = path.stat().st_mtime_ns
    return found


def files_of(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def groups():
    places = cgroup._places()
    return (
        []
        if places is None
        else [path for parent in set(places[1:]) for path in parent.glob(f"shoverworld-{os.getpid()}-*")]
    )


def attacked(place, name, **keywords):
    """Let a hostile agent play. Check that nothing has changed and that nothing is left behind."""
    files, processes, handles = files_of(place.folder), contained(), len(os.listdir("/proc/self/fd"))
    cache = cache_times()
    path = str(place.folder / "submissions" / f"{name}.py")
    env = ShoverWorldEnv(rules="phase2", max_timestep=20)
    keywords = {"time_limit": 20, "limits": LIMITS, "agent_options": {"target": place.target}, **keywords}
    game = play(env, path, seed=1, options={"map": BOARD}, **keywords)
    assert SECRET not in repr(game) + repr(game.plan) and "BREACH" not in repr(game)
    assert files_of(place.folder) == files
    now = cache_times()
    assert cache.keys() <= now.keys()
    for changed in (path for path, when in cache.items() if now[path] != when):
        assert changed.read_bytes() != b"changed"  # another test has compiled it again
    with pytest.raises(BlockingIOError):
        place.server.accept()
    assert contained() <= processes
    assert len(os.listdir("/proc/self/fd")) == handles and not groups()
    assert len(game.error or "") < 400
    return game


def test_every_hostile_agent_is_listed():
    assert sorted(FAILURES) == sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs_bubblewrap] * (name == "fills_disk")) for name in FAILURES]
)
def test_a_hostile_agent_is_contained(place, name, capfd):
    failure, error, *more = FAILURES[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    game = attacked(place, name, **(more[0] if more else {}))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB, mostly the engine of the game
    assert re.fullmatch(failure or "None", str(game.failure)) and re.search(error, game.error or ""), game.error
    assert game.protection is Protection.strongest()
    assert game.figures["stamina"] == 1000 and game.info["number_of_boxes"] == 2  # no attack has moved a box
    if failure is None:
        assert (game.outcome, game.steps, game.invalid_actions) == ("timeout", 20, 20)
    else:
        assert game.outcome == "failed"
    assert len(capfd.readouterr().err) < 2_000_000


@pytest.mark.parametrize("name", WEAK)
def test_a_hostile_agent_is_contained_without_bubblewrap(place, name):
    failure, error, *more = FAILURES[name]
    game = attacked(place, name, **(more[0] if more else {}), protection=Protection.LANDLOCK)
    assert re.fullmatch(failure or "None", str(game.failure)) and re.search(error, game.error or ""), game.error
    assert game.protection is Protection.LANDLOCK


def test_the_clock_counts_thinking_in_the_constructor_and_in_the_background(place):
    for name in ("thinks_in_constructor", "thinks_in_background"):
        game = attacked(place, name, time_limit=0.3, wall_limit=60)
        assert game.seconds >= 0.3 and game.cpu_seconds >= 0.3 and game.wall_seconds > 0
