"""What Shover-World brings for learning (`core.learning.Learning`): features, labels, and plans from a policy."""

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.learning import check_levels
from shoverworld.core.plan import StoppedBy
from shoverworld.core.policy import AUTO, GREEDY

from ..boards import rules_of
from ..config import USUAL, Rules, resolve_rules
from ..env import ShoverWorldEnv
from ..map_sets import read_maps
from ..maps import Map
from ..planner.expansion import STEPS
from ..planner.heuristic import FOR_STEPS
from ..planner.plan import ShoverPlan
from ..state import CLEARED, PLAYING, State
from .best_first import BestFirstSearcher
from .features import INDICES, VERSION
from .portfolio import best_plan
from .teacher import LONGEST_WALK, ShoverLevel, ShoverTeacher

_MEMORY = 256 << 20  # bytes, of a search


class ShoverLearning:
    """See `core.learning.Learning`."""

    version = VERSION
    features = INDICES
    table_size = 1 << 20
    chunk = 20
    model = Path(__file__).parent / "model.npz"

    def read(self, sources: Sequence[str]) -> list[ShoverLevel]:
        """Read map files, folders of map files, or packaged maps. The header of a map names its rules."""
        return [level_of(level) for level in read_maps(list(sources))]

    def teacher(self, levels: Sequence[ShoverLevel | Map]) -> ShoverTeacher:
        check_levels(levels, (ShoverLevel, Map), "maps of Shover-World (shoverworld.Map)")
        return ShoverTeacher([level_of(level) if isinstance(level, Map) else level for level in levels])

    def plan(self, env: GridEnv, table: np.ndarray, *, method: int, expansions: int, time_limit: float) -> ShoverPlan:
        rules, start = rules_of(env), env.get_state()
        if start.game["outcome"][0] != PLAYING:
            won = start.game["outcome"][0] == CLEARED
            return ShoverPlan("solved" if won else "unknown", stopped_by="found" if won else "exhausted")
        searcher = BestFirstSearcher(start, rules.numbers(), _MEMORY, table)
        _compile(searcher, method)
        began, moves = time.perf_counter(), None
        is_late = lambda: time.perf_counter() - began > time_limit  # noqa: E731
        if method == GREEDY:
            moves = searcher.walk(min(expansions, LONGEST_WALK))
        elif method == AUTO:
            found = best_plan(searcher, rules.max_timestep, expansions, time_limit)
            moves = None if found is None else found.moves
        else:
            found = searcher.best_first(start, method, expansions, is_late)
            moves = None if found is None else found.moves
        seconds = time.perf_counter() - began
        reason: StoppedBy = "time" if is_late() else "expansions" if searcher.expanded >= expansions else "exhausted"
        actions = [] if moves is None else searcher.actions(moves)
        plan = ShoverPlan("unknown", actions, expanded=searcher.expanded, seconds=seconds, stopped_by=reason)
        return _checked(plan, start, rules)


def level_of(level: Map) -> ShoverLevel:
    """Return the game at the start of a map."""
    env = ShoverWorldEnv(rules=resolve_rules(level.rules or USUAL))
    env.reset(seed=0, options={"map": level.with_start()})  # the seed is part of the state, and of the levels' digest
    return ShoverLevel(env.get_state(), env.rules)


def _compile(searcher: BestFirstSearcher, method: int) -> None:
    """Compile what the method needs before the clock starts."""
    steps = int(searcher.start.game["timestep"][0]) + 1
    searcher.actions(searcher.walk(1))
    if method == AUTO:
        searcher.guided(searcher.start, 1, steps, lambda: False)
        searcher.search(searcher.start, 1, STEPS, steps, -np.inf, FOR_STEPS[0], False, lambda: False)
    elif method != GREEDY:
        searcher.best_first(searcher.start, method, 1, lambda: False)
    searcher.expanded = searcher.tried = 0


def _checked(plan: ShoverPlan, start: State, rules: Rules) -> ShoverPlan:
    """Play the plan by the rules. Return it with the status "solved" if it clears the map."""
    env = ShoverWorldEnv(rules=rules)
    env.set_state(start)
    for action in plan.actions:
        env.step(action)
    if env.outcome != "cleared":
        return plan
    stamina = float(env.get_state().game["stamina"][0])
    return ShoverPlan(
        "solved", plan.actions, final_stamina=stamina, expanded=plan.expanded, seconds=plan.seconds, stopped_by="found"
    )


LEARNING = ShoverLearning()
