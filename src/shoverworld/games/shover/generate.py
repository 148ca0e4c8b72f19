"""Start a game on a given map, on a random map, or on a random map that the solver can clear."""

from typing import Any

from shoverworld.core.checks import seed_number
from shoverworld.core.errors import UnsolvableError
from shoverworld.core.grid import seed_rng
from shoverworld.core.rules_text import describe_rules

from . import rules as rulebook
from .config import PRESETS, ShoverRuleNumbers
from .maps import Map
from .setup import ShoverSetup
from .state import ShoverStart, State, new_state

MOST_TRIES = 200
MOST_EXPANDED = 5_000  # limits the amount of work, not the time, so that a seed gives the same map on every machine


def begin(state: State, i: int, rules: ShoverRuleNumbers, start: ShoverStart, solvable: bool) -> None:
    """Start game i. If `solvable` is true, generate random maps until the solver can clear one of them."""
    rulebook.reset(state, i, rules, start)
    if solvable:
        make_solvable(state, i, rules, start)


def make_solvable(state: State, i: int, rules: ShoverRuleNumbers, start: ShoverStart) -> None:
    """Restart game i, which has just begun on a random map, on new random maps until the solver can clear its map."""
    if start.boxes < 0:  # the map is given, not random
        return
    from .planner.solver import can_be_cleared  # lazy: environments start faster without the planner

    for _ in range(MOST_TRIES):
        if can_be_cleared(state.row(i), rules, MOST_EXPANDED):
            return
        rulebook.reset(state, i, rules, start)
    raise UnsolvableError(
        f"the solver cleared none of {MOST_TRIES} random maps with {start.boxes} boxes, {start.barriers} barriers and "
        f"{start.lavas} lava cells; use fewer boxes, more lava cells or solvable=False"
    )


def random_map(seed: int | None = None, **settings: Any) -> Map:
    """Return the random map that an environment with these arguments generates on `reset(seed=seed)`.

    The header of the map specifies the rules.
    """
    setup, seed = ShoverSetup(settings), seed_number(seed)
    start, size = setup.start({})
    state = new_state(1, *size)
    seed_rng(state.game[0], seed)
    begin(state, 0, setup.rules.numbers(), start, setup.solvable)
    game: Any = state.game[0]
    rules = describe_rules(setup.rules, PRESETS)
    return Map(state.grid()[0], (game.row, game.col), f"random map {seed}", rules=rules)
