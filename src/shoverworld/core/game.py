"""Game: everything the rest of the package asks about a game, in one object.

A game is a subclass of `Game` in `games/NAME/game.py`, with one instance called `GAME`. Every part but the name, the
title and the environment has a default, so a small game is small. A part that imports NumPy, Numba or a window
library is a `Lazy` attribute. This module and every `game.py` import the standard library only, so that importing
descriptors takes no time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

    from .env import GridEnv
    from .measuring import Measurement
    from .plan import Plan
    from .reports import Reports
    from .ui import UI, Levels

T = TypeVar("T")

registered_ids: list[str] = []  # the environment ids of all games; the registry fills it


class Lazy(Generic[T]):
    """A class attribute that is imported when it is first read: `env = Lazy("package.module:Class")`.

    Without a colon the attribute is the module itself.
    """

    def __init__(self, reference: str):
        self.reference = reference

    @overload
    def __get__(self, instance: None, owner: type) -> "Lazy[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "Lazy[T] | T":
        return self if instance is None else resolve(self.reference)


def resolve(reference: str) -> Any:
    """The object that "package.module:name" names, or the module that "package.module" names."""
    module, _, name = reference.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


class EnvId(NamedTuple):
    """An environment id without its namespace, the keywords it is made with, and a line about it."""

    name: str
    settings: Mapping[str, Any]
    about: str


class Preset(NamedTuple):
    """A named set of rules that people choose."""

    name: str
    about: str


class Option(NamedTuple):
    """An option that a game adds to a command, in the terms of argparse. A switch takes no value."""

    flag: str  # "--boxes"
    help: str
    type: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    switch: bool = False

    @property
    def dest(self) -> str:
        return self.flag.removeprefix("--").replace("-", "_")


class AgentEntry(NamedTuple):
    """An agent that comes with a game: where its class is, the options it is made with, and a line about it."""

    name: str
    reference: str
    about: str
    options: Mapping[str, Any] = {}


class Generator(Protocol):
    """Makes random levels. The same seed and options give the same level on every machine.

    The options are those of `Game.generate_options` by their `dest`; "rules" may name a preset. An option that was not
    given is None or missing.
    """

    one_file: bool  # True: `--out` is one file for all levels; False: a folder with a file for each level

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise a ConfigError if the options make no sense."""
        ...

    def generate(self, seed: int, options: Mapping[str, Any]) -> Any:
        """A level, as a `Board` holds it."""
        ...

    def suffix(self, options: Mapping[str, Any]) -> str:
        """The suffix of level files: "txt"."""
        ...

    def write(self, seeds: Sequence[int], options: Mapping[str, Any]) -> list[str | bytes]:
        """The levels of these seeds as the contents of files."""
        ...


class Planner(Protocol):
    """Plans from a state of a game."""

    def __call__(
        self,
        env: "GridEnv",
        state: Any = None,
        *,
        objective: str | None = None,
        time_limit: float = 10.0,
        memory_limit: float = 1024.0,
        progress: Callable[["Plan"], object] | None = None,
    ) -> "Plan":
        """A plan from `state` (default: the environment's own) whose actions `env.step` accepts as they are."""
        ...


class Benchmarks(Protocol):
    """The measurements of `shover bench`, one after the other."""

    def figures(self, seconds: float, games: int, threads: int) -> "Iterable[Measurement]": ...


class Game:
    """The descriptor of a game. Subclasses set the class attributes.

    `name`, `title`, `ids`, `env`, `levels`, `plan` and `ui` are required. `SmallGame` in games/defaults/ supplies the last
    three.
    """

    name: ClassVar[str]  # "shover": what people type
    title: ClassVar[str]  # "Shover-World": what people read
    goal: ClassVar[str] = ""  # what the player wants, in a sentence
    namespace: ClassVar[str] = "shoverworld"  # of the environment ids
    ids: ClassVar[tuple[EnvId, ...]]
    presets: ClassVar[tuple[Preset, ...]] = (Preset("standard", "The rules of the game."),)

    env: Lazy["type[GridEnv]"]
    vector_env: "Lazy[type[VectorEnv]] | None" = None  # None: Gymnasium's own, around single environments

    # Results
    won: ClassVar[str] = "solved"  # the outcome that every player wants
    figures: ClassVar[tuple[str, str]] = ("steps", "reward")  # of `env.figures()`; fewer of the first is better
    level_word: ClassVar[str] = "level"  # "map", "track": what people call a level of this game
    left_word: ClassVar[str] = "to do"  # what `left` counts
    first_success: ClassVar[str] = "first success"  # what happens when `left` falls for the first time

    # Levels, agents, planning
    levels: Lazy["Levels"]
    generator: "Lazy[Generator] | None" = None
    generate_options: ClassVar[tuple[Option, ...]] = ()
    generate_examples: ClassVar[tuple[str, ...]] = ()  # command lines for the help
    plan: Lazy[Planner]
    objectives: ClassVar[tuple[str, ...]] = ("steps",)  # the first is the default
    agents: ClassVar[tuple[AgentEntry, ...]] = ()  # in addition to "random" and "planner", which play every game
    default_agent: ClassVar[str] = "planner"
    agent_settings: ClassVar[Mapping[str, Any]] = {}  # keywords of the environments in which commands let agents play

    # Commands
    reports: Lazy["Reports"] = Lazy("shoverworld.core.reports:REPORTS")
    solve_options: ClassVar[tuple[Option, ...]] = ()
    solution_files: ClassVar[str] = ""  # what `shover solve --out FILE` writes; "": nothing
    rule_options: ClassVar[tuple[Option, ...]] = ()  # keywords of the environment that commands offer as options
    multiplayer: ClassVar[bool] = False  # True: several players compete (`ui.multiplayer`)

    # People
    ui: Lazy["UI"]

    # Upkeep
    bench: "Lazy[Benchmarks] | None" = None
    warmup: "Lazy[Callable[[], Iterable[Callable[[], Any]]]] | None" = None  # calls that compile everything
    docs: ClassVar[tuple[str, ...]] = ()  # pages in docs/, the environment's first

    def left(self, info: Mapping[str, Any]) -> int:
        """How much is left to do, by the info of a step. The referee times the first success with it."""
        return int(info["outcome"] != self.won)

    def env_id(self, id: EnvId) -> str:
        """The full name of an environment id."""
        return f"{self.namespace}/{id.name}"

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The names of the agents that people can choose. In a game for several players, a fixed plan is of little use."""
        planner = () if self.multiplayer else ("planner",)
        return (*planner, *(agent.name for agent in self.agents), "random")

    @property
    def default_id(self) -> str:
        """The first environment id, with its namespace."""
        return f"{self.namespace}/{self.ids[0].name}"

    def __repr__(self) -> str:
        return f"<Game {self.name}>"
