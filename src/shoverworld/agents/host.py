"""Hosts for agents. Each agent has its own copy of the environment, so that it cannot change the real game.

`AgentHost` runs an agent in this process, and `ProcessHost` runs one in a child process. The child runs this file as a
program (`python -m shoverworld.agents.host`). The child receives commands as pickles and answers with lines of JSON, so
the referee never unpickles anything that an agent could have written.
"""

import json
import math
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import AgentError
from shoverworld.core.task import Recipe, made
from shoverworld.core.text import visible
from shoverworld.games import game_of

from .actions import Action, bounds, legal, numbers
from .load import describe_error, find, make, shortened, source

__all__ = ["Action", "AgentHost", "ProcessHost", "TooLate", "legal", "numbers", "plain"]
_READY_WITHIN = 300.0  # seconds that a child may take to start and to compile the rules, before it runs the agent
_LINE = 1_000_000  # maximum length of an answer, or of a printed line, in bytes
_PRINTED_WITHIN = 2.0  # seconds to wait for the rest of the output; a subprocess of the agent may keep the pipe open


class TooLate(Exception):
    """The agent did not answer in time. If the agent ran in a child process, that process has been ended."""


class AgentHost:
    """A host for an agent in this process. The agent has its own environment.

    A second environment, to which the agent has no access, follows the game. `recipe`: how to make the environments
    (core/task.py). `state`: the state at the start of the game.
    """

    def __init__(self, recipe: Recipe, state: Any):
        self._recipe = recipe
        self.env, self._twin = made(recipe), made(recipe)
        self._twin.set_state(state)
        self.env.set_state(state)
        self.env.action_mask()  # compile the method before the clock starts
        self.agent: Any = None
        self._file: str | None = None

    def ask(self, seconds: float, command: str, *arguments: Any) -> Any:
        """Run a command: `begin`, `load`, `reset`, `act`, `plan` or `expanded`.

        Raise TooLate if the command took longer than `seconds`.
        """
        began = time.perf_counter()
        value = getattr(self, command)(*arguments)
        if time.perf_counter() - began > seconds:
            raise TooLate
        return value

    def close(self) -> None:
        pass

    def begin(self, state: Any) -> None:
        """Start another game, or continue from another state. The agent must be loaded again afterwards."""
        self._twin.set_state(state)
        self.env = made(self._recipe)  # the previous agent may still use the old environment
        self.env.set_state(state)
        self.agent = None

    def load(self, spec: str, options: dict[str, Any], seed: int | None) -> None:
        kind, usual = find(spec, game_of(self._twin).name)
        self._file = source(kind)
        self.agent = make(kind, self.env, {**usual, **options}, seed)

    def reset(self) -> None:
        self.env.set_state(self._twin.get_state())
        _, info = observed(self.env)
        if hasattr(self.agent, "reset"):
            self._call("reset", info)

    def act(self, *actions: Action) -> Action | str:
        """Play these actions and return the agent's answer: an action, or a string if the answer is not an action."""
        untouched = _same(self.env, self._twin)
        for action in actions:
            self._twin.step(action)
            if untouched:  # if the agent has changed its copy, the copy is restored below, which is slower
                self.env.step(action)
        if not untouched:
            self.env.set_state(self._twin.get_state())
        return numbers(self._call("act", *observed(self.env)), len(bounds(self._twin.action_space)))

    def plan(self) -> Any:
        return getattr(self.agent, "plan", None)

    def expanded(self) -> Any:
        return getattr(self.agent, "expanded", None)

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self.agent, method)(*arguments)
        except (Exception, SystemExit) as error:
            raise AgentError(f"{method}() raised {describe_error(error, self._file)}") from error


def observed(env: GridEnv) -> tuple[Any, dict[str, Any]]:
    """Return the observation and the info for the current state."""
    return env.observe()  # type: ignore[attr-defined]


def _same(one: GridEnv, other: GridEnv) -> bool:
    """Return whether the states of both games are equal, byte for byte."""
    return _alike(one.get_state(), other.get_state())


def _alike(mine: Any, yours: Any) -> bool:
    """Return whether two states are equal. States are nested tuples of arrays and numbers."""
    if mine is yours:
        return True
    if isinstance(mine, tuple):
        return all(map(_alike, mine, yours))
    return np.asarray(mine).tobytes() == np.asarray(yours).tobytes()


