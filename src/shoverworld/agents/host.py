"""Hosts for agents. Each agent has its own copy of the environment, so that it cannot change the real game.

`AgentHost` runs an agent in this process. `ProcessHost` runs one in a contained process (sandbox/), which executes `main`
of this file. That process receives commands as pickles and answers with lines of JSON, so the referee never unpickles
anything that an agent could have written.
"""

import json
import os
import pickle
import queue
import sys
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import AgentError
from shoverworld.core.kernel_cache import READ_ONLY, cache_home
from shoverworld.core.task import Recipe, made
from shoverworld.games import game_of
from shoverworld.sandbox import Limits, Protection, SandboxFailure, start

from .actions import Action, bounds, legal, numbers
from .fence import ForbiddenImport, allow_only
from .load import absolute_spec, agent_file, describe_error, find, make, shortened, source
from .pipe import DEEPEST_ANSWER, LONGEST_ANSWER, Allowance, TooLate, depth, pipes_of

__all__ = ["Action", "AgentHost", "Containment", "ProcessHost", "TooLate", "legal", "numbers", "plain", "wall_limit"]
_READY_WITHIN = 300.0  # seconds that a process may take to start and to compile the rules, before it runs the agent
_LONGEST_ERROR = 300  # characters
_CODES = ("load", "import", "error", "memory")  # the kinds of failure that a process may report about itself


def wall_limit(seconds: float) -> float:
    """Return the wall time that belongs to a limit of processor time. It stops agents that wait instead of thinking."""
    return 2 * seconds + 5


class AgentHost:
    """A host for an agent in this process. The agent has its own environment.

    A second environment, to which the agent has no access, follows the game. `recipe`: how to make the environments
    (core/task.py). `state`: the state at the start of the game.
    """

    def __init__(self, recipe: Recipe, state: Any):
        self._recipe = recipe
        _compile(recipe, state)
        self.env, self._twin = made(recipe), made(recipe)
        self._twin.set_state(state)
        self.env.set_state(state)
        self.agent: Any = None
        self._used = 0.0
        self._file: str | None = None

    protection = None  # packaged agents are trusted

    def ask(self, seconds: float, command: str, *arguments: Any, wall: float | None = None) -> Any:
        """Run a command: `begin`, `load`, `reset`, `act`, `plan` or `expanded`.

        Raise TooLate if the command took longer than `seconds`.
        """
        began = time.perf_counter()
        try:
            value = self.run(command, *arguments)
        finally:
            taken = time.perf_counter() - began
            self._used += taken if command != "load" else 0.0  # the code of a packaged agent may have to be compiled
        if taken > seconds:
            raise TooLate
        return value

    def run(self, command: str, *arguments: Any) -> Any:
        return getattr(self, command)(*arguments)

    def used(self) -> float:
        """Return the thinking time so far, in seconds."""
        return self._used

    def close(self) -> None:
        pass

    def begin(self, state: Any) -> None:
        """Start another game, or continue from another state. The agent must be loaded again afterwards."""
        self._twin.set_state(state)
        self.env = made(self._recipe)  # the previous agent may still use the old environment
        self.env.set_state(state)
        self.agent = None

    def load(self, spec: str, options: dict[str, Any], seed: int | None) -> None:
        try:
            kind, usual = find(spec, game_of(self._twin).name)
            self._file = source(kind)
            self.agent = make(kind, self.env, {**usual, **options}, seed)
        except AgentError as error:
            raise AgentError(str(error), _kind_of_failure(error, "load")) from error

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
            text = f"{method}() raised {describe_error(error, self._file)}"
            raise AgentError(text, _kind_of_failure(error, "error")) from error


def _compile(recipe: Recipe, state: Any) -> None:
    """Play one step of a game that nobody uses, so that everything is compiled before a clock starts."""
    env = made(recipe)
    env.set_state(state)
    env.action_mask()
    observed(env)
    if env.outcome is None and (valid := env.valid_actions()):
        env.step(valid[0])


