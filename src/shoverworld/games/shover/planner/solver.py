"""`solve`: one search after another, each wider than the last, until the time is up or the best plan is proved."""

import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from shoverworld.core.checks import number, word
from shoverworld.core.errors import ConfigError
from shoverworld.core.plan import StoppedBy

from ..config import RuleNumbers, Rules
from ..maps import Map
from ..state import PLAYING, State
from .layers import STAMINA, STEPS, Found, Outcome, Searcher
from .plan import ShoverPlan
from .promise import FOR_STAMINA, FOR_STEPS, Weights

FIRST_WIDTH, GROWTH = 8, 4
_JUDGES = 3  # sets of weights to go on with
_LUCKY_TRIES = 28
_PROOF_SHARE = 0.35  # of the time, for proofs, as long as plans get better too
_TELL_EVERY = 0.1  # seconds: whoever waits is told how it stands, and can stop the search


Objective = Literal["steps", "stamina"]


def solve(
    m: Map | State,
    rules: "str | Rules" = "milestone1",
    objective: Objective = "steps",
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[ShoverPlan], Any] | None = None,
) -> ShoverPlan:
    """The best plan found in `time_limit` seconds (compilation is not counted) that clears a map, or a game in progress.

    m: a Map, or the State of one game (`env.get_state()`), to continue from there.
    objective: "steps" for the fewest steps, "stamina" for the most stamina left at the end.
    memory_limit: the memory of the search in megabytes.
    progress: called with the plan so far whenever it improves, and about ten times a second besides; if it returns True,
    the search stops.

    The plan's `status` is "solved", "unsolvable" (proved) or "unknown". `proved_optimal` means that no plan is better,
    `lower_bound` that no plan has fewer steps, `stamina_bound` that no plan ends with more stamina. Ctrl-C stops the
    search and returns the best plan so far. Every plan has been replayed through the rules. The start of the shover
    matters to walkers only: on a map without a start they begin on the first empty cell.
    """
    from ..env import ShoverWorldEnv  # the environment makes solvable maps with this package

    word("objective", objective, ("steps", "stamina"))
    limit = number("time_limit", time_limit, at_least=0)
    memory = int(number("memory_limit", memory_limit, at_least=8) * 2**20)
    env = ShoverWorldEnv(rules=rules)
    if isinstance(m, State):
        env.set_state(m)
    else:
        if not isinstance(m, Map):
            raise ConfigError(f"solve() takes a Map or a State, not {type(m).__name__}; read one with Map.read(path)")
        env.reset(options={"map": m.with_start()})
    solver = Solver(env.get_state(), env.rules.numbers(), STEPS if objective == "steps" else STAMINA, memory)

    known_good: list[Any] = []  # the last actions that were replayed: the same ones need not be again

    def verified(plan: ShoverPlan) -> ShoverPlan:
        if plan.actions and [plan.actions, plan.final_stamina] != known_good:
            env.set_state(solver.start)
            plan.verify(env)
            known_good[:] = plan.actions, plan.final_stamina
        return plan

    if progress is not None:
        solver.tell = lambda plan: progress(verified(plan)) is True
    return verified(solver.run(limit))


def can_be_cleared(start: State, rules: RuleNumbers, most_expanded: int) -> bool:
    """Does a quick search clear this game? The effort is counted, not timed: the answer is the same on every machine."""
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


