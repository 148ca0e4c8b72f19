"""The settings of an exam, as a report shows them."""

from ..exam import Exam
from .figures import number


def exam_settings(exam: Exam, complete: bool) -> list[tuple[str, str]]:
    """Return the settings as pairs of a name and a text. Students do not see the names of hidden groups. Nobody sees
    the seeds, which would give hidden levels away if the teacher's pages were passed on."""
    limits, points = exam.limits, exam.points
    move = "" if limits.move_seconds is None else f"{number(limits.move_seconds)} s per move, "
    found = [
        ("Game", exam.game),
        ("Rules", exam.rules or "those of each level"),
        ("Repetitions", str(exam.repetitions)),
        ("Limits", f"{move}{number(limits.game_seconds)} s of processor time per game, {number(limits.memory)} MB"),
    ]
    if exam.players > 1:
        found.append(("Players", f"{exam.players} in each game; the places decide"))
    else:
        quality = f", up to {number(points.quality)} for {points.measure} compared with the best known result"
        found.append(
            ("Points", f"{number(points.solved)} for a win{quality if points.quality else ''}{_penalties(exam)}")
        )
    imports = "all installed modules" if exam.imports is None else ", ".join(exam.imports) or "none"
    found.append(("Imports allowed", imports))
    if complete:
        found.append(("Students see", ", ".join(exam.details) or "nothing"))
        for group in exam.groups:
            what = f"{group.random} random levels" if group.random else ", ".join(group.places)
            kind = "public" if group.public else "hidden"
            found.append((f"Group {group.name}", f"{what}; {kind}; weight {number(group.weight)}"))
    return found


def _penalties(exam: Exam) -> str:
    points = exam.points
    parts = [(points.invalid, "each invalid action"), (points.failure, "a failure of the agent")]
    named = [f"{number(cost)} for {what}" for cost, what in parts if cost]
    return f"; deducted: {', '.join(named)}" if named else ""
