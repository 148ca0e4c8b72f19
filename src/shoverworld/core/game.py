"""The descriptor of a game: everything that the rest of the package needs to know about the game, in one object.

A game is a subclass of `Game` in `games/NAME/game.py`, with one instance called `GAME`. Every part except the name, the
title, the ids and the environment has a default, so a small game needs little code. A part that imports NumPy, Numba
or a window library is a `Lazy` attribute. This module and every `game.py` import only the standard library, so
importing descriptors takes almost no time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

    from .config import GameRules
    from .env import GridEnv
    from .learning import Learning
    from .measuring import Group
    from .plan import Plan
    from .reports import Reports
    from .ui import UI, Levels
    from .web import WebModule

T = TypeVar("T")

registered_ids: list[str] = []  # the environment ids of all games, filled in by the registry


class Lazy(Generic[T]):
    """A class attribute whose value is imported when it is first read: `env = Lazy("package.module:Class")`.

    If the reference has no colon, the attribute is the module itself.
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
    """Return the object that "package.module:name" refers to, or the module that "package.module" refers to."""
    module, _, name = reference.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


class EnvId(NamedTuple):
    """An environment id without its namespace, the arguments for creating the environment, and a description."""

    name: str
    settings: Mapping[str, Any]
    about: str


class Preset(NamedTuple):
    """A named set of rules that people can choose."""

    name: str
    about: str


class Option(NamedTuple):
    """An option that a game adds to a command, described in argparse's terms. A switch takes no value."""

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
    """An agent that comes with a game: a reference to its class, a description, and options for its class.

    model: for an agent with the option `model`, a reference to the class that reads model files. Its method
    `load(path, game)` raises a ShoverWorldError if the file is not a model for this game.
    """

    name: str
    reference: str
    about: str
    options: Mapping[str, Any] = {}
    model: str = ""


