"""The ranking as CSV and Markdown.

The same results always give the same bytes: the tables contain no measured times and no dates.
"""

import re
from collections.abc import Iterable, Sequence

from shoverworld.core.text import one_line

from ..exam import Exam
from ..standings import FinalTable
from ..tables import csv_text
from . import figures


def ranking_csv(exam: Exam, table: FinalTable) -> str:
    """Return the ranking: a line for each student, then the students who could not be ranked."""
    several = exam.players > 1
    middle = ["strength", "low", "high"] if several else ["points", "most", "share", "low", "high"]
    last = ["games", "finished", "first", "mean_place"] if several else ["games", "solved", "ratio"]
    rows: list[Sequence[object]] = [
        ["place", "shared", "best_place", "worst_place", "student", *middle, *last, "problem"]
    ]
    for s in table.standings:
        start = [s.place, "yes" if s.shared else "no", s.best_place, s.worst_place, s.student]
        bounds = [round(s.low, 4), round(s.high, 4)]
        if several:
            mean_place = None if s.mean_place is None else round(s.mean_place, 4)
            rows.append([*start, round(s.score, 4) + 0.0, *bounds, s.games, s.solved, s.first, mean_place, ""])
        else:
            ratio = None if s.ratio is None else round(s.ratio, 4)
            earned = [round(s.points, 4), round(s.most, 4), round(s.score, 4), *bounds]
            rows.append([*start, *earned, s.games, s.solved, ratio, ""])
    empty = [None] * (len(middle) + len(last))
    rows += [[None, None, None, None, student, *empty, problem] for student, problem in table.unranked]
    return csv_text(rows)


def ranking_markdown(exam: Exam, table: FinalTable) -> str:
    """Return the ranking as a Markdown page."""
    several = exam.players > 1
    heads = ["place", "range", "student", "strength" if several else "points", "95 % interval"]
    heads += ["games", "finished", "first", "mean place"] if several else ["share", "solved", "games", "ratio"]
    lines = [f"# {_markdown(exam.title)}", "", _row(heads), _row(["---"] * len(heads))]
    for s in table.standings:
        start = [figures.place(s), figures.place_range(s), s.student]
        bounds = figures.interval(s.low, s.high, share=not several)
        if several:
            rest = [figures.strength(s.score), bounds, s.games, s.solved, s.first, figures.number(s.mean_place)]
        else:
            points = f"{figures.number(s.points)} of {figures.number(s.most)}"
            ratio = "-" if s.ratio is None else f"{s.ratio:.3f}"
            rest = [points, bounds, figures.percent(s.score), s.solved, s.games, ratio]
        lines.append(_row([*start, *rest]))
    lines += ["", explanation(exam)]
    if table.unranked:
        lines += ["", "Not ranked:", "", _row(["student", "problem"]), _row(["---", "---"])]
        lines += [_row(pair) for pair in table.unranked]
    return "\n".join(lines) + "\n"


def explanation(exam: Exam) -> str:
    """Explain the columns of the ranking."""
    what = "strength" if exam.players > 1 else "share of the points"
    return (
        "A place with an equals sign is shared: the students are not distinguishable from the first of them. The range "
        f"gives the places that the results allow. The interval says how far the {what} would vary on other levels of "
        "the same kind: it contains the true value in about 95 of 100 exams."
    )


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(_markdown(cell) for cell in cells) + " |"


def _markdown(cell: object) -> str:
    """Return text that Markdown shows as it is: nothing in it is a link, an image, HTML or the end of a cell."""
    return re.sub(r"([\\`*_{}\[\]<>#|!~$&])", r"\\\1", one_line(str(cell)))
