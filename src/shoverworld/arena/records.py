"""The results of an exam, as the database stores them and the reports read them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class GameRecord:
    """One finished game of one student on one level.

    reference: the best known result on this level for the exam's measure; `proved`: whether it is the proved optimum.
    ratio: how close the agent came to the reference, from 0 to 1 (1: as good); None if the game was not won or there is
    no reference. repetition: from 1. failure: a short code ("time", "memory", "error", ...), and error: the message, with a line number
    where there is one. The seconds are measured, so no table that must be reproducible contains them.
    """

    student: str
    group: str
    level: str
    repetition: int
    outcome: str
    won: bool
    steps: int
    figures: dict[str, float]
    invalid: int
    points: float
    most: float  # the points that a perfect game earns
    reference: float | None = None
    proved: bool = False
    ratio: float | None = None
    failure: str | None = None
    error: str | None = None
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    protection: str = ""
    replay: str | None = field(default=None, repr=False)  # the text of the replay file


@dataclass(frozen=True)
class Seat:
    """One player in a game with several players."""

    student: str
    place: int  # from 1; players with equal results share a place
    finished: bool
    figures: dict[str, float]
    failure: str | None = None
    error: str | None = None
    cpu_seconds: float = 0.0
    protection: str = ""


@dataclass(frozen=True)
class MatchRecord:
    """One finished game of several students. The seats are in turn order."""

    group: str
    level: str
    repetition: int
    seats: tuple[Seat, ...]
    replay: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class SubmissionRecord:
    """A submission, and why it could not be graded ("" if it could)."""

    student: str
    file: str  # the name of the file or folder that was submitted
    problem: str = ""
    digest: str = ""  # a hash of its content
    source: str = field(default="", repr=False)  # the Python source, for the similarity report


@dataclass(frozen=True)
class LevelRecord:
    """A level of the exam, and why it could not be used ("" if it could)."""

    group: str
    level: str
    title: str
    public: bool
    weight: float
    reference: float | None = None
    proved: bool = False
    problem: str = ""
    text: str = field(default="", repr=False)  # the level as a file


@dataclass(frozen=True)
class Results:
    """Everything that the reports need."""

    submissions: tuple[SubmissionRecord, ...]
    levels: tuple[LevelRecord, ...]
    games: tuple[GameRecord, ...] = ()
    matches: tuple[MatchRecord, ...] = ()
    finished: bool = True  # whether every game of the exam has been played
