"""Agents on tasks: who plays what, how it went, as a row that tables and files are made of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from shoverworld.core.errors import AgentError
from shoverworld.core.plan import Plan
from shoverworld.core.recorder import Recorder
from shoverworld.core.replay import Replay

from .actions import Action
from .games import WON
from .load import find, make
from .referee import play
from .seat import observed
from .tasks import Task

PLANNER = "planner"


@dataclass(frozen=True)
class Row:
    """What one agent made of one task. `first_removal`, `seconds`: of thinking."""

    map: str
    agent: str
    game: str
    outcome: str  # as the game says, or failed; of the planner also unsolvable (proved) and unknown
    steps: int
    figures: dict[str, float]  # what the game tells of itself at the end, such as stamina or pushes
    first_removal: float | None
    expanded: int | None
    proved: bool
    seconds: float
    error: str | None = None
    lower_bound: int | None = None
    interrupted: bool = False  # by Ctrl-C: there is a row all the same
    actions: list[Action] = field(default_factory=list, repr=False)

    @property
    def won(self) -> bool:
        return self.outcome == WON[self.game]


def run(
    task: Task,
    agent: str = PLANNER,
    objective: str | None = None,
    time_limit: float = 10.0,
    seed: int | None = 0,
    progress: Callable[[Plan], Any] | None = None,
    prints: bool = False,
) -> Row:
    """Let an agent play a task. The planner thinks for `time_limit` seconds at most, for an objective of its game; the
    others are stopped then, and so is one from a file that takes as long, and 10 s at least, to load. `prints`: see
    `referee.play`."""
    if agent == PLANNER:
        try:
            return _planned(task, objective, time_limit, progress)
        except AgentError as error:
            return Row(task.name, agent, task.game, "failed", 0, {}, None, None, False, 0.0, str(error))
    loading = max(10.0, time_limit)
    game = play(task.make(), agent, seed, time_limit, load_limit=loading, options=task.options, prints=prints)
    expanded = game.expanded if isinstance(game.expanded, int) else None
    return Row(
        task.name, agent, task.game, game.outcome, game.steps, game.figures, game.first_removal, expanded, False,
        game.seconds, game.error, None, False, game.actions,
    )  # fmt: skip


def _planned(task: Task, objective: str | None, time_limit: float, progress: Callable[[Plan], Any] | None) -> Row:
    """The planner's row: its plan, played through the rules."""
    env: Any = task.make()
    env.reset(options=task.options)
    asked = {} if objective is None else {"objective": objective}
    kind, usual = find(PLANNER, task.game)
    agent: Any = make(kind, env, {**usual, **asked, "time_limit": time_limit, "progress": progress})
    agent.reset(observed(env)[1])
    plan, actions = agent.plan, agent.actions
    for action in actions:
        env.step(action)
    outcome = plan.status
    if plan.status == "solved":  # a plan without actions: nothing is left to be done
        outcome = env.outcome if actions else WON[task.game]
    return Row(
        task.name, PLANNER, task.game, outcome, len(actions), env.figures() if outcome == WON[task.game] else {},
        plan.seconds if actions else None, plan.expanded, plan.proved_optimal or plan.status == "unsolvable",
        plan.seconds, None, plan.lower_bound, plan.stopped_by == "interrupt", actions,
    )  # fmt: skip


def replay_of(task: Task, row: Row) -> Replay:
    """The game of a row as a replay, which has been played through the rules."""
    recorder = Recorder(task.make())
    recorder.reset(options=task.options)
    for action in row.actions:
        recorder.step(action)
    return recorder.replay(player=row.agent, comment=task.name)