class Generator(Protocol):
    """A generator of random levels. The same seed and options give the same level on every machine.

    The options are those in `Game.generate_options`, keyed by `dest`. The option "rules" is a preset, changes to
    individual rules, or both (core/rules_text.py), and is written into the levels. An option that was not given is None
    or missing.
    """

    one_file: bool  # whether `--out` is one file for all levels or a folder with a file for each level

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise ConfigError if the options are invalid."""
        ...

    def generate(self, seed: int, options: Mapping[str, Any]) -> Any:
        """Return a level in the form that is stored in `Board.level`."""
        ...

    def suffix(self, options: Mapping[str, Any]) -> str:
        """Return the suffix for level files, such as "txt"."""
        ...

    def write(self, seeds: Sequence[int], options: Mapping[str, Any]) -> list[str | bytes]:
        """Return the contents of the files for the levels with these seeds."""
        ...


class Planner(Protocol):
    """A function that finds a plan from a state of a game."""

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
        """Return a plan from `state` (default: the environment's own state), with actions that `env.step` accepts."""
        ...


class Benchmarks(Protocol):
    """The benchmarks of a game. `groups` yields the lines of `shover bench`, with their target values."""

    def groups(self) -> "Iterable[Group]": ...


class Game:
    """The descriptor of a game. Subclasses set the class attributes.

    `name`, `title`, `ids`, `env`, `levels`, `plan` and `ui` are required. `SmallGame` in games/defaults/ supplies
    `levels`, `plan` and `ui`.
    """

    name: ClassVar[str]  # the name that people type, such as "shover"
    title: ClassVar[str]  # the name that people read, such as "Shover-World"
    goal: ClassVar[str] = ""  # the player's goal, in one sentence
    namespace: ClassVar[str] = "shoverworld"  # namespace of the environment ids
    ids: ClassVar[tuple[EnvId, ...]]
    presets: ClassVar[tuple[Preset, ...]] = (Preset("standard", "The rules of the game."),)
    preset_rules: "Lazy[Mapping[str, GameRules]] | None" = None  # the rules of each preset

    env: Lazy["type[GridEnv]"]
    vector_env: "Lazy[type[VectorEnv]] | None" = None  # None: Gymnasium vectorises the single environment

    # Results
    won: ClassVar[str] = "solved"  # the outcome that counts as a win
    figures: ClassVar[tuple[str, str]] = ("steps", "reward")  # keys of `env.figures()`; a lower first value is better
    maximised: ClassVar[tuple[str, ...]] = ("reward",)  # the figures of which more is better; of all others, less is
    level_word: ClassVar[str] = "level"  # the word for a level of this game, such as "map" or "track"
    solved_word: ClassVar[str] = "solved"  # the word for a level that was won; the prefix "un" negates it
    player_word: ClassVar[str] = "player"  # the word for a player of this game, such as "driver"
    left_word: ClassVar[str] = "to do"  # a description of what `left` counts
    first_success: ClassVar[str] = "first success"  # the name of the event in which `left` first decreases

    # Levels, agents, planning
    levels: Lazy["Levels"]
    read_options: ClassVar[tuple[Option, ...]] = ()  # options of every command that reads level files
    reading: "Lazy[Callable[[Mapping[str, Any]], AbstractContextManager[None]]] | None" = None  # applies `read_options`
    generator: "Lazy[Generator] | None" = None
    generate_options: ClassVar[tuple[Option, ...]] = ()
    generate_examples: ClassVar[tuple[str, ...]] = ()  # example command lines for the help
    plan: Lazy[Planner]
    objectives: ClassVar[tuple[str, ...]] = ("steps",)  # the first is the default
    agents: ClassVar[tuple[AgentEntry, ...]] = ()  # agents other than "random" and "planner", which play every game
    default_agent: ClassVar[str] = "planner"
    learning: "Lazy[Learning] | None" = None  # what `shover learn` and the learned agents need; None: they do not play
    agent_settings: ClassVar[Mapping[str, Any]] = {}  # keyword arguments of the environments in which agents play

    # Commands
    reports: Lazy["Reports"] = Lazy("shoverworld.core.reports:REPORTS")
    solve_options: ClassVar[tuple[Option, ...]] = ()
    solution_files: ClassVar[str] = ""  # what `shover solve --out FILE` writes; "" if the game does not support it
    rule_options: ClassVar[tuple[Option, ...]] = ()  # arguments of the environment that commands offer as options
    multiplayer: ClassVar[bool] = False  # whether players compete in the game (`ui.multiplayer`)

    # People
    ui: Lazy["UI"]

    web: "Lazy[WebModule] | None" = None  # the module that plays the game in a browser; None: the page omits the game

    # Maintenance
    bench: "Lazy[Benchmarks] | None" = None
    warmup: "Lazy[Callable[[], Iterable[Callable[[], Any]]]] | None" = None  # functions that compile everything
    docs: ClassVar[tuple[str, ...]] = ()  # pages in docs/, starting with the page about the environment
    rules_page: ClassVar[str] = ""  # the page that lists the rules that can be set, such as "docs/rules.md"

    @property
    def words(self) -> dict[str, str]:
        """The vocabulary of this game, for messages with placeholders such as "the next un{solved} {level}"."""
        level, player = self.level_word, self.player_word
        return {
            "level": level,
            "levels": f"{level}s",
            "solved": self.solved_word,
            "player": player,
            "players": f"{player}s",
        }

    def left(self, info: Mapping[str, Any]) -> int:
        """Return how much is left to do, according to a step's info. A decrease counts as a success for the agent."""
        return int(info["outcome"] != self.won)

    def env_id(self, id: EnvId) -> str:
        """Return an environment id with its namespace."""
        return f"{self.namespace}/{id.name}"

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The names of the agents to choose from.

        Multiplayer games do not offer the planner, because a fixed plan is of little use against opponents.
        """
        planner = () if self.multiplayer else ("planner",)
        return (*planner, *(agent.name for agent in self.agents), "random")

    @property
    def default_id(self) -> str:
        """The first environment id, with its namespace."""
        return f"{self.namespace}/{self.ids[0].name}"

    def __repr__(self) -> str:
        return f"<Game {self.name}>"
