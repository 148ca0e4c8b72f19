"""The referee, which plays one game with an agent and always returns a result, whatever the agent does.

Only the referee steps the real game. An agent from a file runs in a child process (`host.py`), so that an endless loop,
a crash or a flood of output affects only that agent. This protects against mistakes; it is not a sandbox for malicious
code.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from shoverworld.core.checks import number
from shoverworld.core.errors import AgentError
from shoverworld.core.task import recipe_of
from shoverworld.games import game_of

from .actions import Action, legal, steps_of
from .host import AgentHost, ProcessHost, TooLate
from .load import agent_file, check, spec_text

TIME_LIMIT = 60.0  # the default thinking time for an agent in one game, in seconds


@dataclass(frozen=True)
class GameResult:
    """The result of one game played by one agent.

    outcome: the game's outcome ("cleared", "solved", "timeout", ...), or "failed" if the agent failed; `error`
    describes the failure.
    steps: the number of steps that the game counted; in a race, skipped turns are steps, so there can be more steps than
    actions. figures: the game's final statistics, such as stamina or pushes. info: the last info that the environment returned.
    seconds: the thinking time of the agent, in reset() and act(). first_success: the thinking time until `Game.left`
    first decreased, for example until the first box was removed; None if it never decreased. plan, expanded: the
    agent's attributes with these names; for an agent from a file, the values are converted to JSON data.
    """

    outcome: str
    error: str | None
    steps: int
    figures: dict[str, float]
    invalid_actions: int
    seconds: float
    first_success: float | None
    actions: list[Action] = field(repr=False)
    plan: Any = field(default=None, repr=False)
    expanded: Any = None
    info: dict[str, Any] = field(default_factory=dict, repr=False)


def play(
    env: Any,
    agent: str | PathLike[str],
    seed: int | None = None,
    time_limit: float | None = TIME_LIMIT,
    step_limit: float | None = None,
    load_limit: float | None = 60.0,
    options: dict[str, Any] | None = None,
    agent_options: dict[str, Any] | None = None,
    on_step: Callable[[int, Action, dict, dict], None] | None = None,
    prints: bool = False,
) -> GameResult:
    """Play one game with an agent, which is given by name or as `path/to/file.py:Class`.

    `env` is an environment from this package, wrapped or not, or a function that makes one. `seed` and `options` are
    passed to the environment's `reset`.
    `time_limit` is the thinking time for the whole game, `step_limit` the time for one act() call, and `load_limit` the
    time for importing and constructing an agent from a file. Loading does not count as thinking. All limits are in
    seconds, and None means no limit. An agent from a file is stopped as soon as it exceeds a limit. A packaged agent is trusted to
    return, so its time is checked afterwards; loading it has no limit, because its code may have to be compiled.
    A constructor with a `seed` parameter gets the game's seed, unless `agent_options` contains a seed.
    `on_step(step, action, obs, info)` is called after each step. `prints`: whether the output of an agent from a
    file goes to stderr, with the name of the agent before each line, instead of being discarded.
    """
    limits = {"time_limit": time_limit, "step_limit": step_limit, "load_limit": load_limit}
    checked = {n: math.inf if seconds is None else number(n, seconds, at_least=0) for n, seconds in limits.items()}
    made_here = not hasattr(env, "step")
    game = env() if made_here else env
    try:
        match = _Match(game.unwrapped, checked)
        match.begin(seed, options)
        match.play(spec_text(agent), agent_options or {}, seed, on_step, prints)
        return match.result()
    finally:
        if made_here:
            game.close()


class _Match:
    """A game in progress, and the agent's clock."""

    def __init__(self, env: Any, limits: dict[str, float]):
        self.env, self.limits = env, limits
        self.game = game_of(env)
        self.actions: list[Action] = []
        self.invalid = 0
        self.from_file = False
        self.thought = 0.0
        self.first_success: float | None = None
        self.error: str | None = None
        self.plan: Any = None
        self.expanded: Any = None

    def begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        _, self.info = self.env.reset(seed=seed, options=options)
        self.left = self.game.left(self.info)

    def play(self, agent: str, options: dict[str, Any], seed: int | None, on_step: Any, prints: bool) -> None:
        try:
            host = self._host(agent, prints)
        except AgentError as error:
            self.error = str(error)
            return
        try:
            self._ask(host, "load", agent, options, seed)
            self._ask(host, "reset")
            while self.info["outcome"] is None:
                answer = self._ask(host, "act", *self.actions[-1:])
                self._step(legal(answer, self.env.action_space, self.step), on_step)
        except AgentError as error:
            self.error = str(error)
        else:
            self.plan, self.expanded = self._asked(host, "plan"), self._asked(host, "expanded")
        finally:
            host.close()

    def _host(self, agent: str, prints: bool) -> AgentHost | ProcessHost:
        check(agent, self.game.name)  # report an unknown name before anything is set up
        self.from_file = agent_file(agent) is not None
        recipe, state = recipe_of(self.env), self.env.get_state()
        if not self.from_file:
            return AgentHost(recipe, state)
        return ProcessHost(recipe, state, Path(agent).name if prints else "")

    def _step(self, action: Action, on_step: Any) -> None:
        obs, _, _, _, self.info = self.env.step(action)
        self.actions.append(action)
        self.invalid += not self.info["last_action_valid"]
        if self.first_success is None and self.game.left(self.info) < self.left:
            self.first_success = self.thought
        if on_step is not None:
            on_step(len(self.actions), action, obs, dict(self.info))

    @property
    def step(self) -> int:
        """The number of the next step, counted from 1."""
        return steps_of(self.env, len(self.actions)) + 1

    def _ask(self, host: AgentHost | ProcessHost, command: str, *arguments: Any) -> Any:
        """Send a command to the agent and time its answer. Raise AgentError if the agent fails or takes too long."""
        at = f" at step {self.step}" if command == "act" else ""
        seconds, late = self._limit(command)
        began = time.perf_counter()
        try:
            return host.ask(seconds, command, *arguments)
        except TooLate:
            raise AgentError(f"{late}{at}: stopped") from None
        except AgentError as error:
            raise AgentError(f"{error}{at}") from error
        finally:
            if command != "load":
                self.thought += time.perf_counter() - began

    def _limit(self, command: str) -> tuple[float, str]:
        """Return how long the agent may take for this command, and the error message if the agent takes longer."""
        if command == "load" and not self.from_file:
            return math.inf, ""
        if command == "load":
            return self.limits["load_limit"], f"loading the agent took longer than {self.limits['load_limit']:g} s"
        left = max(0.0, self.limits["time_limit"] - self.thought)
        if command == "act" and self.limits["step_limit"] < left:
            return self.limits["step_limit"], f"act() took longer than {self.limits['step_limit']:g} s"
        return left, f"{command}() exceeded the limit of {self.limits['time_limit']:g} s per game"

    def _asked(self, host: AgentHost | ProcessHost, what: str) -> Any:
        try:
            return host.ask(2.0, what)
        except (AgentError, TooLate):
            return None

    def result(self) -> GameResult:
        return GameResult(
            "failed" if self.error else self.info["outcome"],
            self.error,
            steps_of(self.env, len(self.actions)),
            self.env.figures(),
            self.invalid,
            self.thought,
            self.first_success,
            self.actions,
            self.plan,
            self.expanded,
            self.info,
        )
