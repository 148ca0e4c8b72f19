"""The first page of a report: the ranking with intervals, problems, protections and settings."""

from collections import Counter
from collections.abc import Mapping

from shoverworld.core.ui import count
from shoverworld.sandbox import Protection

from ..exam import Exam
from ..records import Results
from ..standings import FinalTable, Standing
from . import figures
from .html import Html, element, join, link, page, settings, table
from .plot import score_plot
from .settings import exam_settings
from .tables import explanation
from .visibility import LevelKey, labels

MOST_PAIRS = 200  # in the table of pairs
LEAST_LEVELS = 6  # on which a sign-flip test can reject at the 5 % level


def overview_page(
    exam: Exam,
    results: Results,
    ranking: FinalTable,
    students: Mapping[str, str],
    levels: Mapping[LevelKey, str],
    notes: list[str],
) -> str:
    """Return the page. `students`, `levels`: the addresses of their pages. `notes`: what could not be written."""
    parts: list[object] = []
    if not results.finished:
        text = "The exam is not finished: some games have not been played yet. Only levels that every student has played count."
        parts.append(element("p", text, class_="notice"))
    parts += [element("p", note, class_="notice") for note in [*protection_notes(results), *notes]]
    if ranking.standings:
        parts += [
            _summary(exam, ranking),
            _ranking(exam, ranking, students),
            element("p", explanation(exam), class_="quiet"),
        ]
        parts += [score_plot(ranking.standings, share=exam.players == 1), _pairs(ranking)]
    else:
        parts.append(element("p", "There are no games to rank yet."))
    parts += [_problems(results, ranking, students), _levels(exam, results, levels), _protection(results)]
    parts += [element("h2", "The exam"), settings(exam_settings(exam, complete=True)), _files()]
    return page(exam.title, *parts)


def _summary(exam: Exam, ranking: FinalTable) -> Html:
    students, levels = len(ranking.standings), ranking.levels
    text = f"{students} students ranked on {levels} levels."
    if exam.players == 1 and levels < LEAST_LEVELS:
        text += f" Students are never distinguishable on fewer than {LEAST_LEVELS} levels."
    return element("p", text)


def _ranking(exam: Exam, ranking: FinalTable, students: Mapping[str, str]) -> Html:
    several = exam.players > 1
    heads = ["Place", "Range", "Student"]
    heads += ["Strength", "95 % interval", "Games", "Finished", "First", "Mean place"] if several else [
        "Points", "Share", "95 % interval", "Solved", "Ratio"
    ]  # fmt: skip
    rows = [_row(several, standing, students) for standing in ranking.standings]
    together = [i for i in range(1, len(rows)) if ranking.standings[i].place == ranking.standings[i - 1].place]
    numbers = [0, 1, *range(3, len(heads))]
    caption = "Ranking. A dashed line separates students who share a place."
    return join((element("h2", "Ranking"), table(caption, heads, rows, numbers=numbers, head=2, together=together)))


def _row(several: bool, s: Standing, students: Mapping[str, str]) -> list[object]:
    name = link(s.student, students[s.student]) if s.student in students else s.student
    start = [figures.place(s), figures.place_range(s), name]
    bounds = figures.interval(s.low, s.high, share=not several)
    if several:
        return [*start, figures.strength(s.score), bounds, s.games, s.solved, s.first, figures.number(s.mean_place)]
    points = f"{figures.number(s.points)} of {figures.number(s.most)}"
    ratio = figures.DASH if s.ratio is None else f"{s.ratio:.3f}"
    return [*start, points, figures.percent(s.score), bounds, f"{s.solved} of {s.games}", ratio]


def _pairs(ranking: FinalTable) -> Html:
    """List the pairs of neighbours first, because they decide about places."""
    neighbours = {(a.student, b.student) for a, b in zip(ranking.standings, ranking.standings[1:], strict=False)}
    ordered = sorted(ranking.pairs, key=lambda pair: (pair.first, pair.second) not in neighbours)[:MOST_PAIRS]
    rows = [
        (
            pair.first,
            pair.second,
            f"{pair.difference:+.3f}",
            f"{pair.low:+.3f} to {pair.high:+.3f}",
            "distinguishable" if pair.distinguishable else "not distinguishable",
        )
        for pair in ordered
    ]
    heads = ["Student", "Compared with", "Difference", "95 % interval", "Result"]
    caption = "Differences on the same levels, neighbours in the ranking first"
    content = table(caption, heads, rows, numbers=(2, 3))
    return element(
        "details", element("summary", f"Compare pairs of students ({len(rows)} of {len(ranking.pairs)} pairs)"), content
    )


