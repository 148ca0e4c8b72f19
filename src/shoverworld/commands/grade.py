"""`shover grade`: grade submissions in an exam, write an exam file, or let a student practise."""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from shoverworld.arena import exam_template, grading, report
from shoverworld.arena.exam import Exam
from shoverworld.arena.exam_file import read_exam
from shoverworld.arena.ladder import Ladder
from shoverworld.arena.records import Results
from shoverworld.arena.report import figures
from shoverworld.arena.report.overview import LEAST_LEVELS, protection_notes
from shoverworld.arena.standings import FinalTable
from shoverworld.arena.submissions import packaged_agents, read_submission
from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError
from shoverworld.core.files import write_safely
from shoverworld.core.reports import Column
from shoverworld.core.ui import count
from shoverworld.games import all_games, game_named
from shoverworld.sandbox import Protection
from shoverworld.terminal.console import SafeConsole

from .shared import INTERRUPTED, complain, keep_existing, make_folder
from .tables import print_errors, print_table

GRADED, SKIPPED, UNFINISHED = 0, 1, 3  # exit codes; 2 is an error that prevents grading


def run(chosen: argparse.Namespace) -> int:
    if chosen.new:
        return _write_exam(chosen)
    if chosen.jobs is not None:
        whole("jobs", chosen.jobs, 1, 1024)
    return _practise(chosen) if chosen.practice else _grade(chosen)


def _write_exam(chosen: argparse.Namespace) -> int:
    if len(chosen.files) > 1:
        raise ConfigError(f"--new {' '.join(chosen.files)}: expected the name of one file")
    path = Path(chosen.files[0] if chosen.files else "exam.toml")
    keep_existing([path], chosen.force)
    write_safely(path, exam_template.exam_template(_game(chosen), str(path)))
    print(f"Saved {path}: change it, then run `shover grade {path} SUBMISSIONS --out results`")
    return GRADED


def _game(chosen: argparse.Namespace) -> Any:
    return game_named(chosen.game or next(iter(all_games())))


def _machines(chosen: argparse.Namespace) -> grading.Machines:
    return grading.Machines(chosen.jobs, chosen.ray, chosen.ray_address)


# --- exams


def _grade(chosen: argparse.Namespace) -> int:
    if len(chosen.files) < 2:
        raise ConfigError(
            "expected an exam file and submissions, such as `shover grade exam.toml submissions --out results`"
        )
    exam = read_exam(chosen.files[0])
    out = chosen.out or Path("out") / Path(chosen.files[0]).stem
    make_folder(out, "--out")
    if chosen.ladder is not None:
        Ladder.read(chosen.ladder)  # report a wrong file before the work starts
    with _progress(chosen) as show:
        try:
            results = grading.grade(
                exam,
                chosen.files[1:],
                out,
                students=chosen.students,
                machines=_machines(chosen),
                restart=chosen.restart,
                protection=Protection.NONE if chosen.trust else None,
                progress=show,
            )
        except KeyboardInterrupt:
            complain("interrupted; the same command continues", chosen)
            return INTERRUPTED
        show("writing the report", 0, 1)
        ranking = report.write(exam, results, out)
    code = _summary(exam, results, ranking, out, chosen)
    if chosen.ladder is not None:
        _climb(results, chosen.ladder)
    return code


def _climb(results: Results, path: Path) -> None:
    """Add the games to the ladder in a file, and print the ladder."""
    ladder = Ladder.read(path)
    added = ladder.add(results)
    ladder.write(path)
    console = SafeConsole()
    columns = [Column("place", True), Column("student", False), Column("rating", True), Column("games", True)]
    rows = [
        [place, player.name, f"{player.shown_rating:.2f}", str(player.games)]
        for place, player in zip(ladder.places(), ladder.table(), strict=True)
    ]
    print_table(console, columns, rows)
    console.print(f"{count(added, 'new game')}. Saved the ladder to {path}", soft_wrap=True)