class Solver:
    """The state of a solve: the best way so far and what is known of all others."""

    def __init__(self, start: State, rules: RuleNumbers, objective: int, memory: int):
        self.start, self.rules, self.objective = start, rules, objective
        self.searcher = Searcher(start, rules, memory)
        self.best: Found | None = None
        # The best way and its actions. They are written as soon as it is found: a search that runs needs the same desk.
        self.written: tuple[Found, list[tuple[int, int, int]]] | None = None
        self.steps_so_far = int(start.game["timestep"][0])
        self.proved = False
        self.stopped_by: StoppedBy = "time"
        self.lower, self.highest = 0, float("inf")  # the fewest steps and the most stamina that are possible
        self.rng = np.random.default_rng(0)
        self.tell: Callable[[ShoverPlan], bool] | None = None
        self.told = -np.inf  # when
        self.cancelled = False

    # --- what is known

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
        if self.written is None or self.written[0] is not self.best:
            self.written = self.best, self.searcher.actions(self.best.moves)
        return ShoverPlan(
            "solved", list(self.written[1]), final_stamina=self.best.stamina, proved_optimal=self.proved, **known
        )

    @property
    def most_steps(self) -> int:
        """A way is of interest when it takes no more than this."""
        if self.best is None or self.objective == STAMINA:
            return self.rules.max_timestep
        return self.best.steps - 1

    @property
    def least_stamina(self) -> float:
        return self.best.stamina if self.best is not None and self.objective == STAMINA else -np.inf

    def is_better(self, way: Found) -> bool:
        if self.best is None:
            return True
        mine, theirs = (self.best.steps, -self.best.stamina), (way.steps, -way.stamina)
        return theirs < mine if self.objective == STEPS else theirs[::-1] < mine[::-1]

    def over(self) -> bool:
        return self.proved or time.perf_counter() > self.deadline or self.cancelled

    def report(self, better: bool) -> None:
        """Tell how it stands, unless nothing is better and it was told a moment ago."""
        if self.tell is None or self.cancelled:
            return
        if better or time.perf_counter() - self.told > _TELL_EVERY:
            self.cancelled = self.tell(self.plan())
            self.told = time.perf_counter()

    # --- the run

    def run(self, limit: float) -> ShoverPlan:
        self.began = time.perf_counter()
        self.deadline = np.inf
        if self.start.game["outcome"][0] != PLAYING or self.searcher.boxes == 0:
            return self._already_over()
        self._warm_up()
        self.began = time.perf_counter()
        self.deadline = self.began + limit
        try:
            self._search_on()
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        if self.proved:
            self.stopped_by = "proof"
            self._settle()
        elif self.cancelled:
            self.stopped_by = "progress"
        return self.plan()

    def _already_over(self) -> ShoverPlan:
        """There are no boxes, so nothing is to do; or the given game is lost."""
        stamina = float(self.start.game["stamina"][0])
        if self.searcher.boxes == 0:
            return ShoverPlan(
                "solved", final_stamina=stamina, stamina_bound=stamina, proved_optimal=True, stopped_by="proof"
            )
        return ShoverPlan("unsolvable", stopped_by="proof")

    def _warm_up(self) -> None:
        """Compile everything before the clock starts. A search of zero steps takes no time on large maps."""
        self.searcher.bounds()
        for objective in (STEPS, STAMINA):
            self.searcher.search(
                self.start, 1, objective, self.steps_so_far, -np.inf, FOR_STEPS[0], True, lambda: False
            )
        self.searcher.actions(np.zeros(0, np.int64))
        self.searcher.expanded = self.searcher.tried = 0

    def _search_on(self) -> None:
        stuck, self.lower, self.highest = self.searcher.bounds()
        if stuck or self.lower > self.rules.max_timestep - self.steps_so_far:
            self.proved = True
            return
        proof = Proof(self)
        width = FIRST_WIDTH
        judges = self._trial(width)
        while not self.over():
            for weights in [*judges, shaken(judges[0], self.rng)]:
                self._look(width, weights)
                if not self.over():
                    proof.go_on()
                if not self.over():
                    self._mend(width, weights)
                if self.over():
                    return
            self._try_luck()
            width = min(width * GROWTH, self.searcher.most_games)

    def _try_luck(self) -> None:
        """No plan yet: many narrow searches with weights at random find what one wide search passes by."""
        for attempt in range(_LUCKY_TRIES):
            if self.best is not None or self.over():
                return
            self._look(GROWTH * FIRST_WIDTH, shaken(FOR_STEPS[attempt % len(FOR_STEPS)], self.rng))

    def _trial(self, width: int) -> list[Weights]:
        """Let every set of weights look for a plan, and go on with those that did best on this map."""
        results = []
        for weights in FOR_STEPS:
            outcome = self._search(self.start, width, weights, STEPS, False, self.rules.max_timestep)
            self._take(outcome, np.zeros(0, np.int64))
            results.append(outcome.found.steps if outcome.found else np.inf)
            if outcome.complete and (self.objective == STEPS or outcome.found is None):
                self.proved = True
            if self.over():
                break
        if self.objective == STAMINA and self.best is not None:
            return list(FOR_STAMINA)
        best = sorted(range(len(results)), key=results.__getitem__)
        return [FOR_STEPS[k] for k in (best[:_JUDGES] if self.best is not None else best)]

    def _look(self, width: int, weights: Weights) -> None:
        """Search from the start with this width; proved, when nothing had to be dropped."""
        objective = STEPS if self.best is None else self.objective
        outcome = self._search(self.start, width, weights, objective, careful=width > 500)
        self._take(outcome, np.zeros(0, np.int64))
        if outcome.complete and (objective == self.objective or outcome.found is None):
            self.proved = True

    def _mend(self, width: int, weights: Weights) -> None:
        """Search again from somewhere on the best way, for a shorter end: fewer games, so more of them can be kept."""
        if self.best is None or len(self.best.moves) < 4:
            return
        place = int(self.rng.integers(1, len(self.best.moves) - 2))
        first = self.best.moves[:place]
        start = self.searcher.after(first)
        outcome = self._search(start, 2 * width, shaken(weights, self.rng), self.objective, careful=False)
        self._take(outcome, first)

    def _search(
        self, start: State, width: int, weights: Weights, objective: int, careful: bool, most_steps: int | None = None
    ) -> Outcome:
        most_steps = self.most_steps if most_steps is None else most_steps
        return self.searcher.search(
            start, width, objective, most_steps, self.least_stamina, weights, careful, self.stop
        )

    def stop(self) -> bool:
        """What a search asks now and then."""
        self.report(better=False)
        return time.perf_counter() > self.deadline or self.cancelled

    def _take(self, outcome: Outcome, first: np.ndarray) -> None:
        """Keep a way that is better than the best."""
        found, better = outcome.found, False
        if found is not None:
            way = found._replace(moves=np.concatenate([first, found.moves]))
            better = self.is_better(way)
            if better:
                self.best = way
                if self.best.steps - self.steps_so_far <= self.lower and self.objective == STEPS:
                    self.proved = True
                if self.best.stamina >= self.highest and self.objective == STAMINA:
                    self.proved = True
        self.report(better)

    def _settle(self) -> None:
        """What a proof says about the bounds."""
        if self.best is None:
            self.lower, self.highest = 0, -np.inf
        elif self.objective == STEPS:
            self.lower = self.best.steps - self.steps_so_far
        else:
            self.highest = self.best.stamina