def _problems(results: Results, ranking: FinalTable, students: Mapping[str, str]) -> Html:
    files = {submission.student: submission.file for submission in results.submissions}
    rows: list[tuple[object, ...]] = [
        (link(student, students[student]) if student in students else student, files.get(student, ""), problem)
        for student, problem in ranking.unranked
    ]
    ranked = {standing.student for standing in ranking.standings}
    rows += [(s.student, s.file, s.problem) for s in results.submissions if s.problem and s.student in ranked]
    levels = [(level.level, level.group, level.problem) for level in results.levels if level.problem]
    failed = Counter((game.student, game.failure) for game in results.games if game.failure)
    failed.update((seat.student, seat.failure) for match in results.matches for seat in match.seats if seat.failure)
    parts: list[object] = [element("h2", "Problems")]
    if rows:
        parts.append(table("Submissions that could not be graded", ["Student", "File", "Problem"], rows, texts=[2]))
    if levels:
        parts.append(table("Levels that could not be used", ["Level", "Group", "Problem"], levels, texts=[2]))
    if failed:
        counts = [
            (link(student, students[student]) if student in students else student, failure, count)
            for (student, failure), count in sorted(failed.items(), key=lambda item: (-item[1], item[0]))
        ]
        parts.append(
            table("Games that ended with a failure of the agent", ["Student", "Failure", "Games"], counts, numbers=[2])
        )
    if len(parts) == 1:
        parts.append(element("p", "None."))
    return join(parts)


def _levels(exam: Exam, results: Results, addresses: Mapping[LevelKey, str]) -> Html:
    names = labels(results, complete=True)
    rows = []
    for level in results.levels:
        key = (level.group, level.level)
        games = [game for game in results.games if (game.group, game.level) == key]
        solved = f"{sum(game.won for game in games)} of {len(games)}" if games else figures.DASH
        played = sum((match.group, match.level) == key for match in results.matches)
        name = link(names[key], addresses[key]) if key in addresses else names[key]
        kind = "public" if level.public else "hidden"
        proved = " (optimal)" if level.proved else ""
        best = figures.DASH if level.reference is None else figures.number(level.reference) + proved
        rows.append(
            (name, level.group, kind, figures.number(level.weight), best, played if exam.players > 1 else solved)
        )
    last = "Games" if exam.players > 1 else "Solved"
    heads = ["Level", "Group", "Visibility", "Weight", f"Best known {exam.points.measure}", last]
    return join((element("h2", "Levels"), table("The levels of the exam", heads, rows, numbers=(3, 4, 5))))


def _protections(results: Results) -> Counter[str]:
    """Count the games of each submission by how the submission was contained."""
    seats = (seat for match in results.matches for seat in match.seats)
    return Counter(one.protection for one in (*results.games, *seats))


def protection_notes(results: Results) -> list[str]:
    """Return warnings about games that were played with less than the strongest protection."""
    counts = _protections(results)
    notes = []
    if number := counts[Protection.NONE]:
        notes.append(
            f"{count(number, 'game')} ran without a sandbox (--unsafe). A submission could read the hidden levels and the "
            "other submissions, and forge results: use these results only if you trust every submission."
        )
    if number := counts[Protection.LANDLOCK]:
        notes.append(
            f"{count(number, 'game')} ran with the weaker protection, without bubblewrap: submissions could not read "
            "other files, write or use the network, but see docs/sandbox.md for what is not stopped."
        )
    return notes


def _protection(results: Results) -> Html:
    counts = {name or "not recorded": number for name, number in _protections(results).items()}
    parts: list[object] = [element("h2", "Protection")]
    if counts:
        parts.append(
            table("How the submissions were contained", ["Protection", "Games"], sorted(counts.items()), numbers=[1])
        )
    else:
        parts.append(element("p", "Not recorded."))
    return join(parts)


def _files() -> Html:
    items = [
        ("ranking.csv", "the ranking"),
        ("ranking.md", "the ranking as Markdown"),
        ("games.csv", "every game"),
        ("students.csv", "points and failures of every student"),
        ("similarity.html", "similar submissions"),
        ("gradescope/README.md", "how to use the results in Gradescope"),
    ]
    entries = [element("li", link(name, name), f": {what}") for name, what in items]
    hand_back = element("li", element("code", "hand-back/"), ": one folder per student, to hand back")
    return join((element("h2", "Files"), element("ul", *entries, hand_back)))