def _kind_of_failure(error: BaseException | None, usual: str) -> str:
    """Return the code of a failure: what the exception, or one that caused it, is about."""
    while error is not None:
        if isinstance(error, ForbiddenImport):
            return "import"
        if isinstance(error, MemoryError):
            return "memory"
        error = error.__cause__
    return usual


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


@dataclass(frozen=True)
class Containment:
    """How an agent from a file is contained.

    protection: None for the strongest one that this machine offers. allow_imports: see `referee.play`. siblings: whether
    the agent can read the folder of its file; otherwise it can read only the file. An agent that is a folder can always
    read this folder.
    """

    limits: Limits | None = None
    protection: Protection | None = None
    allow_imports: Collection[str] | None = None
    siblings: bool = False


class ProcessHost:
    """A host for an agent in a contained process, which can be ended at any time. Call `close` after the game.

    `prints_as`: the name that precedes each line of the agent's output on stderr; "": the output is discarded.
    Raise SandboxUnavailable or SandboxFailure if the process cannot be started.
    """

    def __init__(self, spec: str, recipe: Recipe, state: Any, contained: Containment, prints_as: str = ""):
        _compile_once(recipe, state)
        cache = cache_home()
        readable = [*readable_for(spec, contained.siblings), *([cache] if cache is not None else [])]
        environment = {
            "SHOVERWORLD_QUIET": "1",
            READ_ONLY: "1",
        }  # a message about compilation would look like the agent's
        if cache is not None:
            environment["SHOVERWORLD_CACHE"] = str(cache.absolute())
        self._lock = threading.Lock()  # held while the pipes are in use
        self._closed = False
        self._question = 0
        self._ready = 0.0  # processor time until the process was ready
        self._used = 0.0
        self._process = start(
            "shoverworld.agents.host:main", readable, contained.limits, contained.protection, environment
        )
        self.protection = self._process.protection
        self._pipes = pipes_of(self._process, prints_as)
        allowed = None if contained.allow_imports is None else list(contained.allow_imports)
        try:
            self._send(pickle.dumps((recipe, state, bool(prints_as), allowed)))
            self._ready = self._process.cpu_seconds() or 0.0
            self._process.forget_starvation()  # only what happens while the agent plays counts
        except BaseException:
            self.close()
            raise

    def _send(self, first: bytes) -> None:
        """Send the game. The process prepares it and seals itself before it answers."""
        allowance = Allowance(self._process, _READY_WITHIN, _READY_WITHIN)
        try:
            line = self._pipes.exchange(first, allowance, self._process.confirm_sealed)
        except (TooLate, AgentError) as error:
            raise SandboxFailure(f"the agent's process did not start: {error or 'it took too long'}") from None
        if line is None:
            raise SandboxFailure(f"the agent's process did not start: it ended {self._process.how_it_ended()}")

    def ask(self, seconds: float, *command: Any, wall: float | None = None) -> Any:
        """Send a command and wait for the answer. `seconds`: the processor time that the agent may use for it.

        `wall`: the wall time that it may take; None: twice the processor time, and 5 seconds more. Raise TooLate if the
        answer does not arrive in time, and AgentError if the command fails.
        """
        if command[0] == "load":
            command = ("load", absolute_spec(command[1]), *command[2:])
        self._question += 1
        with self._lock:
            if self._closed:
                raise AgentError("the agent has been stopped", "killed")
            allowance = Allowance(self._process, seconds, wall_limit(seconds) if wall is None else wall)
            try:
                line = self._pipes.exchange(pickle.dumps((self._question, command)), allowance)
                if line is not None:
                    allowance.left()  # an answer that comes too late does not count
            except TooLate:
                self._process.kill()
                raise
            if line is None:
                raise self._end_of_process(command)
            return self._value(line, command)

    def _end_of_process(self, command: tuple) -> AgentError:
        how = self._process.how_it_ended()
        code = "memory" if self._process.out_of_memory() else "killed"
        return AgentError(f"{_doing(command)} ended the agent's process {how}", code)

    def _value(self, line: bytes, command: tuple) -> Any:
        """Return the value in an answer. Raise the error that it contains, or AgentError if it is not an answer."""
        try:
            if depth(line) > DEEPEST_ANSWER:
                raise ValueError("nested too deeply")
            answer = json.loads(line, parse_constant=_no_constant)
            number, error, code, value = (answer[key] for key in ("number", "error", "code", "value"))
            if number != self._question or (error is not None and (not isinstance(error, str) or code not in _CODES)):
                raise ValueError("not an answer to this question")
        except (ValueError, TypeError, KeyError, RecursionError):
            text = f"{_doing(command)} wrote to the pipe that is reserved for answers"
            raise AgentError(text, "protocol") from None
        if error is not None:
            raise AgentError(error[:_LONGEST_ERROR], code)
        return value

    def used(self) -> float:
        """Return the processor time that the agent has used, in seconds. Before the agent is loaded, it is 0."""
        if not self._closed:
            self._used = max(self._used, (self._process.cpu_seconds() or 0.0) - self._ready)
        return self._used

    def close(self) -> None:
        """End the process, and remove everything that belongs to it. Another thread may be waiting for an answer."""
        self._process.kill()
        with self._lock:
            if not self._closed:
                self.used()
                self._closed = True
                self._pipes.close()
                self._process.close()


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