class Proof:
    """Raises the lower bound a step at a time: is there a plan of exactly that many steps? Nothing may be dropped."""

    def __init__(self, solver: Solver):
        self.solver = solver
        self.spent, self.possible = 0.0, True
        self.not_before = 0.0

    def go_on(self) -> None:
        """Some more work on the proof, in proportion to the time spent on plans."""
        s = self.solver
        while self.possible and not s.over():
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
        late = lambda: s.stop() or time.perf_counter() > until  # noqa: E731
        if s.objective == STAMINA:
            steps = s.rules.max_timestep
        outcome = s.searcher.search(
            s.start, s.searcher.most_games, s.objective, steps, s.least_stamina, FOR_STEPS[0], True, late
        )
        s._take(outcome, np.zeros(0, np.int64))
        if outcome.complete and (outcome.found is not None or s.objective == STAMINA):
            s.proved = True
        elif outcome.complete:
            s.lower += 1
            if s.best is not None and s.lower >= s.best.steps - s.steps_so_far:
                s.proved = True
            if s.lower > s.rules.max_timestep - s.steps_so_far:
                s.proved = True
        elif not late():
            self.possible = False  # out of memory, not of time
        return outcome.complete


def shaken(weights: Weights, rng: np.random.Generator) -> Weights:
    """The same judgement with a grain of chance."""
    return Weights(*(float(w * rng.uniform(0.5, 1.5)) for w in weights))
