"""Grade submissions: find the reference results, play all games that are missing in the database, and return the results.

Every game is independent: its seed depends on the exam's secret, the level and the repetition (and on the line-up if
several students play), each game starts with a fresh copy of the submission, and what is played does not depend on the
order, on the number of processes or on interruptions.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from shoverworld.agents import load
from shoverworld.agents.tasks import random_task
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.files import cause
from shoverworld.core.task import Task
from shoverworld.games import game_named
from shoverworld.sandbox import Protection

from . import jobs, matches, one_game
from .exam import Exam
from .exam_file import read_exam
from .levels import ExamLevel, levels_of
from .records import Results
from .references import Reference, find_reference
from .seeds import derived_seed
from .store import FILE, GameKey, Store
from .submissions import Submission, collect, packaged_agents

WORK = ".work"  # the folder for temporary copies of submissions
Progress = Callable[[str, int, int], Any]  # what is being done, how much of it is done, and how much there is


@dataclass(frozen=True)
class Machines:
    """Where the games are played: in processes on this machine (None: one per core), or on a Ray cluster."""

    processes: int | None = None
    ray: bool = False
    ray_address: str | None = None

    @property
    def local(self) -> bool:
        return not self.ray and self.ray_address is None

    def work(self, function: Any, items: Sequence[Any], shared: Any, game: str) -> jobs.Work[Any, Any]:
        warm_up = _WarmUp(game)
        count = self.processes or jobs.cores()
        return jobs.Work(
            function, items, shared, count, in_process=False, keep_going=True, warm_up=warm_up, ray=self.ray,
            ray_address=self.ray_address,
        )  # fmt: skip


@dataclass(frozen=True)
class _WarmUp:
    """Compile the rules of a game."""

    game: str

    def __call__(self) -> None:
        task = random_task(game_named(self.game), 0)
        env = task.start()
        env.action_mask()
        env.step(env.valid_actions()[0])


def no_progress(what: str, done: int, total: int) -> None:
    """Show nothing."""


def grade(
    exam: Exam | str | PathLike[str],
    submissions: Iterable[Submission | str | PathLike[str]],
    out: str | PathLike[str],
    *,
    students: str | PathLike[str] | None = None,
    machines: Machines | None = None,
    restart: bool = False,
    only_public: bool = False,
    protection: Protection | None = None,
    progress: Progress = no_progress,
) -> Results:
    """Grade submissions and store the results in the folder `out`. A run that was interrupted is continued.

    exam: an exam or an exam file. submissions: files, folders of submissions, zip archives, and names of packaged agents
    that play for comparison, such as "learned" or "learned:model.npz". students: a table (CSV) with
    the columns `file` and `student`. restart: delete the results in `out` first. only_public: only public levels.
    protection: how submissions are contained; None: in the strongest way that each machine offers.
    Raise SandboxUnavailable if there are games to play and this machine cannot contain submissions.
    """
    exam = exam if isinstance(exam, Exam) else read_exam(exam)
    submissions = [submissions] if isinstance(submissions, (str, PathLike, Submission)) else list(submissions)
    given = [one for one in submissions if isinstance(one, Submission)]
    names = [str(one) for one in submissions if is_packaged_agent(one)]
    places = [one for one in submissions if not isinstance(one, Submission) and str(one) not in names]
    found = (*given, *(collect(places, students) if places or students is not None else ()))
    found += packaged_agents(names, exam.game, [submission.student for submission in found])
    levels = levels_of(exam, only_public)
    if not any(level.task for level in levels):
        problems = [level.record.problem for level in levels]
        raise ConfigError(
            f"{exam.path or exam.title}: the exam has no level that can be played{': ' * bool(problems)}{'; '.join(problems[:3])}"
        )
    folder = Path(out)
    if restart:
        _remove(folder)
    return _Grading(exam, found, levels, machines or Machines(), protection, progress).run(folder)


def is_packaged_agent(submission: Submission | str | PathLike[str]) -> bool:
    """Return whether this is the name of a packaged agent and not that of an existing file."""
    return not isinstance(submission, Submission) and load.is_packaged(submission) and not os.path.lexists(submission)


def _remove(folder: Path) -> None:
    """Delete the results of an earlier run. Other files in the folder are kept."""
    if not folder.is_dir():
        return
    Store(folder).close() if (folder / FILE).exists() and _is_ours(folder / FILE) else None  # raises if it is in use
    for path in folder.glob(f"{FILE}*"):
        try:
            path.unlink()
        except OSError as reason:
            raise SaveError(f"{path} cannot be deleted: {cause(reason)}") from None


def _is_ours(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(15) == b"SQLite format 3"


class _Grading:
    """One run."""

    def __init__(
        self,
        exam: Exam,
        submissions: Sequence[Submission],
        levels: Sequence[ExamLevel],
        machines: Machines,
        protection: Protection | None,
        progress: Progress,
    ):
        self.exam, self.submissions, self.levels = exam, submissions, levels
        self.machines, self.protection, self.progress = machines, protection, progress

    def run(self, folder: Path) -> Results:
        work = folder / WORK
        with Store(folder) as store:
            records = [submission.record for submission in self.submissions]
            store.begin(fingerprint(self.exam, self.levels), [level.record for level in self.levels], records)
            if self.machines.local and self._missing(store):
                Protection.chosen(self.protection)  # refuse at once, not in every game
            shutil.rmtree(work, ignore_errors=True)  # left by a run that was killed
            work.mkdir()
            try:
                self._find_references(store)
                self._play(store, str(work))
            finally:
                shutil.rmtree(work, ignore_errors=True)
            return store.results(self.exam, len(self.games()))

    def games(self) -> list[GameKey]:
        """Return all games of the exam."""
        students = [submission.student for submission in self.submissions if not submission.problem]
        exam = self.exam
        teams = [(name,) for name in students] if exam.players == 1 else list(matches.line_ups(students, exam.players))
        playable = [level for level in self.levels if level.task is not None]
        numbers = range(1, exam.repetitions + 1)
        return [(*level.key, number, team) for level in playable for number in numbers for team in teams]

    def _find_references(self, store: Store) -> None:
        """Search for the reference results that are missing."""
        known = store.references()
        exam = self.exam
        wanted = [
            ((*level.key, number), level.game_task(exam, number))
            for level in self.levels
            for number in range(1, exam.repetitions + 1)
            if level.task is not None and (*level.key, number) not in known and exam.players == 1
        ]
        starts: dict[str, list[Any]] = {}  # repetitions with the same start share a reference
        for key, task in wanted:
            starts.setdefault(f"{key[:2]} {task.start().state_hash()}", []).append((key, task))
        groups = list(starts.values())
        shared = exam.points.measure, exam.reference_seconds
        work = self.machines.work(_reference_job, [group[0][1] for group in groups], shared, exam.game)
        self.progress("finding references", 0, len(groups))
        with closing(jobs.run(work)) as found:
            for done, (index, reference) in enumerate(found, 1):
                if isinstance(reference, Reference):
                    for key, _ in groups[index]:
                        store.add_reference(key, reference)
                self.progress("finding references", done, len(groups))

    def _missing(self, store: Store) -> list[GameKey]:
        """Return the games that have not been played."""
        there = store.played()
        return [key for key in self.games() if key not in there]

    def _play(self, store: Store, folder: str) -> None:
        """Play the games that are missing."""
        missing, total = self._missing(store), len(self.games())
        shared = _Shared(
            self.exam,
            {level.key: level for level in self.levels},
            {submission.student: submission for submission in self.submissions},
            # The folder does not exist on other machines.
            one_game.Conditions(
                self.exam.limits, self.exam.imports, self.protection, folder if self.machines.local else None
            ),
        )
        work = self.machines.work(_game_job, missing, shared, self.exam.game)
        done = total - len(missing)
        self.progress("playing", done, total)
        with closing(jobs.run(work)) as results:
            for index, result in results:
                if isinstance(result, jobs.Lost):
                    self.progress(f"lost: {result.reason}", done, total)
                    continue
                with jobs.uninterrupted():  # Ctrl-C does not lose a game that has been played
                    store.add_game(missing[index], result)
                done += 1
                self.progress("playing", done, total)


@dataclass(frozen=True)
class _Shared:
    """What every game needs. It is sent to each process only once."""

    exam: Exam
    levels: dict[tuple[str, str], ExamLevel]
    submissions: dict[str, Submission]
    conditions: one_game.Conditions


def _reference_job(shared: tuple[str, float], task: Task) -> Reference:
    return find_reference(task, *shared)


def _game_job(shared: _Shared, key: GameKey) -> Any:
    """Play one game. This function runs in another process, possibly on another machine."""
    group, level, repetition, players = key
    exam = shared.exam
    task = shared.levels[group, level].game_task(exam, repetition)
    if exam.players == 1:
        submission = shared.submissions[players[0]]
        return one_game.play(task, submission, shared.conditions)
    task = replace(task, seed=derived_seed(exam.secret, "match", group, level, repetition, *sorted(players)))
    team = [shared.submissions[player] for player in players]
    return matches.play_match(task, team, shared.conditions)


def fingerprint(exam: Exam, levels: Sequence[ExamLevel]) -> dict[str, str]:
    """Return what the games of an exam depend on, by name. Points, weights and titles may change between two runs."""
    texts = sorted(
        (*level.key, level.task.rules if level.task else "", level.record.text, level.record.problem)
        for level in levels
    )
    secrets = exam.secret, [group.seed for group in exam.groups]
    return {
        "game": exam.game,
        "set of rules": exam.rules,
        "set of levels": _digest(texts),
        "number of repetitions": str(exam.repetitions),
        "number of players": str(exam.players),
        "set of limits": _digest(asdict(exam.limits)),
        "list of imports": _digest(exam.imports),
        "secret": _digest(secrets),
        "measure": exam.points.measure,
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
