"""Reports on an exam: HTML pages for the teacher, a folder per student to hand back, tables, and Gradescope files.

    index.html                  the ranking (teacher)
    students/NAME/              a student's results with everything (teacher)
    levels/NAME.html            a level: its board, who solved it (teacher)
    similarity.html             pairs of similar submissions (teacher)
    ranking.csv, ranking.md, games.csv, students.csv
    hand-back/NAME/             a student's results with what the exam allows, to hand back
    gradescope/results/NAME/results.json, gradescope/autograder/

docs/grading-results.md describes the files.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from shoverworld.core.errors import MissingExtra
from shoverworld.core.files import write_safely

from ..exam import Exam
from ..records import Results
from ..standings import FinalTable, final_table
from ..tables import write_tables as write_plain_tables
from . import gradescope, tables
from .html import link
from .level import level_page
from .names import file_names
from .overview import overview_page
from .replays import replays_page
from .similarity import similarity_page
from .student import REPLAYS, student_page
from .visibility import StudentView, view_of

FOLDERS = ("students", "levels", "hand-back", "gradescope")  # written anew each time


def write(exam: Exam, results: Results, out: str | Path, progress: Callable[[str], object] | None = None) -> FinalTable:
    """Write the report into the folder `out` and return the ranking. Reports from earlier runs are replaced.

    Games with several players need the extra `arena` for their ranking, and so does the similarity report. Without it,
    everything else is written, and the pages say what is missing.
    """
    out, tell = Path(out), progress or (lambda text: None)
    out.mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        shutil.rmtree(out / folder, ignore_errors=True)
    table, notes = _table(exam, results)
    write_tables(exam, results, table, out)
    names = file_names(_students(results))
    views: dict[str, StudentView] = {}
    playable: dict[str, frozenset[int]] = {}
    for number, (student, name) in enumerate(names.items(), 1):
        tell(f"report: student {number} of {len(names)}")
        views[student] = view_of(exam, results, table, student, complete=True)
        playable[student] = _write_student(exam, views[student], out / "students" / name, teacher=True)
        own = view_of(exam, results, table, student, complete=False)
        _write_student(exam, own, out / "hand-back" / name, teacher=False)
        write_safely(
            out / "gradescope" / "results" / name / "results.json", gradescope.results_json(exam, own, views[student])
        )
    tell("report: levels and ranking")
    keys = [(level.group, level.level) for level in results.levels]
    level_names = file_names(f"{group} {level}" for group, level in keys)
    addresses = {(group, level): f"levels/{level_names[f'{group} {level}']}.html" for group, level in keys}
    folders = {student: f"../students/{name}/" for student, name in names.items()}
    for level in results.levels:
        content = level_page(exam, results, level, views, folders, playable)
        write_safely(out / addresses[level.group, level.level], content)
    students = {student: f"students/{name}/index.html" for student, name in names.items()}
    write_safely(out / "index.html", overview_page(exam, results, table, students, addresses, notes))
    write_safely(out / "similarity.html", similarity_page(results))
    gradescope.write_scripts(exam, out / "gradescope")
    return table


def write_tables(exam: Exam, results: Results, table: FinalTable, out: Path) -> None:
    """Write the tables, which are the same for the same results."""
    write_safely(out / "ranking.csv", tables.ranking_csv(exam, table))
    write_safely(out / "ranking.md", tables.ranking_markdown(exam, table))
    write_plain_tables(exam, results, out)


def _table(exam: Exam, results: Results) -> tuple[FinalTable, list[str]]:
    try:
        return final_table(exam, results), []
    except MissingExtra as reason:
        return FinalTable((), (), tuple((s.student, s.problem) for s in results.submissions if s.problem)), [
            str(reason)
        ]


def _students(results: Results) -> list[str]:
    seats = (seat.student for match in results.matches for seat in match.seats)
    return [*(s.student for s in results.submissions), *(game.student for game in results.games), *seats]


def _write_student(exam: Exam, view: StudentView, folder: Path, teacher: bool) -> frozenset[int]:
    """Write a student's folder. Return the numbers of the games that can be played in it."""
    player, playable = replays_page(view)
    up = link("Ranking", "../../index.html") if teacher else None
    write_safely(folder / "index.html", student_page(exam, view, playable, up))
    if player is not None:
        write_safely(folder / REPLAYS, player)
    return playable
