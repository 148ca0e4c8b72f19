"""Play a task with an agent. The result is a row in the tables and files that the commands write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shoverworld.core.errors import AgentError, UnsolvableError
from shoverworld.core.plan import Plan
from shoverworld.core.recorder import Recorder
from shoverworld.core.replay import Replay
from shoverworld.core.task import Task, made
from shoverworld.sandbox import Protection

from . import load
from .actions import Action, steps_of
from .referee import SEARCH_SHARE, play

PLANNER = "planner"


@dataclass(frozen=True)
class Row:
    """The result of one agent on one task. `first_success` and `seconds` count only thinking time."""

    task: Task
    agent: str
    outcome: str  # the game's outcome; "failed"; "unknown" (a packaged agent has no plan) or "unsolvable" (proved)
    steps: int = 0  # counted by the game: in a race, a skipped turn is also a step
    figures: dict[str, float] = field(default_factory=dict)  # final statistics, such as stamina or pushes
    first_success: float | None = None
    expanded: int | None = None
    proved: bool = False
    seconds: float = 0.0
    error: str | None = None
    lower_bound: int | None = None
    actions: list[Action] = field(default_factory=list, repr=False)
    plan: Plan | None = field(default=None, repr=False)  # the planner's plan
    time_limit: float = 0.0  # the maximum thinking time, in seconds
    protection: Protection | None = None  # how an agent from a file was contained

    @property
    def level(self) -> str:
        return self.task.name

    @property
    def rules(self) -> str:
        return self.task.rules

    @property
    def seed(self) -> int:
        return self.task.seed

    @property
    def won(self) -> bool:
        return self.outcome == self.task.game.won

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C stopped the planner."""
        return self.plan is not None and self.plan.stopped_by == "interrupt"


def run(
    task: Task,
    agent: str = PLANNER,
    objective: str | None = None,
    time_limit: float = 10.0,
    progress: Callable[[Plan], Any] | None = None,
    prints: bool = False,
    options: Mapping[str, Any] | None = None,
    protection: Protection | None = None,
    siblings: bool = True,
    search_time: float | None = None,
) -> Row:
    """Play a task with an agent.

    The planner searches for at most `time_limit` seconds and optimises `objective`. Any other agent fails if it thinks
    for longer than `time_limit` seconds. `search_time`: the time for the search of other packaged agents that limit it
    (default: their own limit, or what fits into `time_limit`). `prints`, `protection`, `siblings`: see `referee.play`. `options`: the game's
    options for the planner (`Game.solve_options`).
    """
    if agent == PLANNER:
        try:
            row = _planned(task, options or {}, objective=objective, time_limit=time_limit, progress=progress)
        except AgentError as error:
            row = Row(task, agent, "failed", error=str(error))
    else:
        limits = _agent_options(task, agent, time_limit, search_time)
        row = _played(
            task, agent, time_limit, agent_options=limits, prints=prints, protection=protection, siblings=siblings
        )
        time_limit = limits.get("time_limit", time_limit)
    return replace(row, time_limit=time_limit)


def _agent_options(task: Task, agent: str, time_limit: float, search_time: float | None) -> dict[str, float]:
    if search_time is None or load.search_time(agent, task.game.name) is None:
        return {}
    return {"time_limit": min(search_time, SEARCH_SHARE * time_limit)}


def _played(task: Task, agent: str, time_limit: float, **settings: Any) -> Row:
    """Return the result of an agent other than the planner."""
    limits: Any = {"load_limit": None, "only_plan": True}
    game = play(made(task.recipe), agent, task.seed, time_limit, options=task.options, **limits, **settings)
    expanded = game.expanded if isinstance(game.expanded, int) else None
    return Row(
        task, agent, game.outcome, game.steps, game.figures, game.first_success, expanded, False, game.seconds,
        game.error, None, game.actions, protection=game.protection,
    )  # fmt: skip


def _planned(task: Task, options: Mapping[str, Any], **limits: Any) -> Row:
    """Return the planner's result, after playing its plan under the game's rules."""
    won = task.game.won
    try:
        task, plan = task.game.reports.plan(task, options, **limits)
    except UnsolvableError:  # the planner does not cover these rules, so nothing is proved
        plan = Plan("unknown")
    env, actions = task.start(), []
    for action in plan.actions:
        if env.outcome is not None:  # the planner ignores the step limit, so the game may end before the plan
            break
        env.step(action)
        actions.append(action)
    outcome = plan.status
    if plan.status == "solved":  # if the plan has no actions, the level was already solved
        outcome = (env.outcome or "unfinished") if plan.actions else won
    return Row(
        task, PLANNER, outcome, steps_of(env, len(actions)), env.figures() if outcome == won else {},
        plan.seconds if plan.actions else None, plan.expanded, (outcome == won and plan.proved_optimal) or outcome == "unsolvable",
        plan.seconds, None, plan.lower_bound, actions, plan,
    )  # fmt: skip


def replay_of(row: Row) -> Replay:
    """Play the game again with the actions stored in the row, and return it as a replay."""
    recorder = Recorder(made(row.task.recipe))
    recorder.reset(seed=row.task.seed, options=row.task.options)
    for action in row.actions:
        recorder.step(action)
    board = row.task.board
    notes = {name: text for name, text in (("map", row.level), ("title", board.title)) if text and text.isprintable()}
    return recorder.replay(player=row.agent, comment=notes.get("title") or row.level, notes=notes)
