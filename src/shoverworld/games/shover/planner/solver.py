"""`solve` runs wider and wider searches until time is up or the best plan is proved optimal."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from shoverworld.core.checks import number, word
from shoverworld.core.errors import ConfigError
from shoverworld.core.plan import PlanOrigin, StoppedBy

from ..config import PresetName, Rules, ShoverRuleNumbers
from ..maps import Map
from ..state import PLAYING, State
from .expansion import STAMINA, STEPS
from .heuristic import FOR_STAMINA, FOR_STEPS, Weights
from .moves import WAIT
from .plan import ShoverPlan
from .searcher import Outcome, Searcher, Solution

FIRST_WIDTH, GROWTH = 8, 4
_PORTFOLIO_SIZE = 3  # number of sets of weights that are kept after all sets have been tried
_RANDOM_TRIES = 28  # number of narrow searches with random weights while no plan is known
_PROOF_SHARE = 0.35  # share of the time spent on proofs
_REPORT_INTERVAL = 0.1  # seconds between two calls to `progress` if the plan has not improved


Objective = Literal["steps", "stamina"]


def solve(
    m: Map | State,
    rules: "PresetName | str | Rules | None" = None,
    objective: Objective = "steps",
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[ShoverPlan], object] | None = None,
) -> ShoverPlan:
    """Return the best plan that the search finds for a map or a game in progress.

    m: a Map, or the State of one game (`env.get_state()`) to continue from.
    rules: the name of a preset, a string such as "phase2, initial_force=30", or a Rules object. The default is the
    rules in the header of the map, or "milestone1" if there are none.
    objective: "steps" for the fewest steps, "stamina" for the most stamina left at the end.
    time_limit: the maximum duration of the search in seconds, not counting compilation.
    memory_limit: the memory for the search in megabytes.
    progress: a callback that receives the best plan so far: at once if the search finds a better plan, and otherwise
    about ten times a second. If the callback returns True, the search stops.

    The plan's `status` is "solved", "unsolvable" (proved) or "unknown". If `proved_optimal` is True, no plan is better.
    No plan has fewer steps than `lower_bound` or ends with more stamina than `stamina_bound`. Ctrl-C stops the search,
    and the best plan so far is returned. Every returned plan has been verified by playing it. The start cell of the
    shover matters only for walkers. On a map without a start cell, a walker begins on the first empty cell.
    """
    from ..env import ShoverWorldEnv  # lazy to avoid a cycle: the environment imports this package for solvable maps

    word("objective", objective, ("steps", "stamina"))
    limit = number("time_limit", time_limit, at_least=0)
    memory = int(number("memory_limit", memory_limit, at_least=8) * 2**20)
    env = ShoverWorldEnv(rules=m.rules if rules is None and isinstance(m, Map) else rules)
    origin: PlanOrigin | None = None
    if isinstance(m, State):
        env.set_state(m)
    else:
        if not isinstance(m, Map):
            raise ConfigError(f"solve() takes a Map or a State, not {type(m).__name__}; read a map with Map.read(path)")
        env.reset(options={"map": m.with_start()})
        origin = PlanOrigin(*env.recipe(), env.map_text())
    solver = ShoverSolver(env.get_state(), env.rules.numbers(), STEPS if objective == "steps" else STAMINA, memory)

    verified_plan: list[Any] = []  # the last verified plan, which need not be verified again

    def verified(plan: ShoverPlan) -> ShoverPlan:
        if plan.actions and [plan.actions, plan.final_stamina] != verified_plan:
            env.set_state(solver.start)
            plan.verify(env)
            verified_plan[:] = plan.actions, plan.final_stamina
        return plan

    if progress is not None:
        solver.on_progress = lambda plan: progress(verified(plan)) is True
    return replace(verified(solver.run(limit)), origin=origin)


def can_be_cleared(start: State, rules: ShoverRuleNumbers, most_expanded: int) -> bool:
    """Return whether a short search finds a plan that clears this game.

    The search is limited by the number of expansions, not by time, so the answer is the same on every machine.
    """
    searcher = Searcher(start, rules, 16 << 20)
    if searcher.boxes == 0:
        return True
    width = FIRST_WIDTH
    while not searcher.bounds()[0] and searcher.expanded < most_expanded:
        outcome = searcher.search(
            start,
            width,
            STEPS,
            rules.max_timestep,
            -np.inf,
            FOR_STEPS[0],
            False,
            lambda: searcher.expanded > most_expanded,
        )
        if outcome.found is not None or outcome.complete:
            return outcome.found is not None
        width *= GROWTH
    return False


class ShoverSolver:
    """The progress of one call to `solve`: the best solution so far and the bounds on all solutions."""

    def __init__(self, start: State, rules: ShoverRuleNumbers, objective: int, memory: int):
        self.start, self.rules, self.objective = start, rules, objective
        self.searcher = Searcher(start, rules, memory)
        self.best: Solution | None = None
        # The best solution and its actions, which are computed once.
        self.best_actions: tuple[Solution, list[tuple[int, int, int]]] | None = None
        self.steps_so_far = int(start.game["timestep"][0])
        self.proved = False
        self.stopped_by: StoppedBy = "time"
        self.lower, self.highest = 0, float("inf")  # lower bound on steps, upper bound on stamina
        self.rng = np.random.default_rng(0)
        self.on_progress: Callable[[ShoverPlan], bool] | None = None
        self.last_report = -np.inf  # time of the last report
        self.cancelled = False

    # --- the results so far

    def plan(self) -> ShoverPlan:
        seconds = time.perf_counter() - self.began
        known: Any = {
            "objective": "steps" if self.objective == STEPS else "stamina",
            "lower_bound": self.lower,
            "expanded": self.searcher.expanded,
            "seconds": seconds,
            "stopped_by": self.stopped_by,
            "stamina_bound": self.highest,
        }
        if self.best is None:
            status = "unsolvable" if self.proved else "unknown"
            return ShoverPlan(status, **known)
        if self.best_actions is None or self.best_actions[0] is not self.best:
            self.best_actions = self.best, self.searcher.actions(self.best.moves)
        return ShoverPlan(
            "solved", list(self.best_actions[1]), final_stamina=self.best.stamina, proved_optimal=self.proved, **known
        )

    @property
    def most_steps(self) -> int:
        """The maximum number of steps that a new solution may have."""
        if self.best is None or self.objective == STAMINA:
            return self.rules.max_timestep
        return self.best.steps - 1

    @property
    def least_stamina(self) -> float:
        return self.best.stamina if self.best is not None and self.objective == STAMINA else -np.inf

    def is_better(self, solution: Solution) -> bool:
        if self.best is None:
            return True
        mine, theirs = (self.best.steps, -self.best.stamina), (solution.steps, -solution.stamina)
        return theirs < mine if self.objective == STEPS else theirs[::-1] < mine[::-1]

    def is_done(self) -> bool:
        return self.proved or time.perf_counter() > self.deadline or self.cancelled

    def report(self, better: bool) -> None:
        """Report the current plan if `better` is true or if enough time has passed since the last report."""
        if self.on_progress is None or self.cancelled:
            return
        if better or time.perf_counter() - self.last_report > _REPORT_INTERVAL:
            self.cancelled = self.on_progress(self.plan())
            self.last_report = time.perf_counter()

    # --- running the searches

    def run(self, limit: float) -> ShoverPlan:
        self.began = time.perf_counter()
        self.deadline = np.inf
        if self.start.game["outcome"][0] != PLAYING or self.searcher.boxes == 0:
            return self._already_over()
        self._warm_up()
        self.began = time.perf_counter()
        self.deadline = self.began + limit
        try:
            self._search_until_done()
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        if self.proved:
            self.stopped_by = "proof"
            self._tighten_bounds()
        elif self.cancelled:
            self.stopped_by = "progress"
        return self.plan()

    def _already_over(self) -> ShoverPlan:
        """Return the plan for a finished game: an empty plan if no boxes are left, otherwise an "unsolvable" plan."""
        stamina = float(self.start.game["stamina"][0])
        if self.searcher.boxes == 0:
            return ShoverPlan(
                "solved", final_stamina=stamina, stamina_bound=stamina, proved_optimal=True, stopped_by="proof"
            )
        return ShoverPlan("unsolvable", stopped_by="proof")

    def _warm_up(self) -> None:
        """Compile everything before the clock starts. A search limited to zero steps is fast even on large maps."""
        self.searcher.bounds()
        for objective in (STEPS, STAMINA):
            self.searcher.search(
                self.start, 1, objective, self.steps_so_far, -np.inf, FOR_STEPS[0], True, lambda: False
            )
        self.searcher.actions(np.array([WAIT]))  # any move will do
        self.searcher.expanded = self.searcher.tried = 0

    def _search_until_done(self) -> None:
        stuck, self.lower, self.highest = self.searcher.bounds()
        if stuck or self.lower > self.rules.max_timestep - self.steps_so_far:
            self.proved = True
            return
        proof = Proof(self)
        width = FIRST_WIDTH
        portfolio = self._choose_portfolio(width)
        while not self.is_done():
            for weights in [*portfolio, perturbed(portfolio[0], self.rng)]:
                self._search_from_start(width, weights)
                if not self.is_done():
                    proof.advance()
                if not self.is_done():
                    self._improve_end(width, weights)
                if self.is_done():
                    return
            self._try_random_weights()
            width = min(width * GROWTH, self.searcher.most_games)

    def _try_random_weights(self) -> None:
        """While no plan is known, try narrow searches with random weights, which may find plans that wide ones miss."""
        for attempt in range(_RANDOM_TRIES):
            if self.best is not None or self.is_done():
                return
            self._search_from_start(GROWTH * FIRST_WIDTH, perturbed(FOR_STEPS[attempt % len(FOR_STEPS)], self.rng))

    def _choose_portfolio(self, width: int) -> list[Weights]:
        """Search with every set of weights and return the sets that did best on this map."""
        results = []
        for weights in FOR_STEPS:
            outcome = self._search(self.start, width, weights, STEPS, False, self.rules.max_timestep)
            self._keep_if_better(outcome, np.zeros(0, np.int64))
            results.append(outcome.found.steps if outcome.found else np.inf)
            if outcome.complete and (self.objective == STEPS or outcome.found is None):
                self.proved = True
            if self.is_done():
                break
        if self.objective == STAMINA and self.best is not None:
            return list(FOR_STAMINA)
        best = sorted(range(len(results)), key=results.__getitem__)
        return [FOR_STEPS[k] for k in (best[:_PORTFOLIO_SIZE] if self.best is not None else best)]

    def _search_from_start(self, width: int, weights: Weights) -> None:
        """Search from the start with this width. If no game was dropped, the result is proved."""
        objective = STEPS if self.best is None else self.objective
        outcome = self._search(self.start, width, weights, objective, careful=width > 500)
        self._keep_if_better(outcome, np.zeros(0, np.int64))
        if outcome.complete and (objective == self.objective or outcome.found is None):
            self.proved = True

    def _improve_end(self, width: int, weights: Weights) -> None:
        """Search again from a random point in the best solution to find a better ending."""
        if self.best is None or len(self.best.moves) < 4:
            return
        place = int(self.rng.integers(1, len(self.best.moves) - 2))
        first = self.best.moves[:place]
        start = self.searcher.after(first)
        outcome = self._search(start, 2 * width, perturbed(weights, self.rng), self.objective, careful=False)
        self._keep_if_better(outcome, first)

    def _search(
        self, start: State, width: int, weights: Weights, objective: int, careful: bool, most_steps: int | None = None
    ) -> Outcome:
        most_steps = self.most_steps if most_steps is None else most_steps
        return self.searcher.search(
            start, width, objective, most_steps, self.least_stamina, weights, careful, self.stop
        )

    def stop(self) -> bool:
        """Report the progress and return whether to stop. Searches call this method regularly."""
        self.report(better=False)
        return time.perf_counter() > self.deadline or self.cancelled

    def _keep_if_better(self, outcome: Outcome, first: np.ndarray) -> None:
        """Keep the solution from a search if it is better than the best solution so far."""
        found, better = outcome.found, False
        if found is not None:
            solution = found._replace(moves=np.concatenate([first, found.moves]))
            better = self.is_better(solution)
            if better:
                self.best = solution
                if self.best.steps - self.steps_so_far <= self.lower and self.objective == STEPS:
                    self.proved = True
                if self.best.stamina >= self.highest and self.objective == STAMINA:
                    self.proved = True
        self.report(better)

    def _tighten_bounds(self) -> None:
        """Set the bounds to the proven values."""
        if self.best is None:
            self.lower, self.highest = 0, -np.inf
        elif self.objective == STEPS:
            self.lower = self.best.steps - self.steps_so_far
        else:
            self.highest = self.best.stamina


class Proof:
    """A proof that raises the lower bound one step at a time.

    For each bound, a complete search tests whether a plan with that many steps exists.
    """

    def __init__(self, solver: ShoverSolver):
        self.solver = solver
        self.spent, self.possible = 0.0, True
        self.not_before = 0.0

    def advance(self) -> None:
        """Continue the proof until it has used its share of the elapsed time."""
        s = self.solver
        while self.possible and not s.is_done():
            now = time.perf_counter()
            elapsed = now - s.began
            if self.spent > _PROOF_SHARE * elapsed + 0.02 or elapsed < self.not_before:
                return
            until = min(s.deadline, now + max(0.05, elapsed * _PROOF_SHARE))
            if not self._attempt(until):
                self.not_before = 2 * (time.perf_counter() - s.began)
            self.spent += time.perf_counter() - now

    def _attempt(self, until: float) -> bool:
        s = self.solver
        steps = s.lower + s.steps_so_far
        out_of_time = lambda: s.stop() or time.perf_counter() > until  # noqa: E731
        if s.objective == STAMINA:
            steps = s.rules.max_timestep
        outcome = s.searcher.search(
            s.start, s.searcher.most_games, s.objective, steps, s.least_stamina, FOR_STEPS[0], True, out_of_time
        )
        s._keep_if_better(outcome, np.zeros(0, np.int64))
        if outcome.complete and (outcome.found is not None or s.objective == STAMINA):
            s.proved = True
        elif outcome.complete:
            s.lower += 1
            if s.best is not None and s.lower >= s.best.steps - s.steps_so_far:
                s.proved = True
            if s.lower > s.rules.max_timestep - s.steps_so_far:
                s.proved = True
        elif not out_of_time():
            self.possible = False  # the search ran out of memory, not time
        return outcome.complete


def perturbed(weights: Weights, rng: np.random.Generator) -> Weights:
    """Return randomly perturbed weights."""
    return Weights(*(float(w * rng.uniform(0.5, 1.5)) for w in weights))
