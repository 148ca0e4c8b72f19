"""Registers the environment ids of all games with Gymnasium.

The ids are registered as soon as both this package and Gymnasium have been imported, in either order. This package does
not import Gymnasium just to register them, so `shover --help` responds immediately. The registration sets no step
limit, because the step limit is part of each game's rules.
"""

import re
import sys
import warnings
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

from .core.game import EnvId, Game, Lazy, registered_ids
from .games import all_games


class Entry(NamedTuple):
    """An environment id and the game that the id belongs to."""

    game: Game
    env_id: EnvId

    @property
    def id(self) -> str:
        return self.game.env_id(self.env_id)

    @property
    def name(self) -> str:
        return self.env_id.name


def entries() -> list[Entry]:
    """Return the ids of all games."""
    return [Entry(game, id) for game in all_games().values() for id in game.ids]


def register_when_possible() -> None:
    """Register the ids now if Gymnasium has been imported, or else as soon as Gymnasium is imported."""
    if hasattr(sys.modules.get("gymnasium"), "register"):
        register_all()
    elif not any(isinstance(finder, _GymnasiumFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _GymnasiumFinder())


def register_all() -> None:
    """Register the ids that are missing. An environment is not imported or compiled until it is created."""
    import gymnasium  # already imported at this point

    registered_ids[:] = [entry.id for entry in entries()]
    for entry in entries():
        if entry.id not in gymnasium.registry:
            gymnasium.register(
                entry.id,
                entry_point=_reference(entry.game, "env"),
                vector_entry_point=_reference(entry.game, "vector_env"),
                kwargs=dict(entry.env_id.settings),
                order_enforce=False,  # the environment itself reports a missing reset
            )
    # In some games the version denotes a size, as in gym-sokoban. Gymnasium would report all versions except the
    # latest one as outdated.
    for namespace in {game.namespace for game in all_games().values()}:
        warnings.filterwarnings("ignore", f".*environment {re.escape(namespace)}/.* is out of date", DeprecationWarning)


def _reference(game: Game, part: str) -> str | None:
    """Return the "module:name" reference to a lazily imported part of a game, or None if the game has no such part."""
    for kind in type(game).__mro__:
        if part in vars(kind):
            lazy: Any = vars(kind)[part]
            return lazy.reference if isinstance(lazy, Lazy) else lazy
    return None


class _GymnasiumFinder:
    """An import hook that registers the ids right after Gymnasium is imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                register_all()

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
