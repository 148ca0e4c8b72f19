"""From a name or a file to an agent, with an error that a student can act upon for everything that can go wrong."""

import hashlib
import inspect
import re
import sys
import traceback
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import Any

from shoverworld.core.errors import AgentError, ShoverWorldError

from .base import Agent
from .games import TITLES, game_of

# The agents that come with the package: for each game they play, where the class is and the options it is made with.
Home = tuple[str, dict[str, Any]]
ANY = "any"  # game
NAMES: dict[str, dict[str, Home]] = {
    "random": {ANY: ("shoverworld.agents.base:RandomAgent", {})},
    "greedy": {
        "shover": ("shoverworld.agents.greedy:GreedyAgent", {}),
        "race": ("shoverworld.agents.race_greedy:RaceGreedyAgent", {}),
    },
    "phase2-astar": {"shover": ("shoverworld.agents.phase2:Phase2Agent", {"algorithm": "astar"})},
    "phase2-rbfs": {"shover": ("shoverworld.agents.phase2:Phase2Agent", {"algorithm": "rbfs"})},
    "planner": {
        "shover": ("shoverworld.agents.plan:PlanAgent", {}),
        "sokoban": ("shoverworld.agents.sokoban_plan:SokobanPlanAgent", {}),
    },
    "optimal": {"race": ("shoverworld.agents.race_optimal:RaceOptimalAgent", {})},
    "racer": {"race": ("shoverworld.agents.race_racer:RaceRacerAgent", {})},
}
# What they are, in a line for people.
ABOUT = {
    "planner": "finds a whole plan first, then plays it",
    "greedy": "looks one step ahead",
    "optimal": "makes the fewest moves, as if it were alone",
    "racer": "plans around the other cars",
    "phase2-astar": "the Phase 2 report's: rules, and A* search",
    "phase2-rbfs": "the Phase 2 report's: rules, and RBFS search",
    "random": "any valid action, by chance",
}
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w*))?")


def load(spec: str | PathLike[str], env: Any, **options: Any) -> Agent:
    """An agent for this environment: a name of `NAMES`, or `path/to/file.py:Class`.

    `:Class` can be left out when only one class in the file has an `act`. The class is made as `Class(env)`, or as
    `Class()` when it takes no environment; options are handed on. Every failure is an AgentError.
    """
    kind, usual = find(spec, game_of(env))
    return make(kind, env, {**usual, **options})


def names(game: str | None = None) -> list[str]:
    """The agents that play this game; all of them when none is named."""
    return [name for name, homes in NAMES.items() if game is None or ANY in homes or game in homes]


def find(spec: str | PathLike[str], game: str) -> tuple[type, dict[str, Any]]:
    """The class that a name or a file stands for in this game, and the options that belong to the name."""
    text = spec_text(spec)
    place = agent_file(text)
    if place is not None:
        path, name = place
        return _class_in(_imported(path), path, name), {}
    _check_name(text, game)
    home, options = NAMES[text].get(game) or NAMES[text][ANY]
    module, _, name = home.partition(":")
    try:
        return getattr(import_module(module), name), options
    except (ImportError, AttributeError) as error:
        raise AgentError(f"the agent {text!r} cannot be loaded: {error}") from error


def _check_name(text: str, game: str | None) -> None:
    if text not in NAMES:
        near = get_close_matches(text, NAMES, 2, 0.5)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(names(game))}"
        raise AgentError(f"there is no agent {text!r}; {hint} (or path/to/file.py:Class for your own)")
    if text not in names(game):
        title = TITLES.get(game or "", game)
        raise AgentError(f"the agent {text!r} does not play {title}; those that do are {', '.join(names(game))}")


def check(spec: str | PathLike[str], game: str | None = None) -> None:
    """An AgentError when there is no such agent, or none for this game. An agent from a file is not run for this: who
    knows what it does."""
    place = agent_file(spec)
    if place is None:
        _check_name(spec_text(spec), game)
    elif not place[0].is_file():
        raise AgentError(f"there is no file {place[0]}" + (": it is a folder" if place[0].is_dir() else ""))


