"""Results in Gradescope's format, and the scripts that grade one submission in Gradescope's container.

The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import json
import shutil
from pathlib import Path
from typing import Any

from shoverworld._version import __version__
from shoverworld.core.files import write_safely
from shoverworld.core.text import visible

from ..exam import Exam
from . import figures
from .visibility import GameView, StudentView


def results_json(exam: Exam, view: StudentView, complete: StudentView) -> str:
    """Return the content of `results.json` for one student. `view`: what the student may see. `complete`: everything.

    A game whose points the student may not see is a hidden test: only the teacher sees it, and it counts.
    """
    return json.dumps(_results(exam, view, complete), indent=2, ensure_ascii=False) + "\n"


def _results(exam: Exam, view: StudentView, complete: StudentView) -> dict[str, Any]:
    found: dict[str, Any] = {
        "output": _summary(exam, view),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(exam, *games) for games in zip(view.games, complete.games, strict=True)],
    }
    if not view.games:
        found["score"] = 0.0
    if view.standing is not None and not view.problem:
        found["leaderboard"] = _leaderboard(exam, view)
    return found


def _summary(exam: Exam, view: StudentView) -> str:
    if view.problem:
        return visible(f"This submission could not be graded:\n{view.problem}")
    standing = view.standing
    if standing is None:
        return visible(exam.title)
    if exam.players > 1:
        return visible(f"{exam.title}: strength {figures.strength(standing.score)}")
    return visible(f"{exam.title}: {figures.number(standing.points)} of {figures.number(standing.most)} points")


def _test(exam: Exam, game: GameView, complete: GameView) -> dict[str, Any]:
    run = f", run {game.repetition}" if exam.repetitions > 1 else ""
    test: dict[str, Any] = {"name": visible(game.label + run), "number": str(game.number), "output": _output(game)}
    test["visibility"] = "visible" if "points" in game.shown else "hidden"
    if complete.points is not None:
        share = 1 / exam.repetitions  # the points of a level are the mean over its repetitions
        test["score"], test["max_score"] = round(complete.points * share, 6), round((complete.most or 0.0) * share, 6)
    elif complete.place is not None and complete.players:
        # The number of players behind this one; a player who shares the place counts as a half.
        test["score"] = complete.players - complete.place - (complete.sharing - 1) / 2
        test["max_score"] = float(complete.players - 1)
    if game.won is not None:
        test["status"] = "passed" if game.won else "failed"
    return test


def _output(game: GameView) -> str:
    lines = [game.outcome] if game.outcome else []
    if game.ratio is not None:
        lines.append(f"ratio to the best known result: {game.ratio:.3f}")
    if game.figures or game.steps is not None:
        steps = {} if game.steps is None else {"steps": float(game.steps)}
        lines.append(figures.figure_list({**steps, **(game.figures or {})}))
    if game.seconds is not None:
        lines.append(f"processor time: {game.seconds:.2f} s")
    if game.error:
        lines.append(game.error)
    return visible("\n".join(lines))


def _leaderboard(exam: Exam, view: StudentView) -> list[dict[str, Any]]:
    standing = view.standing
    assert standing is not None
    if exam.players > 1:
        return [{"name": "Strength", "value": round(standing.score, 3), "order": "desc"}]
    entries: list[dict[str, Any]] = [
        {"name": "Points", "value": round(standing.points, 3), "order": "desc"},
        {"name": "Solved", "value": standing.solved, "order": "desc"},
    ]
    if standing.ratio is not None:
        entries.append({"name": "Ratio", "value": round(standing.ratio, 3), "order": "desc"})
    return entries


SETUP = """#!/usr/bin/env bash
# Gradescope runs this script once, as root, when it builds the container of the autograder.
set -euo pipefail
apt-get update
apt-get install -y bubblewrap python3 python3-pip python3-venv
python3 -m venv /opt/shover
wheel=$(find /autograder/source -maxdepth 1 -name 'shoverworld-*.whl' | head -n 1) # this version, if you have built it
/opt/shover/bin/pip install "${{wheel:-shoverworld=={version}}}"
/opt/shover/bin/shover warmup {game}
/opt/shover/bin/shover sandbox || true # prints what protects the exam from the submission
"""

RUN = """#!/usr/bin/env bash
# Gradescope runs this script for each submission. It grades the submission and writes results/results.json.
set -uo pipefail
cd "${AUTOGRADER:-/autograder}"
shover="${SHOVER:-/opt/shover/bin/shover}"
rm -rf graded report && mkdir -p graded results
cp -r submission graded/student
"$shover" grade source/exam.toml graded --out report
found=$(find report/gradescope/results -name results.json 2> /dev/null | head -n 1)
if [ -n "$found" ]; then
  cp "$found" results/results.json
else
  cat > results/results.json << 'END'
{"score": 0, "output": "The grader failed. This is not a fault of the submission: ask the teacher to look at the output of the autograder.", "stdout_visibility": "hidden"}
END
fi
"""

README = """# Gradescope

`results/STUDENT/results.json` has the results of each student of this report in Gradescope's format. Games whose points
students may not see are hidden tests.

`autograder/` grades submissions in Gradescope:

1. Check that the folder contains `exam.toml` and every level that the exam names. {copied} If this version of shoverworld
   is not on PyPI, put its wheel (`python -m build`) into the folder, too.
2. Zip the content of the folder, not the folder itself: `cd autograder && zip -r ../autograder.zip .`
3. Upload the zip file as the autograder of a programming assignment. Choose an Ubuntu image with Python 3.11 or later.
4. Test the autograder with a submission, and read its output: `shover sandbox` prints what protects the exam. If the
   container does not allow a sandbox, `shover grade` refuses to run a submission. With `--unsafe` in `run_autograder`
   it runs, but a submission can then read the hidden levels and forge its results, and the output says so.

The container grades one submission at a time, so a place in the ranking means nothing there. Use the leaderboard of
Gradescope, or grade all submissions together with `shover grade`.
"""


def write_scripts(exam: Exam, folder: Path) -> None:
    """Write the autograder with the exam and its levels, as far as they are beside the exam file."""
    autograder = folder / "autograder"
    write_safely(autograder / "setup.sh", SETUP.format(version=__version__, game=exam.game))
    write_safely(autograder / "run_autograder", RUN)
    for name in ("setup.sh", "run_autograder"):
        (autograder / name).chmod(0o755)
    missing = _copy_exam(exam, autograder)
    copied = f"Copy these by hand: {', '.join(missing)}." if missing else "They have been copied."
    write_safely(folder / "README.md", README.format(copied=copied))


def _copy_exam(exam: Exam, autograder: Path) -> list[str]:
    """Copy the exam file and the levels in its folder. Return what could not be copied."""
    if exam.path is None or not exam.path.is_file():
        return ["exam.toml and its levels"]
    missing: list[str] = []
    write_safely(autograder / "exam.toml", exam.path.read_bytes())
    home = exam.path.parent.resolve()
    for place in (place for group in exam.groups for place in group.places):
        source = (home / place).resolve()
        if not source.exists():
            continue  # a packaged set
        if not source.is_relative_to(home) or source == home:
            missing.append(place)
        elif source.is_dir():
            shutil.copytree(source, autograder / source.relative_to(home), dirs_exist_ok=True)
        else:
            write_safely(autograder / source.relative_to(home), source.read_bytes())
    return missing
