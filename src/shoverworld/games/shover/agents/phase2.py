"""The agent from the Phase 2 report. It uses a few rules for the obvious cases and a search for all other cases.

The heuristic is in phase2_heuristic.py, and the rules about squares are in phase2_squares.py.
"""

from collections import Counter
from typing import Any

from shoverworld.core.checks import number, whole, word
from shoverworld.search import Budget, astar, rbfs

from ..config import FIRST_SPECIAL
from ..problem import Action, Position
from .greedy import GreedyAgent
from .phase2_squares import STEPS, completing_pushes, is_special

ALGORITHMS = {"astar": astar, "rbfs": rbfs}
LEAST_EXPANSIONS = 16  # the lowest budget for a search; many unsuccessful searches reduce the budget to this number


class Phase2Agent:
    """An agent for all presets. It makes a plan that removes at least one box, plays the plan, and then plans again.

    algorithm: "astar" or "rbfs". weight: the weight of h in f = g + weight * h. alpha, beta: see `Heuristic`.
    expansions, seconds, depth: the budget for one search. The time limit is only a safety net. Normally, the number of
    expansions limits the search, so the agent plays the same actions on every machine.
    seed: determines how ties are broken when there is no plan.

    `fired` counts the actions chosen by each rule of Algorithm 1, `subgoals` counts the searches, and `expanded` counts
    the expanded nodes.
    """

    def __init__(
        self,
        env: Any,
        algorithm: str = "astar",
        weight: float = 1.5,
        alpha: float = 0.5,
        beta: float = 2.0,
        expansions: int = 1000,
        seconds: float = 10.0,
        depth: int = 100,
        seed: int | None = None,
    ):
        word("algorithm", algorithm, tuple(ALGORITHMS))
        self.search = ALGORITHMS[algorithm]
        self.env = env.unwrapped
        self.rules = self.env.rules
        self.weight = number("weight", weight, at_least=1)
        self.expansions = whole("expansions", expansions, 1, 2**31)
        self.seconds, self.depth = seconds, depth
        self.greedy = GreedyAgent(env, seed, alpha, beta)
        self.reset({})

    def reset(self, info: dict[str, Any]) -> None:
        self.greedy.reset(info)
        self.plan: list[Action] = []
        self.boxes = -1
        self.patience = self.expansions  # the number of expansions allowed in the next search
        self.fired: Counter[str] = Counter()
        self.subgoals = self.expanded = 0

    def act(self, obs: dict[str, Any], info: dict[str, Any]) -> Action:
        """Choose an action using Algorithm 1 of the Phase 2 report."""
        self.look(info)
        if action := self.attractive_special():
            return self.play("special", action)
        if action := self.completing_push():
            return self.play("complete square", action)
        if action := self.continue_push(obs, info):
            return self.play("continue push", action)
        if action := self.planned_action():
            return self.play("plan", action)
        return self.play("greedy", self.greedy.choose(self.here, self.options))

    def look(self, info: dict[str, Any]) -> None:
        """Update the agent's knowledge: the current position, the possible actions and the boards seen so far."""
        self.problem = self.greedy.look(info)
        self.here = self.problem.start()
        self.options = self.greedy.options(self.problem)
        if self.here.boxes != self.boxes:
            self.boxes, self.patience = self.here.boxes, self.expansions

    def play(self, rule: str, action: Action) -> Action:
        self.fired[rule] += 1
        if self.plan and self.plan[0] == action:
            self.plan.pop(0)
        else:
            self.plan = []
        return self.greedy.played(action)

    # --- the rules, in order of priority

    def attractive_special(self) -> Action | None:
        """Return hellify if it is useful, otherwise the barrier maker if that is useful, otherwise None."""
        return max((a for a in self.options if is_special(a, self.rules)), key=lambda a: a[2], default=None)

    def completing_push(self) -> Action | None:
        """Return a push that completes a square and thereby makes a special action useful."""
        for action, after in completing_pushes(self.here, self.options, self.rules):
            if any(is_special(then, self.rules) for then, _, _ in self.problem.successors(after)):
                return action
        return None

    def continue_push(self, obs: dict[str, Any], info: dict[str, Any]) -> Action | None:
        """Return a push that moves the same box further in the same direction and does not cost the initial force.

        The push must remove a box, be at least as good as the planned action, or (without a plan) improve the board.
        """
        direction = int(obs["previous_action"][0]) - self.rules.z_base
        if info["chain_length"] == 0 or not 0 <= direction < FIRST_SPECIAL:
            return None
        (row, col), (down, right) = obs["previous_selected_position"].tolist(), STEPS[direction]
        action = (row + down, col + right, self.rules.z_base + direction)
        after = self.options.get(action)
        if after is None:
            return None
        planned = self.options.get(self.plan[0]) if self.plan else None
        good = after.estimate <= planned.estimate if planned else after.estimate < self.here.estimate
        return action if good or after.boxes < self.here.boxes else None

    def planned_action(self) -> Action | None:
        """Return the next action of the plan. If there is no plan or its next action is not an option, plan again."""
        if not self.plan or self.plan[0] not in self.options:
            self.plan = self.make_plan()
        return self.plan[0] if self.plan else None

    def make_plan(self) -> list[Action]:
        """Return actions that end with the removal of a box.

        If the search finds no such actions, return the actions that lead to the best board found, provided that this
        board is new and better than the current board. Otherwise, return an empty list.
        """
        result = self.search(self.problem, Budget(self.patience, self.seconds, self.depth), self.weight)
        self.subgoals += 1
        self.expanded += result.expanded
        if result.solved:
            return result.actions
        self.patience = max(LEAST_EXPANSIONS, self.patience // 2)
        end = self._after(result.best_actions)
        better = end.estimate < self.here.estimate and not self.greedy.seen[end.layout]
        return result.best_actions if better else []

    def _after(self, actions: list[Action]) -> Position:
        position = self.here
        for action in actions:
            position = next(child for a, child, _ in self.problem.successors(position) if a == action)
        return position
