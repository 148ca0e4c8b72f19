"""Games of several students against each other: the line-ups, and playing one of them."""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations

from shoverworld.agents import tournament
from shoverworld.agents.host import Containment
from shoverworld.core.task import Task

from .one_game import TRUSTED, Conditions, cleaned, unpacked
from .records import Seat
from .submissions import Submission


def line_ups(students: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Yield every group of `size` students in every rotation, so that each student has each seat equally often."""
    for group in combinations(sorted(students), size):
        for turn in range(size):
            yield (*group[turn:], *group[:turn])


def places(results: Sequence[tournament.PlayerResult]) -> list[int]:
    """Return the place of each player. An agent that failed before it finished is behind all others."""
    ahead = sum(result.finished or result.failure is None for result in results)
    return [result.place if result.finished or result.failure is None else 1 + ahead for result in results]


def play_match(
    task: Task, players: Sequence[Submission], conditions: Conditions
) -> tuple[tuple[Seat, ...], str | None]:
    """Play one game of several submissions. Return the seats in turn order, and the replay."""
    board = replace(task.board, preset=task.rules)
    limits = conditions.limits
    contained = Containment(conditions.resources, conditions.protection, conditions.imports, siblings=True)
    with ExitStack() as stack:
        agents = [stack.enter_context(unpacked(submission, conditions.folder)) for submission in players]
        fixture = tournament.Fixture(board, tuple(agents), task.seed)
        move_limit = math.inf if limits.move_seconds is None else limits.move_seconds
        results, replay = tournament.play(task.game, fixture, {}, limits.game_seconds, move_limit, contained)
        seats = tuple(
            Seat(
                submission.student,
                place,
                result.finished,
                dict(zip(task.game.figures, map(float, result.figures), strict=True)),
                result.failure,
                None if result.error is None else cleaned(result.error, agent),
                result.seconds,
                TRUSTED if submission.packaged else str(result.protection or ""),
            )
            for submission, agent, result, place in zip(players, agents, results, places(results), strict=True)
        )
    return seats, replay.to_text()
