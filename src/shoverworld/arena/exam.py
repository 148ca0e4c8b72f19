"""An exam: which levels are played under which rules and limits, what the games are worth, and what students may see."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DETAILS = ("points", "outcome", "steps", "ratio", "time", "error", "replay")  # what a student may see about a game


@dataclass(frozen=True)
class ExamLimits:
    """The limits for one game of one agent. Seconds are processor time; memory is in megabytes."""

    move_seconds: float | None = None
    game_seconds: float = 60.0
    memory: float = 1024.0


@dataclass(frozen=True)
class Points:
    """What a game is worth.

    A won game earns `solved` points, and up to `quality` points more: `quality` times the reference result divided by
    the agent's result (or the reverse if more is better), where `measure` names the figure that is compared, such as
    "steps" or "stamina". Each invalid action costs `invalid` points and a failure of the agent `failure` points. A
    game never earns less than zero points.
    """

    solved: float = 1.0
    quality: float = 0.0
    measure: str = "steps"
    invalid: float = 0.0
    failure: float = 0.0

    @property
    def most(self) -> float:
        """The points that a perfect game earns."""
        return self.solved + self.quality


@dataclass(frozen=True)
class LevelGroup:
    """Levels of an exam: files, folders and packaged sets, or random levels from a seed.

    public: whether students may see the levels and practise on them. weight: the factor for the points of these levels.
    """

    name: str
    places: tuple[str, ...] = ()
    random: int = 0  # the number of random levels
    seed: str = ""  # the secret from which the seeds of the random levels are derived
    options: dict[str, Any] = field(default_factory=dict)  # the generator's options (`Game.generate_options`)
    public: bool = False
    weight: float = 1.0


@dataclass(frozen=True)
class Exam:
    """An exam, as read from a TOML file (arena/exam_file.py)."""

    title: str
    game: str
    rules: str  # the preset and changes to single rules, such as "phase2, initial_force=30"; "": those of each level
    groups: tuple[LevelGroup, ...]
    repetitions: int = 1
    limits: ExamLimits = ExamLimits()
    points: Points = Points()
    imports: tuple[str, ...] | None = None  # modules besides the standard library; None: all that are installed
    details: tuple[str, ...] = DETAILS  # what students may see about games on hidden levels
    players: int = 1  # the number of players in a game; 2 or more: players compete, and places decide
    path: Path | None = None  # the file; relative places are relative to its folder
    secret: str = ""  # the seeds of the games are derived from it
    reference_seconds: float = 5.0  # how long the planner may search for a reference result on a level
