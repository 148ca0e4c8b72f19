"""Load an agent by name or from a file. Every failure raises an AgentError that explains what to fix."""

import hashlib
import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from importlib.util import module_from_spec, spec_from_file_location
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import Any

from shoverworld.core.errors import AgentError, ShoverWorldError
from shoverworld.core.game import AgentEntry, resolve
from shoverworld.games import all_games, game_named, game_of

from .base import Agent

EVERY_GAME = (  # the agents that play every game; the others are in `Game.agents`
    AgentEntry("random", "shoverworld.agents.base:RandomAgent", "plays random valid actions"),
    AgentEntry("planner", "shoverworld.agents.base:PlanAgent", "finds a whole plan first, then plays it"),
)
IN_FOLDER = "agent.py"  # the file that stands for a folder
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w*))?")
MODEL_SUFFIX = ".npz"


def load(spec: str | PathLike[str], env: Any, **options: Any) -> Agent:
    """Load an agent for this environment. `spec` is a name from `names()` or `path/to/file.py:Class`.

    `learned:path/to/model.npz` is the agent `learned` with another model.

    `:Class` may be omitted if only one class in the file has an `act` method, or if the file has no such class but a
    function `act(obs, info)`. The class is called as `Class(env)`, or
    as `Class()` if it does not take an environment, with the options as keyword arguments. Every failure raises
    AgentError.
    """
    kind, usual = find(spec, game_of(env).name)
    return make(kind, env, {**usual, **options})


def entries(game: str | None = None) -> dict[str, AgentEntry]:
    """Return the packaged agents for a game, keyed by name, or those for all games if `game` is None."""
    games = all_games().values() if game is None else [game_named(game)]
    own = [entry for one in games for entry in one.agents]
    return {entry.name: entry for entry in (*EVERY_GAME, *own)}


def names(game: str | None = None) -> list[str]:
    """Return the names of the packaged agents for a game, or for all games if `game` is None."""
    return list(entries(game))


def about(spec: str, game: str) -> str:
    """Describe an agent for this game in one line, for human readers."""
    entry = entries(game).get(name_of(spec))
    return entry.about if entry else "your own agent"


def find(spec: str | PathLike[str], game: str) -> tuple[type, dict[str, Any]]:
    """Return the agent class that `spec` refers to in this game, and the options of a packaged agent."""
    text = spec_text(spec)
    place = agent_file(text)
    if place is not None:
        path, name = place
        return _class_in(_imported(path), path, name), {}
    entry, model = _packaged(text, game)
    try:
        kind = resolve(entry.reference)
    except (ImportError, AttributeError) as error:
        raise AgentError(f"the agent {entry.name!r} cannot be loaded: {error}") from error
    return kind, {**entry.options, **({"model": model} if model else {})}


def name_of(spec: str | PathLike[str]) -> str:
    """Return the name of a packaged agent in `name` or `name:model.npz`."""
    return spec_text(spec).partition(":")[0]


def _packaged(text: str, game: str | None) -> tuple[AgentEntry, str]:
    """Return the packaged agent that `name` or `name:model.npz` refers to, and the path of the model or ""."""
    _check_name(text, game)
    name, colon, model = text.partition(":")
    entry = entries(game)[name]
    if colon and not entry.model:
        raise AgentError(f"{text}: the agent {name!r} has no model; expected {name}")
    if colon and not model.endswith(MODEL_SUFFIX):
        raise AgentError(
            f"{text}: the name of a model file must end in {MODEL_SUFFIX}, such as {name}:model{MODEL_SUFFIX}; "
            "`shover learn` writes models"
        )
    return entry, model


def search_time(spec: str | PathLike[str], game: str) -> float | None:
    """Return the time limit, in seconds, that a packaged agent sets for its search, or None for every other agent."""
    if agent_file(spec) is not None:
        return None
    limit = inspect.signature(find(spec, game)[0]).parameters.get("time_limit")
    return None if limit is None else float(limit.default)


def _check_name(text: str, game: str | None) -> None:
    name, known = name_of(text), names(game)
    if name not in known and name in names():
        title = game_named(game).title if game else ""
        raise AgentError(f"the agent {name!r} does not play {title}; the agents that do are {', '.join(known)}")
    if name not in known:
        near = get_close_matches(name, known, 2, 0.6)
        hint = f"did you mean {' or '.join(map(repr, near))}? The" if near else "the"
        own = "or path/to/file.py:Class for your own agent"
        raise AgentError(f"there is no agent {text!r}; {hint} agents are {', '.join(known)} ({own})")


