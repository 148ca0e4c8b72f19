"""Plans from a learned policy: `plan` searches from the current state of an environment."""

from os import PathLike
from typing import Any

from shoverworld.core.checks import number, whole, word
from shoverworld.core.plan import Plan
from shoverworld.core.policy import AUTO, GREEDY, LEVIN, PHS
from shoverworld.games import game_of

from .model import Model, learning_of, packaged_model

METHODS = {"auto": AUTO, "greedy": GREEDY, "levin": LEVIN, "phs": PHS}
EXPANSIONS, TIME_LIMIT = 100_000, 10.0  # the default limits


def plan(
    env: Any,
    model: Model | str | PathLike[str] | None = None,
    method: str = "auto",
    expansions: int = EXPANSIONS,
    time_limit: float = TIME_LIMIT,
) -> Plan:
    """Search for a plan from the current state of an environment with a policy.

    model: the policy, or the path of its file (default: the packaged model of the game).
    method: "phs" (PHS*) and "levin" (LevinTS) return the first solution that they find. "greedy" plays what the policy
    prefers and never searches; a greedy plan that does not win still has the actions of the policy's walk. "auto": what
    suits the game best; in Sokoban PHS*, in Shover-World a portfolio that goes on to find shorter plans.
    expansions, time_limit (in seconds): the limits of the search. Every plan has passed the rules of the game.
    """
    word("method", method, tuple(METHODS))
    whole("expansions", expansions, 1, 10**9)
    number("time_limit", time_limit, at_least=0)
    game = game_of(env)
    if model is None:
        model = packaged_model(game.name)
    elif not isinstance(model, Model):
        model = Model.load(model, game)
    else:
        model.check(game)
    return learning_of(game).plan(
        env.unwrapped, model.table, method=METHODS[method], expansions=expansions, time_limit=time_limit
    )
