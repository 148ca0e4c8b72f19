"""What a report shows about a student's games: everything for the teacher, and only what the exam allows for students.

Every page and file about one student is made from a `StudentView`. A value that may not be shown is absent from it, so
no page can show it by mistake.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..exam import DETAILS, Exam
from ..records import GameRecord, LevelRecord, MatchRecord, Results, Seat
from ..standings import FinalTable, Standing, weighted_games

LevelKey = tuple[str, str]  # group and level


@dataclass(frozen=True)
class GameView:
    """One game as it may be shown. None: not available, or not shown. `shown` lists the details that are shown."""

    number: int  # from 1, in the order of the page
    label: str
    public: bool
    repetition: int
    shown: frozenset[str]
    won: bool | None = None
    outcome: str | None = None
    points: float | None = None
    most: float | None = None
    steps: int | None = None
    figures: Mapping[str, float] | None = None
    invalid: int | None = None
    ratio: float | None = None
    reference: float | None = None
    proved: bool = False
    seconds: float | None = None
    error: str | None = None
    replay: str | None = None
    place: int | None = None  # with several players
    sharing: int = 1  # the number of players with this place
    players: int | None = None
    rivals: tuple[str, ...] = ()
    protection: str | None = None
    level: LevelKey | None = None


@dataclass(frozen=True)
class StudentView:
    """One student's results as they may be shown. `complete`: the teacher's view."""

    student: str
    problem: str
    file: str
    games: tuple[GameView, ...]
    standing: Standing | None  # None: not ranked, or not shown
    ranked: int  # the number of students in the ranking
    complete: bool
    details: tuple[str, ...]  # what is shown about games on hidden levels


def labels(results: Results, complete: bool) -> dict[LevelKey, str]:
    """Return what each level is called on a page. Students see the names of public levels and numbers for others."""
    names: dict[LevelKey, str] = {}
    hidden = 0
    for level in results.levels:
        if complete or level.public:
            names[level.group, level.level] = level.title or level.level
        else:
            hidden += 1
            names[level.group, level.level] = f"Hidden level {hidden}"
    repeated = {name for name in names.values() if list(names.values()).count(name) > 1}
    shown = {(level.group, level.level) for level in results.levels if complete or level.public}
    return {k: f"{name} ({k[0]}, {k[1]})" if name in repeated and k in shown else name for k, name in names.items()}


def view_of(exam: Exam, results: Results, table: FinalTable, student: str, complete: bool) -> StudentView:
    """Return what a page about one student shows."""
    levels = {(level.group, level.level): level for level in results.levels}
    names = labels(results, complete)
    order = {key: i for i, key in enumerate(levels)}
    played = [game for game in weighted_games(results) if game.student == student]
    matches = [match for match in results.matches if any(seat.student == student for seat in match.seats)]
    views: list[tuple[tuple[object, ...], GameView]] = []
    for game in played:
        key = (game.group, game.level)
        level = levels.get(key)
        view = _of_game(game, _base(exam, level, key, names, game.repetition, complete))
        views.append(((order.get(key, len(order)), key, game.repetition), view))
    for match in matches:
        key = (match.group, match.level)
        base = _base(exam, levels.get(key), key, names, match.repetition, complete)
        rivals = tuple(seat.student for seat in match.seats)
        for seat in match.seats:
            if seat.student == student:
                position = (order.get(key, len(order)), key, match.repetition, rivals)
                views.append((position, _of_seat(match, seat, base, complete)))
    ordered = [view for _, view in sorted(views, key=lambda pair: pair[0])]
    submission = next((one for one in results.submissions if one.student == student), None)
    open_levels = all(level.public for level in results.levels)
    standing = table.standing_of(student) if complete or open_levels or "points" in exam.details else None
    return StudentView(
        student,
        submission.problem if submission else "",
        submission.file if submission else "",
        tuple(replace(view, number=i + 1) for i, view in enumerate(ordered)),
        standing,
        len(table.standings),
        complete,
        DETAILS if complete else exam.details,
    )


def _base(
    exam: Exam,
    level: LevelRecord | None,
    key: LevelKey,
    names: Mapping[LevelKey, str],
    repetition: int,
    complete: bool,
) -> GameView:
    public = level is not None and level.public
    shown = frozenset(DETAILS if complete or public else exam.details)
    label = names.get(key) or (f"{key[0]}, {key[1]}" if complete else "Hidden level")
    return GameView(0, label, public, repetition, shown, level=key if complete else None)


def _of_game(game: GameRecord, base: GameView) -> GameView:
    shown = base.shown
    complete = base.level is not None
    outcome = game.outcome if game.failure is None else f"{game.outcome} ({game.failure})"
    return replace(
        base,
        won=game.won if "outcome" in shown else None,
        outcome=outcome if "outcome" in shown else None,
        points=game.points if "points" in shown else None,
        most=game.most if "points" in shown else None,
        steps=game.steps if "steps" in shown else None,
        figures=game.figures if "steps" in shown else None,
        invalid=game.invalid if "steps" in shown else None,
        ratio=game.ratio if "ratio" in shown else None,
        reference=game.reference if "ratio" in shown else None,
        proved=game.proved if "ratio" in shown else False,
        seconds=game.cpu_seconds if "time" in shown else None,
        error=game.error if "error" in shown else None,
        replay=game.replay if "replay" in shown else None,
        protection=game.protection if complete else None,
    )


def _of_seat(match: MatchRecord, seat: Seat, base: GameView, complete: bool) -> GameView:
    """Return a view of a game with several players. The replay contains the moves of other students, so only the
    teacher has it."""
    shown = base.shown
    word = "finished" if seat.finished else "not finished"
    outcome = word if seat.failure is None else f"{word} ({seat.failure})"
    return replace(
        base,
        won=seat.finished if "outcome" in shown else None,
        outcome=outcome if "outcome" in shown else None,
        figures=seat.figures if "steps" in shown else None,
        seconds=seat.cpu_seconds if "time" in shown else None,
        error=seat.error if "error" in shown else None,
        replay=match.replay if complete else None,
        place=seat.place if "points" in shown else None,
        sharing=sum(other.place == seat.place for other in match.seats),
        players=len(match.seats),
        rivals=tuple(other.student for other in match.seats if other is not seat) if complete else (),
        protection=seat.protection if complete else None,
    )