def check(spec: str | PathLike[str], game: str | None = None) -> None:
    """Raise an AgentError if the agent does not exist or does not play this game, or if its model cannot be used.

    A Python file is not executed.
    """
    place = agent_file(spec)
    if place is None:
        entry, model = _packaged(spec_text(spec), game)
        if model:
            _check_model(entry, model, game)
    elif not place[0].is_file():
        raise AgentError(_not_a_file(place[0]))


def _check_model(entry: AgentEntry, model: str, game: str | None) -> None:
    try:
        resolve(entry.model).load(model, game)
    except ShoverWorldError as error:
        raise AgentError(str(error)) from error


def spec_text(spec: str | PathLike[str]) -> str:
    if not isinstance(spec, (str, PathLike)):
        raise AgentError(f"an agent is a name ({', '.join(names())}) or path/to/file.py:Class, not {spec!r}")
    return fspath(spec)


def agent_file(spec: str | PathLike[str]) -> tuple[Path, str] | None:
    """Return the file and the class ("" if omitted) in `path/to/file.py:Class`, or None if `spec` is a name.

    A folder with a file agent.py stands for this file.
    """
    text = spec_text(spec)
    match = _FILE.fullmatch(text)
    if match:
        return Path(match["path"]), match["name"] or ""
    if (file := Path(text) / IN_FOLDER).is_file() and text not in names():
        return file, ""
    return None


def is_packaged(spec: str | PathLike[str]) -> bool:
    """Return whether `spec` names a packaged agent of any game, with or without a model."""
    return agent_file(spec) is None and name_of(spec) in names()


def file_of(spec: str | PathLike[str]) -> Path | None:
    """Return the Python file or the model file in `spec`, or None if `spec` is only a name."""
    place = agent_file(spec)
    if place is not None:
        return place[0]
    model = spec_text(spec).partition(":")[2]
    return Path(model) if model else None


def absolute_spec(spec: str) -> str:
    """Return the same agent with an absolute path, for a process with another current folder."""
    place = agent_file(spec)
    return spec if place is None else f"{os.path.abspath(place[0])}:{place[1]}"


def alone_in_folder(spec: str, specs: Iterable[str]) -> bool:
    """Return whether no other agent of the run is in the same folder. Agents must not read one another's files."""
    places = {spec: agent_file(spec) for spec in specs}
    folders = [Path(os.path.abspath(place[0])).parent for place in places.values() if place]
    own = agent_file(spec)
    return own is not None and folders.count(Path(os.path.abspath(own[0])).parent) == 1


def distinct_names(specs: Iterable[str]) -> dict[str, str]:
    """Return a short name for each agent: for a Python file or a model, as much of its path as distinguishes it."""
    candidates = {spec: _short_names(spec) for spec in dict.fromkeys(specs)}
    names: dict[str, str] = {}
    for spec, own in candidates.items():
        taken = {name for other, found in candidates.items() if other != spec for name in found}
        unique = (name for name in own if name not in taken)
        names[spec] = next(unique, spec)  # the same file twice, written differently
    return names


def _short_names(spec: str) -> list[str]:
    """Return the possible names of an agent, from the last part of its path to the whole path."""
    file = file_of(spec)
    if file is None:
        return [spec]
    place = agent_file(spec)
    head = "" if place else f"{name_of(spec)}:"
    tail = f":{place[1]}" if place and place[1] else ""
    parts = Path(os.path.abspath(file)).parts
    return [f"{head}{'/'.join(parts[-depth:])}{tail}" for depth in range(1, len(parts) + 1)]


