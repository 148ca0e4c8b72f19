"""The levels of an exam, as tasks. A level that cannot be read has a `problem` in its record; the others are played."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from shoverworld.agents.tasks import numbered, random_task, tasks_at
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.task import Task
from shoverworld.games import game_named

from .exam import Exam, LevelGroup
from .records import LevelRecord
from .seeds import derived_seed


@dataclass(frozen=True)
class ExamLevel:
    """A level of an exam. `task` is None if the level cannot be played. `rules`: its rules as text."""

    record: LevelRecord
    task: Task | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.record.group, self.record.level

    def game_task(self, exam: Exam, repetition: int) -> Task:
        """Return the task for one game. All students play it with the same seed."""
        assert self.task is not None
        return replace(self.task, seed=derived_seed(exam.secret, "game", *self.key, repetition))


def levels_of(exam: Exam, only_public: bool = False) -> tuple[ExamLevel, ...]:
    """Return the levels of an exam in the order of its groups."""
    game = game_named(exam.game)
    groups = [group for group in exam.groups if group.public or not only_public]
    return tuple(level for group in groups for level in _in_group(game, exam, group))


def _in_group(game: Game, exam: Exam, group: LevelGroup) -> Iterator[ExamLevel]:
    places = [_resolved(place, exam.path) for place in group.places]
    problems, used = 0, set[str]()
    for found in tasks_at(game, places, exam.rules):
        level = _checked(game, exam, group, found)
        if level.task is None:
            problems += 1
            level = ExamLevel(replace(level.record, level=level.record.level or f"unreadable-{problems}"))
        used.add(level.record.level)
        yield level
    for number in range(1, group.random + 1):
        seed = derived_seed(group.seed or exam.secret, "level", group.name, number)
        name = f"random-{number}"
        while name in used:  # a level file in the same group has this name
            name += "-x"
        try:
            task = random_task(game, seed, exam.rules, group.options, name)
        except ShoverWorldError as error:  # for example, no solvable level with these options
            yield ExamLevel(LevelRecord(group.name, name, "", group.public, group.weight, problem=str(error)))
            continue
        # The name and the title of a random level would reveal its seed.
        yield _checked(
            game,
            exam,
            group,
            replace(task, title="", board=replace(task.board, name=name, title="", about="", seed=None)),
        )


def _checked(game: Game, exam: Exam, group: LevelGroup, found: Task | ShoverWorldError) -> ExamLevel:
    """Return the level with its text, or with the reason why it cannot be played."""
    if isinstance(found, ShoverWorldError):
        source = getattr(found, "source", None)
        name = Path(source).name if source else ""
        return ExamLevel(LevelRecord(group.name, name, "", group.public, group.weight, problem=str(found)))
    record = LevelRecord(group.name, found.name, found.title, group.public, group.weight)
    try:
        env = found.start()
        text = env.map_text()
        room = (
            game.ui.multiplayer.max_players(found.board) if exam.players > 1 and game.ui.multiplayer else exam.players
        )
        if room < exam.players:
            return ExamLevel(
                replace(record, text=text, problem=f"there is room for only {room} of {exam.players} players")
            )
    except ShoverWorldError as error:
        return ExamLevel(replace(record, problem=str(error)))
    return ExamLevel(replace(record, text=text), found)


def _resolved(place: str, exam: Path | None) -> str:
    """Return a place relative to the folder of the exam if there is a file or folder; otherwise, it names a set."""
    if exam is None:
        return place
    path = exam.parent / place
    head, _ = numbered(str(path))
    return str(path) if Path(head).exists() or Path(place).suffix else place
