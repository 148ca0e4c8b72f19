"""The best known result for a game: the planner's within a time limit, or a packaged one if that is better."""

from typing import NamedTuple

from shoverworld.core.errors import UnsolvableError
from shoverworld.core.task import Task

from .marks import more_is_better


class Reference(NamedTuple):
    """The best known result for the exam's measure (None: unknown), and whether it is proved to be the optimum."""

    value: float | None = None
    proved: bool = False


def find_reference(task: Task, measure: str, seconds: float) -> Reference:
    """Return the reference for the start of a task."""
    planned = _planned(task, measure, seconds)
    if planned.proved:
        return planned
    packaged = _packaged(task, measure)
    values = [one.value for one in (planned, packaged) if one.value is not None]
    if not values:
        return Reference()
    best = max(values) if more_is_better(task.game, measure) else min(values)
    return Reference(best, packaged.proved and packaged.value == best)


def _planned(task: Task, measure: str, seconds: float) -> Reference:
    """Return the planner's result. The plan is played under the rules of the game, which count the figures."""
    game = task.game
    objective = measure if measure in game.objectives else None
    try:
        plan = game.plan(task.start(), objective=objective, time_limit=seconds)
    except UnsolvableError:  # the planner does not cover these rules
        return Reference()
    env = task.start()
    for action in plan.actions:
        if env.outcome is not None:  # the planner ignores the limit on steps
            break
        env.step(action)
    if env.outcome != game.won:
        return Reference()
    return Reference(float(env.figures()[measure]), plan.proved_optimal and objective is not None)


def _packaged(task: Task, measure: str) -> Reference:
    """Return the packaged result. It states only the first figure of the game."""
    if measure != task.game.figures[0]:
        return Reference()
    levels = task.game.levels
    best = levels.best_known(levels.identity(task.board, task.rules))
    return Reference() if best is None else Reference(float(best.numbers[0]), best.proved)