def make(kind: type, env: Any, options: dict[str, Any], seed: int | None = None) -> Agent:
    """Create an agent with `kind(env, **options)`, or with `kind(**options)` if the class does not take an environment.

    If the class has a parameter called `seed`, the agent gets the given seed, unless `options` contains another one.
    """
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
        raise AgentError(f"{name}{signature} cannot be called{extra}: agents are created with {name}(env) or {name}()")
    try:
        agent = kind(*given, **options)
    except ShoverWorldError as error:
        if kind.__module__.startswith("shoverworld."):  # errors from packaged agents explain what is wrong
            raise AgentError(str(error)) from error
        raise AgentError(f"{name}({'env' if given else ''}) raised {describe_error(error, source(kind))}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{name}({'env' if given else ''}) raised {describe_error(error, source(kind))}") from error
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"{name} has no method act(self, obs, info), which every agent needs")
    _check_arguments(name, agent, "act", "obs", "info")
    if callable(getattr(agent, "reset", None)):
        _check_arguments(name, agent, "reset", "info")
    return agent


def _check_arguments(name: str, agent: Any, method: str, *arguments: str) -> None:
    """Raise AgentError if a method of an agent cannot be called with these arguments."""
    try:
        signature = inspect.signature(getattr(agent, method))
    except ValueError:  # a method that is not written in Python
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        right = f"{method}({', '.join(arguments)})"
        raise AgentError(
            f"{name}.{method}{signature} cannot be called: agents are called with {right}; "
            f"write def {method}(self, {', '.join(arguments)})"
        ) from None


def source(kind: type) -> str | None:
    """Return the file in which a class is defined."""
    try:
        return inspect.getsourcefile(kind)
    except (TypeError, OSError):
        return None


def describe_error(error: BaseException, file: str | None = None) -> str:
    """Describe an exception and the last line of `file` in its traceback: "KeyError: 'x' (mine.py, line 12)"."""
    text = type(error).__name__ + (f": {error}" if str(error) else "")
    text = shortened(text, 300)
    lines = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    own = [place for place in lines if place[0] == file] or lines
    if isinstance(error, SyntaxError) or not own:  # a SyntaxError already includes its line
        return text
    return f"{text} ({Path(own[-1][0]).name}, line {own[-1][1]})"


def shortened(text: str, length: int) -> str:
    """Return the text as one line of at most `length` characters."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "…"


def _not_a_file(path: Path) -> str:
    return f"{path} is a folder; expected a Python file" if path.is_dir() else f"the file {path} does not exist"


def _imported(path: Path) -> ModuleType:
    """Execute the file as a new module, even if it was executed before. The file can import modules from its folder."""
    if not path.is_file():
        raise AgentError(_not_a_file(path))
    path = path.resolve()
    name = f"agent_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path.name} is not a Python file")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # appended, so that a file called random.py does not hide Python's module
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"{path.name} cannot be imported: {describe_error(error, str(path))}") from error
    return module


def _class_in(module: ModuleType, path: Path, name: str) -> type:
    """Return the class with this name, or the only class with an `act` method if the name is "".

    A function `act` becomes a class with this method, and with the function `reset`, if there is one.
    """
    classes = {n: kind for n, kind in vars(module).items() if inspect.isclass(kind)}
    own = {n: kind for n, kind in classes.items() if kind.__module__ == module.__name__}
    there_are = f"it defines {', '.join(own)}" if own else "it defines no classes"
    able = [n for n, kind in own.items() if callable(getattr(kind, "act", None))]
    function = vars(module).get("act")
    if inspect.isfunction(function) and (name == "act" or not (name or able)):
        reset = vars(module).get("reset")
        methods = {"act": function} | ({"reset": reset} if inspect.isfunction(reset) else {})
        members = {name: staticmethod(method) for name, method in methods.items()}
        return type("act", (), {**members, "__module__": module.__name__})
    if name:
        if name not in classes:
            raise AgentError(f"{path.name} has no class {name!r}; {there_are}")
        return classes[name]
    if len(able) != 1:
        if not able:
            raise AgentError(
                f"{path.name} has no class with a method act(self, obs, info) and no function act(obs, info); {there_are}"
            )
        what = f"{len(able)} classes with an act method: {', '.join(able)}"
        raise AgentError(f"{path.name} has {what}; specify one as {path.name}:{able[0]}")
    return own[able[0]]


def _fitting(signature: inspect.Signature, env: Any, options: dict[str, Any]) -> list[Any] | None:
    """Return the positional arguments for a class: `[env]` or `[]`. Return None if the class accepts neither."""
    for arguments in ([env], []):
        try:
            signature.bind(*arguments, **options)
        except TypeError:
            continue
        return arguments
    return None