@cache
def _compiled_games() -> set[str]:
    return set()


def _compile_once(recipe: Recipe, state: Any) -> None:
    """Compile the rules in this process, which can store them. A contained process can only read the cache."""
    key = repr(recipe)
    if key not in _compiled_games():
        _compile(recipe, state)
        _compiled_games().add(key)


def readable_for(spec: str, siblings: bool) -> list[Path]:
    """Return the files and folders that an agent may read: its folder, or only its file.

    A home folder contains too much to show it to an agent.
    """
    place = agent_file(spec)
    if place is None:
        return []
    path = Path(os.path.abspath(place[0]))
    whole = Path(spec).is_dir() or (siblings and not any(home.is_relative_to(path.parent) for home in _homes()))
    return [path.parent if whole else path]


def _homes() -> list[Path]:
    try:
        return [Path.home(), Path("/tmp")]
    except RuntimeError:
        return [Path("/tmp")]


# --- the contained process


def main(seal: Callable[[], None]) -> None:
    """Serve one agent until the referee closes the pipe."""
    answers = os.dup(1)
    commands = os.fdopen(os.dup(0), "rb")
    recipe, state, prints, allowed = pickle.load(commands)
    host = AgentHost(recipe, state)
    nothing = os.open(os.devnull, os.O_RDWR)
    if not prints:
        os.dup2(nothing, 2)
    os.dup2(2, 1)  # the agent's output goes to stderr, and the agent has no input
    os.dup2(nothing, 0)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # the process may be stopped at any time
    seal()  # from here on, nothing can be undone
    inbox: queue.SimpleQueue[tuple] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(commands, inbox), daemon=True).start()
    _answer(answers, 0)
    if allowed is not None:
        allow_only(allowed)
    while True:
        number, command = inbox.get()
        try:
            _answer(answers, number, value=plain(host.run(*command)))
        except AgentError as failure:
            _answer(answers, number, str(failure), failure.code)
        except BaseException as failure:  # the agent may even raise KeyboardInterrupt
            code = _kind_of_failure(failure, "load" if command[0] == "load" else "error")
            _answer(answers, number, f"{_doing(command)} raised {describe_error(failure)}", code)


def _answer(pipe: int, number: int, error: str | None = None, code: str = "", value: Any = None) -> None:
    """Write one answer. A value that is too long for an answer, such as a huge plan, is left out."""
    with suppress(Exception):  # the agent may have replaced its streams; the process may be ended after this answer
        sys.stdout.flush()
        sys.stderr.flush()
    error = None if error is None else shortened(error, _LONGEST_ERROR)
    line = json.dumps({"number": number, "error": error, "code": code, "value": value}).encode() + b"\n"
    if len(line) > LONGEST_ANSWER:
        return _answer(pipe, number, error, code)
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(pipe, rest) :]


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
