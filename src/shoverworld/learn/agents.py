"""The agents `learned` and `learned-search`, for every game with a learned policy."""

import os
from contextlib import suppress
from dataclasses import replace
from typing import Any

from shoverworld.agents.base import PLANNING_TIME, RandomAgent
from shoverworld.core.checks import number, whole, word
from shoverworld.core.errors import ResetNeeded, UnsolvableError
from shoverworld.core.plan import Plan
from shoverworld.games import game_of

from .model import Model, packaged_model
from .searching import METHODS, MOST_EXPANSIONS, plan

LONGEST_WALK = 1000  # decisions of the policy in a game


class LearnedAgent:
    """An agent that plays what the policy prefers, without search, and never repeats a position.

    model: the path of a model file (default: the packaged model). The walk ends if every action leads to a position
    that occurred before. The agent then plays at random, as it does under rules that the policy does not cover.
    """

    method = "greedy"
    expansions = LONGEST_WALK
    time_limit = PLANNING_TIME

    def __init__(self, env: Any, model: str | os.PathLike[str] | None = None, seed: int | None = None):
        self.env, game = env.unwrapped, game_of(env)
        self.model = packaged_model(game.name) if model is None else Model.load(model, game)
        self.plan = Plan("unknown")
        self._next = 0
        self._otherwise = RandomAgent(env, seed)
        with suppress(ResetNeeded, UnsolvableError):  # compilation does not count as thinking time
            self._search(self.method, 1)

    @property
    def expanded(self) -> int:
        return self.plan.expanded

    def reset(self, info: dict[str, Any]) -> None:
        self._next = 0
        try:
            self.plan = self._search(self.method, self.expansions)
            if not self.plan.actions and self.method != "greedy":
                self.plan = _together(self.plan, self._search("greedy", LONGEST_WALK))
        except UnsolvableError:  # the policy does not cover these rules
            self.plan = Plan("unknown")

    def _search(self, method: str, expansions: int) -> Plan:
        return plan(self.env, self.model, method, expansions, self.time_limit)

    def act(self, obs: Any, info: dict[str, Any]) -> Any:
        if self._next >= len(self.plan.actions):
            return self._otherwise.act(obs, info)
        self._next += 1
        return self.plan.actions[self._next - 1]


def _together(search: Plan, walk: Plan) -> Plan:
    """Return the walk that follows a search without a result, with the work of both."""
    return replace(walk, expanded=search.expanded + walk.expanded, seconds=search.seconds + walk.seconds)


class LearnedSearchAgent(LearnedAgent):
    """An agent that searches with the policy and then plays the solution.

    method: "auto", "phs" (PHS*) or "levin" (LevinTS), as in `plan`. time_limit (in seconds), expansions (default: no
    limit): the limits of the search. If it finds no solution, the agent plays the policy's walk.
    """

    def __init__(
        self,
        env: Any,
        model: str | os.PathLike[str] | None = None,
        method: str = "auto",
        expansions: int | None = None,
        time_limit: float = PLANNING_TIME,
        seed: int | None = None,
    ):
        self.method = word("method", method, tuple(METHODS))
        self.expansions = MOST_EXPANSIONS if expansions is None else whole("expansions", expansions, 1, MOST_EXPANSIONS)
        self.time_limit = number("time_limit", time_limit, at_least=0)
        super().__init__(env, model, seed)
