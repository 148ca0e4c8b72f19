"""The plain tables of an exam. They contain no measured times, so the same exam gives the same files, byte for byte."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from shoverworld.core.files import write_safely
from shoverworld.core.text import one_line

from .exam import Exam
from .records import GameRecord, MatchRecord, Results

GAMES, STUDENTS = "games.csv", "students.csv"
_FORMULA = ("=", "+", "-", "@")  # a spreadsheet would run a cell that begins with one of these


def write_tables(exam: Exam, results: Results, folder: Path) -> None:
    """Write a table of all games and a table of all students."""
    games = _match_rows(results.matches) if exam.players > 1 else _game_rows(results.games)
    write_safely(folder / GAMES, csv_text(games))
    write_safely(folder / STUDENTS, csv_text(student_rows(exam, results)))


def _game_rows(games: Sequence[GameRecord]) -> Iterable[Sequence[object]]:
    figures = sorted({name for game in games for name in game.figures} - {"steps"})
    yield (
        "student", "group", "level", "repetition", "outcome", "won", "steps", "invalid", "points", "most", "reference",
        "proved", "ratio", "failure", "error", *figures,
    )  # fmt: skip
    for game in sorted(games, key=lambda game: (game.student, game.group, game.level, game.repetition)):
        yield (
            game.student, game.group, game.level, game.repetition, game.outcome, int(game.won), game.steps,
            game.invalid, game.points, game.most, game.reference, int(game.proved), game.ratio, game.failure,
            game.error, *(game.figures.get(name) for name in figures),
        )  # fmt: skip


def _match_rows(matches: Iterable[MatchRecord]) -> Iterable[Sequence[object]]:
    yield "group", "level", "repetition", "seat", "student", "place", "finished", "failure", "error"
    for match in matches:
        for number, seat in enumerate(match.seats, 1):
            place = match.group, match.level, match.repetition, number
            yield *place, seat.student, seat.place, int(seat.finished), seat.failure, seat.error


def student_rows(exam: Exam, results: Results) -> Iterable[Sequence[object]]:
    """Yield the heading and a row for each student. With several players, points are the number of rivals beaten."""
    weights = {(level.group, level.level): level.weight for level in results.levels}
    yield "student", "file", "points", "most", "won", "games", "failures", "problem"
    for submission in results.submissions:
        own = [game for game in results.games if game.student == submission.student]
        seats = [
            (match, seat) for match in results.matches for seat in match.seats if seat.student == submission.student
        ]
        points = sum(weights[game.group, game.level] * game.points for game in own)
        points += sum(beaten(match, seat.place) for match, seat in seats)
        most = sum(weights[game.group, game.level] * game.most for game in own) + len(seats) * (exam.players - 1)
        won = sum(game.won for game in own) + sum(seat.place == 1 for _, seat in seats)
        failures = sum(game.failure is not None for game in own) + sum(seat.failure is not None for _, seat in seats)
        count = len(own) + len(seats)
        yield (
            submission.student,
            submission.file,
            round(points, 6),
            round(most, 6),
            won,
            count,
            failures,
            submission.problem,
        )


def beaten(match: MatchRecord, place: int) -> float:
    """Return a point for each rival who has a worse place, and half a point for each rival with the same place."""
    places = [seat.place for seat in match.seats]
    return sum(other > place for other in places) + 0.5 * (places.count(place) - 1)


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV. No cell can be taken for a formula, and a cell is always one line."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return f"{float(cell):.10g}"
    text = one_line(str(cell))
    first = unicodedata.normalize("NFKC", text[:1])  # some programs also accept full-width signs
    return f"'{text}" if first.startswith(_FORMULA) else text
