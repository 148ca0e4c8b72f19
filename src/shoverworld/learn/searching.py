"""Plans from a learned policy: `plan` searches from the current state of an environment."""

import math
from os import PathLike
from typing import Any

from shoverworld.core.checks import number, whole, word
from shoverworld.core.errors import ConfigError
from shoverworld.core.plan import Plan
from shoverworld.core.policy import AUTO, GREEDY, LEVIN, PHS
from shoverworld.games import game_of

from .model import Model, learning_of, packaged_model

METHODS = {"auto": AUTO, "greedy": GREEDY, "levin": LEVIN, "phs": PHS}
EXPANSIONS, TIME_LIMIT = 100_000, 10.0  # the limits of a search if neither is given
MOST_EXPANSIONS = 10**9  # stands for no limit; the memory of a search is limited as well


def plan(
    env: Any,
    model: Model | str | PathLike[str] | None = None,
    method: str = "auto",
    expansions: int | None = None,
    time_limit: float | None = None,
) -> Plan:
    """Search for a plan from the current state of an environment with a policy.

    model: the policy, or the path of its file (default: the packaged model of the game).
    method: "phs" (PHS*) and "levin" (LevinTS) return the first solution that they find. "greedy" plays what the policy
    prefers and never searches; a greedy plan that does not win still has the actions of the policy's walk. "auto": what
    suits the game best; in Sokoban PHS*, in Shover-World a portfolio that goes on to find shorter plans.
    expansions, time_limit (in seconds): the limits of the search. If only one is given, only this one applies. If none
    is given, the limits are 100,000 expansions and 10 seconds. With a limit on the expansions alone, the plan does not
    depend on the speed of the machine.

    Every plan has passed the rules of the game.
    """
    word("method", method, tuple(METHODS))
    if expansions is None and time_limit is None:
        expansions, time_limit = EXPANSIONS, TIME_LIMIT
    expansions = MOST_EXPANSIONS if expansions is None else whole("expansions", expansions, 1, MOST_EXPANSIONS)
    time_limit = math.inf if time_limit is None else number("time_limit", time_limit, at_least=0)
    game = game_of(env)
    if model is None:
        model = packaged_model(game.name)
    elif isinstance(model, str | PathLike):
        model = Model.load(model, game)
    elif isinstance(model, Model):
        model.check(game)
    else:
        raise ConfigError(f"model must be a Model or the path of a model file, not {type(model).__name__}")
    return learning_of(game).plan(
        env.unwrapped, model.table, method=METHODS[method], expansions=expansions, time_limit=time_limit
    )
