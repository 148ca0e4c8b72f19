"""The final table of an exam: places, points and intervals of the students, from the stored results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

import numpy as np

from . import plackett_luce, ranking
from .exam import Exam
from .records import GameRecord, Results


@dataclass(frozen=True)
class Standing:
    """One student in the final table.

    score: the share of the maximum, or the strength in games with several players; `low` and `high` are its 95 %
    interval. Students share a place if they are not distinguishable from the best of them. `best_place` and
    `worst_place` count only the students from whom this student is distinguishable.
    """

    student: str
    place: int
    shared: bool
    best_place: int
    worst_place: int
    score: float
    low: float
    high: float
    games: int
    solved: int  # games won; with several players: games finished
    points: float = 0.0  # sum over the levels of the mean points per game
    most: float = 0.0
    ratio: float | None = None  # mean ratio to the best known result, over the games won
    first: int = 0  # with several players: games finished in which nobody was better
    mean_place: float | None = None


@dataclass(frozen=True)
class Pair:
    """Two students, and the difference of their scores with its 95 % interval."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    distinguishable: bool


@dataclass(frozen=True)
class FinalTable:
    """The standings, best first, all pairs, and the students who could not be ranked with the reason for each."""

    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    unranked: tuple[tuple[str, str], ...] = ()
    levels: int = 0

    def standing_of(self, student: str) -> Standing | None:
        return next((standing for standing in self.standings if standing.student == student), None)


def final_table(exam: Exam, results: Results) -> FinalTable:
    """Rank the students of an exam. A submission that could not be graded is not ranked."""
    problems = {submission.student: submission.problem for submission in results.submissions}
    table = _of_matches(results) if exam.players > 1 else _of_games(results)
    ranked = {standing.student for standing in table.standings}
    unranked = [(student, why or "no games yet") for student, why in problems.items() if student not in ranked]
    return FinalTable(table.standings, table.pairs, tuple(sorted(unranked)), table.levels)


def weighted_games(results: Results) -> tuple[GameRecord, ...]:
    """Return the games with their points multiplied by the weights of the levels."""
    weights = {(level.group, level.level): level.weight for level in results.levels}
    factors = [weights.get((game.group, game.level), 1.0) for game in results.games]
    return tuple(
        game if factor == 1 else replace(game, points=game.points * factor, most=game.most * factor)
        for game, factor in zip(results.games, factors, strict=True)
    )


def level_points(games: Sequence[GameRecord], students: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean points of each student on each level, the most points of each level, and the shares of games won.

    A level counts only if every student has played it, so that students are always compared on the same levels.
    """
    found: dict[tuple[str, str], dict[str, list[GameRecord]]] = {}
    for game in games:
        found.setdefault((game.group, game.level), {}).setdefault(game.student, []).append(game)
    common = [found[level] for level in sorted(found) if len(found[level]) == len(students)]
    shape = (len(students), len(common))
    points = [[mean(game.points for game in level[student]) for level in common] for student in students]
    won = [[mean(float(game.won) for game in level[student]) for level in common] for student in students]
    most = [next(iter(level.values()))[0].most for level in common]
    return np.array(points, float).reshape(shape), np.array(most, float), np.array(won, float).reshape(shape)


def _of_games(results: Results) -> FinalTable:
    students = sorted({game.student for game in results.games})
    points, most, won = level_points(weighted_games(results), students)
    if not most.sum():  # no level was played by everybody, or no level is worth anything
        return FinalTable((), ())
    share, interval = ranking.shares(points, most), ranking.share_intervals(points, most, won)
    pairs = ranking.compare(points, most)
    own = {student: [game for game in results.games if game.student == student] for student in students}
    # Students with equal points are ordered by the ratio to the best known results, then by name.
    order = np.array(
        sorted(range(len(students)), key=lambda s: (-round(share[s], 9), -(_ratio(own[students[s]]) or 0), s))
    )
    placed = ranking.places(order, pairs.distinguishable)
    ranges = ranking.place_ranges(pairs.ahead)
    standings = [
        Standing(
            students[s],
            int(placed[s]),
            int((placed == placed[s]).sum()) > 1,
            int(ranges[s, 0]),
            int(ranges[s, 1]),
            float(share[s]),
            float(interval[s, 0]),
            float(interval[s, 1]),
            len(own[students[s]]),
            sum(game.won for game in own[students[s]]),
            float(points[s].sum()),
            float(most.sum()),
            _ratio(own[students[s]]),
        )
        for s in order
    ]
    return FinalTable(tuple(standings), _pairs(students, order, pairs), levels=len(most))


def _ratio(games: Sequence[GameRecord]) -> float | None:
    ratios = [game.ratio for game in games if game.ratio is not None]
    return mean(ratios) if ratios else None


def _of_matches(results: Results) -> FinalTable:
    matches = results.matches
    students = sorted({seat.student for match in matches for seat in match.seats})
    if len(students) < 2:
        return FinalTable((), ())
    index = {student: s for s, student in enumerate(students)}
    games = [([index[seat.student] for seat in match.seats], [seat.place for seat in match.seats]) for match in matches]
    levels = [f"{match.group}\n{match.level}" for match in matches]
    rating = plackett_luce.rate(len(students), games, levels)
    order = np.array(sorted(range(len(students)), key=lambda s: (-round(rating.strength[s], 9), s)))
    placed = ranking.places(order, rating.pairs.distinguishable)
    ranges = ranking.place_ranges(rating.pairs.ahead)
    seats = {
        student: [seat for match in matches for seat in match.seats if seat.student == student] for student in students
    }
    standings = [
        Standing(
            students[s],
            int(placed[s]),
            int((placed == placed[s]).sum()) > 1,
            int(ranges[s, 0]),
            int(ranges[s, 1]),
            float(rating.strength[s]),
            float(rating.low[s]),
            float(rating.high[s]),
            len(seats[students[s]]),
            sum(seat.finished for seat in seats[students[s]]),
            first=sum(seat.place == 1 and seat.finished for seat in seats[students[s]]),
            mean_place=mean(float(seat.place) for seat in seats[students[s]]),
        )
        for s in order
    ]
    return FinalTable(tuple(standings), _pairs(students, order, rating.pairs), levels=len(set(levels)))


def _pairs(students: list[str], order: np.ndarray, pairs: ranking.Comparison) -> tuple[Pair, ...]:
    return tuple(
        Pair(
            students[a],
            students[b],
            float(pairs.difference[a, b]),
            float(pairs.low[a, b]),
            float(pairs.high[a, b]),
            bool(pairs.distinguishable[a, b]),
        )
        for i, a in enumerate(order)
        for b in order[i + 1 :]
    )
