"""Play one game of an exam with a submission, and say what happened."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from shoverworld.agents import load, referee
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.recorder import Journal
from shoverworld.core.task import Task, made
from shoverworld.sandbox import Limits, Protection

from .exam import ExamLimits
from .submissions import Submission

LONGEST_ERROR = 500  # characters of an agent's error that are kept
TRUSTED = "packaged agent"  # recorded instead of a protection


@dataclass(frozen=True)
class Played:
    """What happened in one game. The points are not included, because they may change without another game."""

    outcome: str
    won: bool
    steps: int
    figures: dict[str, float]
    invalid: int
    failure: str | None
    error: str | None
    cpu_seconds: float
    wall_seconds: float
    protection: str
    replay: str | None = field(repr=False)


@dataclass(frozen=True)
class Conditions:
    """The conditions under which agents play: the exam's limits and modules, and how agents are contained.

    protection: None for the strongest one that the machine offers. folder: where temporary copies of submissions are
    made (None: the usual temporary folder).
    """

    limits: ExamLimits
    imports: tuple[str, ...] | None = None
    protection: Protection | None = None
    folder: str | None = None

    @property
    def resources(self) -> Limits:
        return Limits(memory=int(self.limits.memory * 2**20))


def play(task: Task, submission: Submission, conditions: Conditions) -> Played:
    """Play one game. The submission is written to a new folder, so that games cannot affect each other.

    Raise SandboxFailure if the game was lost for a reason that is not the agent's own.
    """
    env = made(task.recipe)
    journal = Journal(env)
    with unpacked(submission, conditions.folder) as agent:
        result = referee.play(
            env,
            agent,
            seed=task.seed,
            time_limit=conditions.limits.game_seconds,
            step_limit=conditions.limits.move_seconds,
            load_limit=None,  # loading counts towards the time for the game
            options=task.options,
            limits=conditions.resources,
            protection=conditions.protection,
            allow_imports=conditions.imports,
            siblings=True,
        )
        error = None if result.error is None else cleaned(result.error, agent)
    return Played(
        result.outcome,
        result.outcome == task.game.won,
        result.steps,
        {name: float(value) for name, value in result.figures.items()},
        result.invalid_actions,
        result.failure,
        error,
        result.seconds if result.cpu_seconds is None else result.cpu_seconds,
        result.wall_seconds,
        TRUSTED if submission.packaged else str(result.protection or ""),
        _replay(journal, task, submission.student),
    )


@contextmanager
def unpacked(submission: Submission, folder: str | None) -> Iterator[str]:
    """Write a submission to a temporary folder. Yield the path of the file that defines the agent.

    For a packaged agent, yield its name, with the path of its model if it has one.
    """
    if not submission.files:
        yield submission.packaged
        return
    with tempfile.TemporaryDirectory(prefix="game-", dir=folder, ignore_cleanup_errors=True) as home:
        file = str(submission.write(Path(home)))
        yield f"{submission.packaged}:{file}" if submission.packaged else file


def cleaned(error: str, agent: str) -> str:
    """Return an error without the name of the agent's temporary folder, which differs from run to run."""
    file = load.file_of(agent)
    folder = None if file is None else str(file.parent)
    text = error if folder is None else error.replace(f"{folder}/", "").replace(folder, ".")
    return text if len(text) <= LONGEST_ERROR else f"{text[: LONGEST_ERROR - 1]}…"


def _replay(journal: Journal, task: Task, student: str) -> str | None:
    try:
        return journal.replay(player=student if student.isprintable() else "", comment=task.name).to_text()
    except ShoverWorldError:  # the level has characters that a replay cannot contain
        return None
