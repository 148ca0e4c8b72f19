"""The referee: lets an agent play one game, whatever the agent does.

The true game is stepped here and nowhere else. An agent from a file sits in a process of its own (`seat.py`), so that
an endless loop, a crash or a flood of text is the end of that agent and of nothing else. This guards against
mistakes: it is no sandbox for code that means harm.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from shoverworld.core.checks import number
from shoverworld.core.errors import AgentError

from .actions import Action, legal
from .games import LEFT, game_of, recipe_of
from .load import agent_file, check, spec_text
from .seat import ChildSeat, Seat, TooLate


@dataclass(frozen=True)
class Game:
    """One game of one agent.

    outcome: as the game says ("cleared", "solved", "timeout" ...), or "failed": the agent broke down, and `error` says how.
    steps, and figures: what the game tells of itself, such as stamina or pushes. info: the last info of the game.
    seconds: the agent's thinking, in reset() and act(). first_removal: how much of it had passed when the first box was
    gone (in Sokoban: one more was on a target), or None. plan, expanded: what the agent has in its attributes of these
    names; of an agent from a file as plain lists and dicts.
    """

    outcome: str
    error: str | None
    steps: int
    figures: dict[str, float]
    invalid_actions: int
    seconds: float
    first_removal: float | None
    actions: list[Action] = field(repr=False)
    plan: Any = field(default=None, repr=False)
    expanded: Any = None
    info: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def final_stamina(self) -> float:
        """Of Shover-World."""
        return self.figures["stamina"]

    @property
    def number_destroyed(self) -> int:
        """Of Shover-World."""
        return self.info["number_destroyed"]


def play(
    env: Any,
    agent: str | PathLike[str],
    seed: int | None = None,
    time_limit: float | None = 60.0,
    step_limit: float | None = None,
    load_limit: float | None = 60.0,
    options: dict[str, Any] | None = None,
    agent_options: dict[str, Any] | None = None,
    on_step: Callable[[int, Action, dict, dict], None] | None = None,
    prints: bool = False,
) -> Game:
    """Let an agent, a name or `path/to/file.py:Class`, play one game.

    `env` is an environment of this package, wrapped or not, or a function that makes one; `seed` and `options` go to its reset.
    `time_limit` is the agent's thinking time for the whole game, `step_limit` that for one act(), in seconds, and
    `load_limit` that for the import and the constructor of an agent from a file, which do not count as thinking. None
    is no limit. An agent from a file is stopped on the spot; one that comes with the package is trusted to return,
    and judged then; it may have to be compiled first, so its loading has no limit.
    A constructor with a parameter `seed` is given the seed of the game, unless `agent_options` has one.
    `on_step(step, action, obs, info)` is called after each step. With `prints`, what an agent from a file prints goes
    to stderr; without, nowhere.
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
        self.first_removal: float | None = None
        self.error: str | None = None
        self.plan: Any = None
        self.expanded: Any = None

    def begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        _, self.info = self.env.reset(seed=seed, options=options)
        self.left = LEFT[self.game](self.info)

    def play(self, agent: str, options: dict[str, Any], seed: int | None, on_step: Any, prints: bool) -> None:
        try:
            seat = self._seat(agent, prints)
        except AgentError as error:
            self.error = str(error)
            return
        try:
            self._ask(seat, "load", agent, options, seed)
            self._ask(seat, "reset")
            while self.info["outcome"] is None:
                answer = self._ask(seat, "act", *self.actions[-1:])
                self._step(legal(answer, self.env.action_space, self.step), on_step)
        except AgentError as error:
            self.error = str(error)
        else:
            self.plan, self.expanded = self._told(seat, "plan"), self._told(seat, "expanded")
        finally:
            seat.close()

    def _seat(self, agent: str, prints: bool) -> Seat | ChildSeat:
        check(agent, self.game)  # a name that is none is an error before anything is set up
        self.from_file = agent_file(agent) is not None
        recipe, state = recipe_of(self.env), self.env.get_state()
        return ChildSeat(recipe, state, prints) if self.from_file else Seat(recipe, state)

    def _step(self, action: Action, on_step: Any) -> None:
        obs, _, _, _, self.info = self.env.step(action)
        self.actions.append(action)
        self.invalid += not self.info["last_action_valid"]
        if self.first_removal is None and LEFT[self.game](self.info) < self.left:
            self.first_removal = self.thought
        if on_step is not None:
            on_step(len(self.actions), action, obs, dict(self.info))

    @property
    def step(self) -> int:
        """The number of the step that is being thought about, from 1."""
        return len(self.actions) + 1

    def _ask(self, seat: Seat | ChildSeat, command: str, *arguments: Any) -> Any:
        """Ask the agent, with its clock running; what goes wrong is an AgentError that says at which step."""
        at = f" at step {self.step}" if command == "act" else ""
        seconds, late = self._limit(command)
        began = time.perf_counter()
        try:
            return seat.ask(seconds, command, *arguments)
        except TooLate:
            raise AgentError(f"{late}{at}: stopped") from None
        except AgentError as error:
            raise AgentError(f"{error}{at}") from error
        finally:
            if command != "load":
                self.thought += time.perf_counter() - began

    def _limit(self, command: str) -> tuple[float, str]:
        """How long the agent may take now, and what to say when it takes longer."""
        if command == "load" and not self.from_file:
            return math.inf, ""
        if command == "load":
            return self.limits["load_limit"], f"loading it took longer than {self.limits['load_limit']:g} s"
        left = max(0.0, self.limits["time_limit"] - self.thought)
        if command == "act" and self.limits["step_limit"] < left:
            return self.limits["step_limit"], f"act() took longer than {self.limits['step_limit']:g} s"
        return left, f"{command}() used up the {self.limits['time_limit']:g} s for the whole game"

    def _told(self, seat: Seat | ChildSeat, what: str) -> Any:
        try:
            return seat.ask(2.0, what)
        except (AgentError, TooLate):
            return None

    def result(self) -> Game:
        return Game(
            "failed" if self.error else self.info["outcome"],
            self.error,
            len(self.actions),
            self.env.figures(),
            self.invalid,
            self.thought,
            self.first_removal,
            self.actions,
            self.plan,
            self.expanded,
            self.info,
        )
