"""The referee, which plays one game with an agent and always returns a result, whatever the agent does.

Only the referee steps the real game. An agent from a file runs in a contained process (`host.py`, sandbox/), so that an
endless loop, a crash or an attack affects only that agent.
"""

import math
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

from shoverworld.core.checks import number
from shoverworld.core.errors import AgentError
from shoverworld.core.plan import Plan
from shoverworld.core.task import recipe_of
from shoverworld.games import game_of
from shoverworld.sandbox import Limits, Protection

from .actions import Action, legal, steps_of
from .host import AgentHost, Containment, ProcessHost, TooLate
from .host import wall_limit as wall_time
from .load import agent_file, check, search_time, spec_text

TIME_LIMIT = 60.0  # the default thinking time for an agent in one game, in seconds
SEARCH_SHARE = 0.75  # of the thinking time, for the search of a packaged agent; the rest is for playing


@dataclass(frozen=True)
class GameResult:
    """The result of one game played by one agent.

    outcome: the game's outcome ("cleared", "solved", "timeout", ...), or "failed" if the agent failed; `error`
    describes the failure.
    steps: the number of steps that the game counted; in a race, skipped turns are steps, so there can be more steps than
    actions. figures: the game's final statistics, such as stamina or pushes. info: the last info that the environment returned.
    seconds: the thinking time of the agent. For an agent from a file, this is the processor time of its process for
    loading the file and for the constructor, reset() and act(); for a packaged agent, it is the time in reset() and act().
    first_success: the thinking time until `Game.left` first decreased, for example until the first box was removed; None
    if it never decreased. plan, expanded: the agent's attributes with these names; for an agent from a file, the values
    are converted to JSON data.
    failure: the kind of failure, or None: "load" (the file cannot be loaded), "import" (a forbidden import), "error" (an
    exception), "answer" (not an action), "time", "memory", "killed" (the process ended), "protocol" and "output" (bytes
    that are not an answer, or too many).
    cpu_seconds: the processor time of an agent from a file, also after its last answer; None if it is not known.
    wall_seconds: the wall time that the referee waited for the agent. protection: how the agent was contained; None for a
    packaged agent, which is trusted.
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
    failure: str | None = None
    cpu_seconds: float | None = None
    wall_seconds: float = 0.0
    protection: Protection | None = None


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
    *,
    limits: Limits | None = None,
    protection: Protection | None = None,
    allow_imports: Collection[str] | None = None,
    siblings: bool = False,
    wall_limit: float | None = None,
    only_plan: bool = False,
) -> GameResult:
    """Play one game with an agent, which is given by name, as `path/to/file.py:Class` or as a folder with agent.py.

    `env` is an environment from this package, wrapped or not, or a function that makes one. `seed` and `options` are
    passed to the environment's `reset`.
    `time_limit` is the thinking time for the whole game, `step_limit` the time for one act() call, and `load_limit` the
    time for importing and constructing an agent from a file. All limits are in seconds, and None means no limit. An agent
    from a file is stopped as soon as it exceeds a limit. Its limits are processor time; loading counts towards
    `time_limit`. `wall_limit` stops agents that wait instead of thinking: None means twice the time limit and 5 seconds
    more. A packaged agent is trusted to return, so its time is checked afterwards; loading it has no limit, because its
    code may have to be compiled. A packaged agent with a time limit for its search, such as the planner, searches for
    at most three quarters of `time_limit`, unless `agent_options` contains another `time_limit`.
    A constructor with a `seed` parameter gets the game's seed, unless `agent_options` contains a seed.
    `on_step(step, action, obs, info)` is called after each step. `prints`: whether the output of an agent from a
    file goes to stderr, with the name of the agent before each line, instead of being discarded.

    An agent from a file is contained (docs/sandbox.md). `protection`: None for the strongest one that this machine offers,
    Protection.NONE for an agent that you trust. `limits`: memory and other resources. `allow_imports`: the modules that
    the agent may import besides the standard library and its own files; None: everything that is installed. `siblings`:
    whether the agent can read the other files in the folder of its file.
    `only_plan`: whether the game ends with the outcome "unknown" when the plan of a packaged agent has no more actions.
    Otherwise, the agent goes on with random actions.
    Raise SandboxUnavailable if the machine does not offer the protection, and SandboxFailure if the sandbox itself fails;
    the game can then be repeated.
    """
    given = {"time_limit": time_limit, "step_limit": step_limit, "load_limit": load_limit, "wall_limit": wall_limit}
    checked = {n: math.inf if seconds is None else number(n, seconds, at_least=0) for n, seconds in given.items()}
    if wall_limit is None:
        checked["wall_limit"] = wall_time(checked["time_limit"])
    contained = Containment(limits, protection, allow_imports, siblings)
    made_here = not hasattr(env, "step")
    game = env() if made_here else env
    try:
        match = _Match(game.unwrapped, checked)
        match.begin(seed, options)
        match.play(spec_text(agent), agent_options or {}, seed, on_step, prints, contained, only_plan)
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
        self.waited = 0.0
        self.first_success: float | None = None
        self.error: AgentError | None = None
        self.plan: Any = None
        self.expanded: Any = None
        self.cpu: float | None = None
        self.protection: Protection | None = None

    def begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        _, self.info = self.env.reset(seed=seed, options=options)
        self.left = self.game.left(self.info)

    def play(
        self,
        agent: str,
        options: dict[str, Any],
        seed: int | None,
        on_step: Any,
        prints: bool,
        contained: Containment,
        only_plan: bool,
    ) -> None:
        try:
            check(agent, self.game.name)  # report an unknown name before anything is set up
        except AgentError as error:
            self.error = AgentError(str(error), "load")
            return
        host = self._host(agent, prints, contained)
        self.protection = host.protection
        try:
            self._ask(host, "load", agent, {**self._search_time(agent), **options}, seed)
            self._ask(host, "reset")
            most = self._planned(host) if only_plan else math.inf
            while self.info["outcome"] is None and len(self.actions) < most:
                answer = self._ask(host, "act", *self.actions[-1:])
                self._step(legal(answer, self.env.action_space, self.step), on_step)
        except AgentError as error:
            self.error = error
        else:
            self.plan, self.expanded = self._asked(host, "plan"), self._asked(host, "expanded")
        finally:
            host.close()
            if self.from_file:
                self.cpu = host.used()

    def _planned(self, host: AgentHost | ProcessHost) -> float:
        """Return the number of actions that a packaged agent has planned; infinity if it does not plan a whole game."""
        plan = None if self.from_file else self._asked(host, "plan")
        return len(plan.actions) if isinstance(plan, Plan) else math.inf

    def _search_time(self, agent: str) -> dict[str, float]:
        """Return the option that limits the search of a packaged agent, if its usual limit is too long for the game."""
        usual, most = search_time(agent, self.game.name), SEARCH_SHARE * self.limits["time_limit"]
        return {} if usual is None or usual <= most else {"time_limit": most}

    def _host(self, agent: str, prints: bool, contained: Containment) -> AgentHost | ProcessHost:
        self.from_file = agent_file(agent) is not None
        recipe, state = recipe_of(self.env), self.env.get_state()
        if not self.from_file:
            return AgentHost(recipe, state)
        if math.isfinite(self.limits["time_limit"]) and (contained.limits is None or contained.limits.cpu is None):
            # The kernel ends the process if this one does not.
            contained = replace(contained, limits=replace(contained.limits or Limits(), cpu=self.limits["time_limit"]))
        return ProcessHost(agent, recipe, state, contained, Path(agent).name if prints else "")

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
        wall = min(wall_time(seconds), max(0.0, self.limits["wall_limit"] - self.waited))
        began = time.perf_counter()
        try:
            return host.ask(seconds, command, *arguments, wall=wall)
        except TooLate as reason:
            waiting = " (the agent was waiting, not computing)" if reason.wall else ""
            raise AgentError(f"{late}{at}: stopped{waiting}", "time") from None
        except AgentError as error:
            raise AgentError(f"{error}{at}", error.code) from error
        finally:
            self.waited += time.perf_counter() - began
            self.thought = host.used()

    def _limit(self, command: str) -> tuple[float, str]:
        """Return how long the agent may take for this command, and the error message if the agent takes longer."""
        if command == "load" and not self.from_file:
            return math.inf, ""
        left = max(0.0, self.limits["time_limit"] - self.thought)
        doing = "loading the agent" if command == "load" else f"{command}()"
        own = {"load": "load_limit", "act": "step_limit"}.get(command)
        if own and self.limits[own] < left:
            return self.limits[own], f"{doing} took longer than {self.limits[own]:g} s"
        return left, f"{doing} exceeded the limit of {self.limits['time_limit']:g} s per game"

    def _asked(self, host: AgentHost | ProcessHost, what: str) -> Any:
        try:
            return host.ask(2.0, what)
        except (AgentError, TooLate):
            return None

    def result(self) -> GameResult:
        return GameResult(
            "failed" if self.error else self.info["outcome"] or "unknown",
            str(self.error) if self.error else None,
            steps_of(self.env, len(self.actions)),
            self.env.figures(),
            self.invalid,
            self.thought,
            self.first_success,
            self.actions,
            self.plan,
            self.expanded,
            self.info,
            self.error.code if self.error else None,
            self.cpu,
            self.waited,
            self.protection,
        )