@contextmanager
def _progress(chosen: argparse.Namespace) -> Iterator[grading.Progress]:
    """Show a progress bar if stderr is a terminal, and report lost games."""
    console = SafeConsole(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        rows: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what.startswith("lost: "):
                complain(f"a game was lost and is not scored: {what.removeprefix('lost: ')}", chosen)
                return
            if what not in rows:
                rows[what] = bar.add_task(what, total=total)
            bar.update(rows[what], completed=done)

        yield show


def _summary(exam: Exam, results: Results, ranking: FinalTable, out: Path, chosen: argparse.Namespace) -> int:
    """Print the ranking and everything that went wrong. Return the exit code."""
    console = SafeConsole()
    _print_ranking(console, exam, ranking)
    if exam.players == 1 and ranking.levels < LEAST_LEVELS:
        console.print(f"Students are never distinguishable on fewer than {LEAST_LEVELS} levels.")
    print_errors(console, [(game.student, game.level, game.error) for game in results.games if game.error])
    errors = [(s.student, match.level, s.error) for match in results.matches for s in match.seats if s.error]
    print_errors(console, errors)
    for note in protection_notes(results):
        complain(note, chosen)
    skipped = [f"{one.student} ({one.file}): {one.problem}" for one in results.submissions if one.problem]
    skipped += [f"{one.group}: {one.problem}" for one in results.levels if one.problem]
    for problem in skipped:
        complain(f"skipped: {problem}", chosen)
    where = count(len([level for level in results.levels if not level.problem]), "level")
    games = count(len(results.games) + len(results.matches), "game")
    console.print(f"{games} on {where}. The report is {out / 'index.html'}", soft_wrap=True)
    if not results.finished:
        complain("the exam is unfinished, because games were lost; run the same command again", chosen)
        return UNFINISHED
    return SKIPPED if skipped else GRADED


def _print_ranking(console: SafeConsole, exam: Exam, ranking: FinalTable) -> None:
    several = exam.players > 1
    names = (
        "place",
        "student",
        "strength" if several else "points",
        "95 % interval",
        "first" if several else "won",
        "games",
    )
    columns = [Column(name, name not in ("student", "95 % interval")) for name in names]
    rows = []
    for s in ranking.standings:
        score = figures.strength(s.score) if several else f"{figures.number(s.points)} of {figures.number(s.most)}"
        won = s.first if several else s.solved
        interval = figures.interval(s.low, s.high, share=not several)
        rows.append([figures.place(s), s.student, score, interval, str(won), str(s.games)])
    print_table(console, columns, rows)


# --- practice


def _practise(chosen: argparse.Namespace) -> int:
    files = list(chosen.files)
    exam = (
        read_exam(files.pop(0)) if files and files[0].endswith(".toml") else exam_template.practice_exam(_game(chosen))
    )
    if len(files) != 1:
        raise ConfigError("--practice: expected one agent, such as `shover grade --practice exam.toml my_agent.py`")
    if not any(group.public for group in exam.groups):
        raise ConfigError(f"{exam.path}: the exam has no public levels to practise on")
    if grading.is_packaged_agent(files[0]):
        (submission,) = packaged_agents(files, exam.game)
    else:
        path = Path(files[0])
        submission = read_submission(path, path.name)
        if submission.problem:
            raise ConfigError(f"{path}: {submission.problem}")
    with (
        tempfile.TemporaryDirectory(prefix="shover-practice-", ignore_cleanup_errors=True) as folder,
        _progress(chosen) as show,
    ):
        results = grading.grade(
            exam,
            [submission],
            chosen.out or folder,
            machines=_machines(chosen),
            restart=True,
            protection=Protection.NONE if chosen.trust else None,
            only_public=True,
            progress=show,
        )
    return _advice(exam, results, chosen)


def _advice(exam: Exam, results: Results, chosen: argparse.Namespace) -> int:
    """Print a row for each game, and what would have failed in the exam."""
    console = SafeConsole()
    measure = exam.points.measure
    names = ("level", "outcome", measure, "reference", "points", "of", "seconds", "failure")
    columns = [Column(name, name not in ("level", "outcome", "failure")) for name in names]
    print_table(console, columns, ([
        game.level, game.outcome, f"{game.figures.get(measure, game.steps):g}", "-" if game.reference is None else f"{game.reference:g}",
        f"{game.points:g}", f"{game.most:g}", f"{game.cpu_seconds:.2f}", game.failure or "",
    ] for game in results.games))  # fmt: skip
    print_errors(console, [(game.student, game.level, game.error) for game in results.games if game.error])
    failed = sum(game.failure is not None for game in results.games)
    points, most = sum(game.points for game in results.games), sum(game.most for game in results.games)
    console.print(f"{points:g} of {most:g} points on the public levels.")
    for note in protection_notes(results):
        complain(note, chosen)
    for level in results.levels:
        if level.problem:
            complain(f"skipped: {level.problem}", chosen)
    if failed:
        console.print(
            f"In the exam, the agent would have failed in {failed} of {count(len(results.games), 'game')}.", style="red"
        )
        return SKIPPED
    console.print("The agent would not have failed in the exam.")
    return GRADED if results.finished else UNFINISHED
