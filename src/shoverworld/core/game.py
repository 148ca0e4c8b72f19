"""Game: everything the rest of the package asks about a game, in one object.

A game is a subclass of `Game` in `games/NAME/game.py`, with one instance called `GAME`. Every part but the name, the
title and the environment has a default, so a small game is small. A part that imports NumPy, Numba or a window
library is a `Lazy` attribute: importing a descriptor costs nothing, and neither does listing all games.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

    from .env import GridEnv
    from .plan import Plan
    from .ui import UI, Levels

T = TypeVar("T")


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
    """A named set of rules that people choose by."""

    name: str
    about: str


class Option(NamedTuple):
    """An option that a game adds to a command, as argparse takes it. A switch has no value."""

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


class Column(NamedTuple):
    """A column of a table about levels or ids: its heading, and how its cells are aligned."""

    heading: str
    right: bool = False


class Generator(Protocol):
    """Makes levels at random; the same seed and options give the same level on every machine."""

    def generate(self, seed: int, options: Mapping[str, Any]) -> Any:
        """A level; a ConfigError if the options make no sense."""
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
        progress: Callable[["Plan"], Any] | None = None,
    ) -> "Plan":
        """A plan from `state` (default: the environment's own) whose actions `env.step` accepts as they are."""
        ...


class Benchmarks(Protocol):
    """The figures of `shover bench`."""

    def figures(self, seconds: float, games: int, threads: int) -> Iterable[Any]: ...


class Game:
    """The descriptor of a game. Subclasses set the class attributes; `ids`, `env`, `name` and `title` are required."""

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

    # Levels, agents, planning
    levels: Lazy["Levels"]
    generator: "Lazy[Generator] | None" = None
    generate_options: ClassVar[tuple[Option, ...]] = ()
    plan: Lazy[Planner]
    objectives: ClassVar[tuple[str, ...]] = ("steps",)  # the first is the default
    solve_options: ClassVar[tuple[Option, ...]] = ()
    agents: ClassVar[tuple[AgentEntry, ...]] = ()

    # People
    ui: Lazy["UI"]

    # Upkeep
    bench: "Lazy[Benchmarks] | None" = None
    warmup: "Lazy[Callable[[], Iterable[Callable[[], Any]]]] | None" = None  # what to compile, one call after the other
    docs: ClassVar[tuple[Path, ...]] = ()

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The names of the agents that people can choose: the game's own, then "random"."""
        return (*(agent.name for agent in self.agents if agent.name != "random"), "random")

    def __repr__(self) -> str:
        return f"<Game {self.name}>"