def spec_text(spec: str | PathLike[str]) -> str:
    if not isinstance(spec, (str, PathLike)):
        raise AgentError(f"an agent is a name ({', '.join(NAMES)}) or path/to/file.py:Class, not {spec!r}")
    return fspath(spec)


def agent_file(spec: str | PathLike[str]) -> tuple[Path, str] | None:
    """The file and the class ("" when left out) of `path/to/file.py:Class`; None when this is no such thing."""
    match = _FILE.fullmatch(spec_text(spec))
    return (Path(match["path"]), match["name"] or "") if match else None


def make(kind: type, env: Any, options: dict[str, Any], seed: int | None = None) -> Agent:
    """`kind(env, **options)`, or without env when it takes none. A parameter `seed` that no option sets gets this one."""
    name = kind.__name__
    try:
        signature = inspect.signature(kind)
    except ValueError:  # a class that is not written in Python
        signature = inspect.signature(lambda env: None)
    if seed is not None and "seed" in signature.parameters:
        options = {"seed": seed, **options}
    given = _fitting(signature, env, options)
    if given is None:
        extra = f" with {', '.join(f'{k}={v!r}' for k, v in options.items())}" if options else ""
        raise AgentError(f"{name}{signature} cannot be made{extra}: an agent is made as {name}(env) or {name}()")
    try:
        agent = kind(*given, **options)
    except ShoverWorldError as error:
        if kind.__module__.startswith("shoverworld."):  # one of ours says itself what is wrong
            raise AgentError(str(error)) from error
        raise AgentError(f"{name}({'env' if given else ''}) raised {told(error, source(kind))}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{name}({'env' if given else ''}) raised {told(error, source(kind))}") from error
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"{name} has no method act(self, obs, info): an agent needs one")
    return agent


def source(kind: type) -> str | None:
    """The file a class is written in."""
    try:
        return inspect.getsourcefile(kind)
    except (TypeError, OSError):
        return None


def told(error: BaseException, file: str | None = None) -> str:
    """What was raised, and the last line of this file that had a part in it: "KeyError: 'x' (mine.py, line 12)"."""
    text = type(error).__name__ + (f": {error}" if str(error) else "")
    text = shortened(text, 300)
    lines = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    own = [place for place in lines if place[0] == file] or lines
    if isinstance(error, SyntaxError) or not own:  # the former names its line itself
        return text
    return f"{text} ({Path(own[-1][0]).name}, line {own[-1][1]})"


def shortened(text: str, length: int) -> str:
    """As one line of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "…"


def _imported(path: Path) -> ModuleType:
    """The file, run as a module of its own, anew each time; what lies beside it can be imported by it."""
    if not path.is_file():
        raise AgentError(f"there is no file {path}" + (": it is a folder" if path.is_dir() else ""))
    path = path.resolve()
    name = f"agent_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path.name} is no Python file")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # last: a file called random.py must not take the place of Python's own
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"{path.name} cannot be imported: {told(error, str(path))}") from error
    return module


def _class_in(module: ModuleType, path: Path, name: str) -> type:
    """The class of that name, or the only one that can act."""
    classes = {n: kind for n, kind in vars(module).items() if inspect.isclass(kind)}
    own = {n: kind for n, kind in classes.items() if kind.__module__ == module.__name__}
    there_are = f"it has {', '.join(own)}" if own else "it has no class at all"
    if name:
        if name not in classes:
            raise AgentError(f"{path.name} has no class {name!r}; {there_are}")
        return classes[name]
    able = [n for n, kind in own.items() if callable(getattr(kind, "act", None))]
    if len(able) != 1:
        what = f"{len(able)} classes with an act: {', '.join(able)}" if able else f"no class with an act; {there_are}"
        raise AgentError(f"{path.name} has {what}; name one as {path.name}:{able[0] if able else 'Class'}")
    return own[able[0]]


def _fitting(signature: inspect.Signature, env: Any, options: dict[str, Any]) -> list[Any] | None:
    """The positional arguments a class is to be made with: the environment, or nothing; None when neither fits."""
    for arguments in ([env], []):
        try:
            signature.bind(*arguments, **options)
        except TypeError:
            continue
        return arguments
    return None
