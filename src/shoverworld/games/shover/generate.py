"""How games begin: on a given map, on a random one, or on a random one that can be cleared."""

from typing import Any

from shoverworld.core.errors import UnsolvableError
from shoverworld.core.grid import seed_rng

from . import rules as rulebook
from .config import RuleNumbers
from .maps import Map
from .setup import ShoverSetup
from .state import ShoverStart, State, new_state

MOST_TRIES = 200
MOST_EXPANDED = 5_000  # counted, not timed: the same seed gives the same map on every machine


def begin(state: State, i: int, rules: RuleNumbers, start: ShoverStart, solvable: bool) -> None:
    """Begin game i. Random maps are drawn until the solver clears one, if that is asked for."""
    rulebook.reset(state, i, rules, start)
    if not solvable or start.boxes < 0:
        return
    from .planner.solver import can_be_cleared  # only here: an environment should start without the planner

    for _ in range(MOST_TRIES):
        if can_be_cleared(state.row(i), rules, MOST_EXPANDED):
            return
        rulebook.reset(state, i, rules, start)
    raise UnsolvableError(
        f"none of {MOST_TRIES} random maps with {start.boxes} boxes, {start.barriers} barriers and {start.lavas} lavas was "
        "cleared by the solver; ask for fewer boxes, more lavas, or solvable=False"
    )


def random_map(seed: int | None = None, **settings: Any) -> Map:
    """A random map: the one that an environment with these keywords begins with on `reset(seed=seed)`."""
    setup = ShoverSetup(settings)
    start, size = setup.start({})
    state = new_state(1, *size)
    seed_rng(state.game[0], seed)
    begin(state, 0, setup.rules.numbers(), start, setup.solvable)
    game: Any = state.game[0]
    return Map(state.grid()[0], (game.row, game.col), f"random map {seed}")