class ProcessHost:
    """A host for an agent in a child process, which can be terminated at any time. Call `close` after the game.

    `prints_as`: the name that precedes each line of the agent's output on stderr; "": the output is discarded.
    """

    def __init__(self, recipe: Recipe, state: Any, prints_as: str = ""):
        package = Path(__file__).resolve().parents[2]
        paths = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")]))
        self._child = subprocess.Popen(
            [sys.executable, "-m", "shoverworld.agents.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if prints_as else subprocess.DEVNULL,
            # Messages about compilation would look like the agent's own output.
            env={**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "1", "SHOVERWORLD_QUIET": "1"},
            start_new_session=os.name
            == "posix",  # Ctrl-C reaches only the referee, and one signal ends all agent processes
        )
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._printer = threading.Thread(target=self._print, args=(prints_as,), daemon=True)
        if prints_as:
            self._printer.start()
        try:
            self.ask(_READY_WITHIN, recipe, state)
        except (TooLate, AgentError):
            self.close()
            raise AgentError("the agent's process did not start") from None
        except BaseException:
            self.close()
            raise

    def ask(self, seconds: float, *command: Any) -> Any:
        """Send a command and wait for the answer.

        Raise TooLate if the answer does not arrive in time, and AgentError if the command fails.
        """
        message = pickle.dumps(command)
        with suppress(OSError):  # if the child has died, the missing answer is detected below
            self._child.stdin.write(message)  # type: ignore[union-attr]
            self._child.stdin.flush()  # type: ignore[union-attr]
        try:
            line = self._answers.get(timeout=min(seconds, threading.TIMEOUT_MAX))
        except queue.Empty:
            self.close()
            raise TooLate from None
        if line is None:
            raise AgentError(f"{_doing(command)} ended the agent's process {self._how_it_ended()}")
        try:
            answer = json.loads(line)
            error, value = answer["error"], answer["value"]
        except (ValueError, TypeError, KeyError):
            raise AgentError(f"{_doing(command)} wrote to the pipe that is reserved for answers") from None
        if error is not None:
            raise AgentError(str(error))
        return value

    def close(self) -> None:
        """End the child process and all processes started by it."""
        if self._child.returncode is None:  # the child has not been reaped, so its process id has not been reused
            with suppress(ProcessLookupError, PermissionError):
                if os.name == "posix":
                    os.killpg(self._child.pid, signal.SIGKILL)
                else:
                    self._child.kill()
        self._child.wait()
        with suppress(OSError):
            self._child.stdin.close()  # type: ignore[union-attr]
        if self._printer.is_alive():
            self._printer.join(_PRINTED_WITHIN)

    def _listen(self) -> None:
        with self._child.stdout as pipe:  # type: ignore[union-attr]
            while line := pipe.readline(_LINE):
                self._answers.put(line)
        self._answers.put(None)

    def _print(self, name: str) -> None:
        """Print what the agent writes, line by line, without characters that could control the terminal."""
        with self._child.stderr as pipe:  # type: ignore[union-attr]
            while line := pipe.readline(_LINE):
                text = line.decode("utf-8", "replace").rstrip("\r\n")
                with suppress(OSError, ValueError):  # stderr is closed
                    print(visible(f"{name}: {text}"), file=sys.stderr, flush=True)

    def _how_it_ended(self) -> str:
        try:
            code = self._child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "or closed its pipe"
        if code < 0:
            return f"with signal {-code} ({signal.strsignal(-code)})"
        return f"with exit code {code}"


# --- the child process


def main() -> None:
    """Serve one agent until the referee closes the pipe."""
    answers = os.fdopen(os.dup(1), "wb")
    commands = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)  # the agent's output goes to stderr, and the agent has no input
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # the process may be stopped at any time
    inbox: queue.SimpleQueue[tuple] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(commands, inbox), daemon=True).start()
    host = AgentHost(*inbox.get())
    error, value = None, None
    while True:
        answers.write(json.dumps({"error": error, "value": value}).encode() + b"\n")
        answers.flush()
        command, error, value = inbox.get(), None, None
        try:
            value = plain(host.ask(math.inf, *command))
        except AgentError as failure:
            error = str(failure)
        except BaseException as failure:  # the agent may even raise KeyboardInterrupt
            error = f"{_doing(command)} raised {describe_error(failure)}"


def _doing(command: tuple) -> str:
    return "loading the agent" if command[0] == "load" else f"{command[0]}()"


def _receive(commands: Any, inbox: "queue.SimpleQueue[tuple]") -> None:
    """Read commands while the agent is thinking. Exit this process once the referee has ended."""
    with suppress(Exception):
        while True:
            inbox.put(pickle.load(commands))
    os._exit(0)


def plain(value: Any) -> Any:
    """Convert a value to JSON data. A dataclass becomes a dict. An object of an unsupported type becomes a string."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return shortened(repr(value), 200)


if __name__ == "__main__":
    main()
