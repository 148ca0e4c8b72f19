"""Set up games: turn the arguments of `gym.make` into rules, spaces, and levels or settings for generated rooms."""

import os
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import known, suggesting, whole, with_suggestion, word
from shoverworld.core.config import field_names
from shoverworld.core.errors import ConfigError, LevelNotFound

from . import record, rooms
from .config import SokobanRules
from .level_sequence import LevelSequence, read_level_sequence
from .level_sets import boxoban_folder, packaged
from .level_sets import names as set_names
from .levels import Level
from .observation import OBSERVATIONS, observation_space
from .presets import BOXOBAN, RANDOM, preset_rules
from .store import LevelBank, empty_bank, make_bank, name_of, solution_of
from .two_players import for_two

ANY = -1  # stands for a random level
RULE_NAMES = field_names(SokobanRules)


class SokobanStart(NamedTuple):
    """The start of a game: a stored level, a random stored level (ANY), or a generated room (if the bank is empty)."""

    bank: LevelBank
    place: int
    level: Level | None = None  # the level given by options["map"]


class SokobanSetup:
    """The immutable setup of a series of games: the rules, and either levels or settings for generating rooms."""

    def __init__(self, keywords: dict[str, Any]):
        known(keywords, ["levels", "rules", "observation", "min_score", "min_pushes", *RULE_NAMES], "keyword")
        given = {name: value for name, value in keywords.items() if value is not None}
        self.rules = _rules(given)
        self.observation = word("observation", given.get("observation", "planes"), OBSERVATIONS)
        difficulty = {name: given[name] for name in ("min_score", "min_pushes") if name in given}
        self.levels = _with_players(_levels(given.get("levels"), self.rules.players), self.rules.players)
        self.numbers: rooms.RoomNumbers | None = None
        if self.levels is None:
            self.numbers = rooms.room_numbers(self.rules, **difficulty)
            self.bank = empty_bank(*self.rules.dim_room)
        else:
            for name, value in difficulty.items():
                if whole(name, value, 0, 2**31 - 1):
                    raise ConfigError(
                        f"{name}={value}: applies only to generated rooms, but levels are given; leave one of them out"
                    )
            self.bank = self._stored(given)
        self.usual = SokobanStart(self.bank, ANY)

    def _stored(self, given: dict[str, Any]) -> LevelBank:
        """Return the levels as arrays. Each must fit into `dim_room` and have `num_boxes` boxes, if these are given."""
        levels: Any = self.levels
        if not len(levels):
            raise ConfigError("levels: expected at least one level, not an empty collection")
        bank = make_bank(levels, self.rules, self.rules.dim_room if "dim_room" in given else None)
        if "num_boxes" in given and (other := np.flatnonzero(bank.boxes != self.rules.num_boxes)).size:
            odd = levels[int(other[0])]
            raise ConfigError(
                f"num_boxes={self.rules.num_boxes} does not match {name_of(odd)}, which has {odd.box_count}; "
                "omit num_boxes"
            )
        return bank

    def __deepcopy__(self, memo: dict) -> "SokobanSetup":
        return self

    @property
    def is_drawn(self) -> bool:
        return self.numbers is not None

    def start(self, options: Any, size: tuple[int, int] | None = None) -> SokobanStart:
        """Return the start of a game with these `reset` options. `size` is the required room size, if any."""
        if not options:
            return self.usual
        known(options, ["level", "map"], "option")
        place, given = options.get("level"), options.get("map")
        if given is None:
            return self.usual if place is None else SokobanStart(self.bank, self._place(place))
        if place is not None:
            raise ConfigError("options: expected a 'level' or a 'map', not both")
        if not isinstance(given, str | Level):
            raise ConfigError(f"options['map']={given!r:.60}: must be a string or a Level")
        level = given if isinstance(given, Level) else record.read_map(given)
        level = for_two(level) if self.rules.players == 2 else level
        return SokobanStart(make_bank([level], self.rules, size), 0, level)

    def _place(self, place: Any) -> int:
        if self.levels is None:
            raise ConfigError(f"options['level']={place!r}: this game generates its rooms and has no levels")
        return whole("options['level']", place, 0, len(self.levels) - 1)

    def solution(self, place: int) -> str:
        """Return the solution to a level in LURD letters, or "" if the level has none that is valid under the rules."""
        if not self.levels or (isinstance(self.levels, LevelSequence) and not self.levels.solution(place)):
            return ""
        return solution_of(self.levels[place], self.rules)

    def observation_space(self, size: tuple[int, int], largest_number: int) -> spaces.Box:
        return observation_space(self.observation, size, self.rules.players, largest_number)

    def largest_number(self, bank: LevelBank) -> int:
        """Return the largest box number in games from this bank, or 1 if boxes have no numbers."""
        if len(bank.boxes):
            return bank.largest_number
        return self.rules.num_boxes if self.rules.fixed_targets else 1


_workspaces = threading.local()


def workspace_of(numbers: rooms.RoomNumbers) -> Any:
    """Return scratch memory for generating rooms.

    Environments share this memory if they run in the same thread and generate the same kind of room.
    """
    if getattr(_workspaces, "numbers", None) != numbers:
        _workspaces.numbers, _workspaces.workspace = numbers, rooms.new_workspace(numbers)
    return _workspaces.workspace


def _rules(given: dict[str, Any]) -> SokobanRules:
    """Return the rules given by an id or a rules object, with the values of individual arguments applied."""
    whole_rules = given.get("rules", SokobanRules())
    if isinstance(whole_rules, str):
        whole_rules = preset_rules(whole_rules)
    if not isinstance(whole_rules, SokobanRules):
        raise ConfigError(f"rules={whole_rules!r}: must be a SokobanRules, or an environment id, e.g. 'Sokoban-v1'")
    return whole_rules.change_given(given)


def _levels(given: Any, players: int) -> Sequence[Level] | None:
    """Return the levels that the argument `levels` specifies, or None if rooms are generated."""
    if given is None or (isinstance(given, str) and given == RANDOM):
        return None
    if isinstance(given, Level):
        return (given,)
    if isinstance(given, str | os.PathLike):
        return levels_named(os.fspath(given), players)
    if isinstance(given, LevelSequence):
        return given
    if isinstance(given, Sequence) and given and all(isinstance(level, Level) for level in given):
        return tuple(given)
    raise ConfigError(
        f"levels={given!r:.60}: must be a Level, a list of levels, the path of a file or folder, or the name of a "
        f"packaged set ({', '.join(set_names())})"
    )


def _with_players(levels: Sequence[Level] | None, players: int) -> Sequence[Level] | None:
    """Return the levels. If the rules are for two players, add a second player to every level that has only one."""
    return tuple(map(for_two, levels)) if levels and players == 2 else levels


def levels_named(name: Any, players: int) -> Sequence[Level]:
    """Return the levels of a file, a folder, a packaged set, or a part of Boxoban such as "boxoban:medium/valid"."""
    wanted = None if players == 2 else 1
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    if name.startswith(BOXOBAN):
        return read_level_sequence(boxoban_folder(name.removeprefix(BOXOBAN)), wanted)
    if name in set_names():
        return tuple(packaged(name))
    try:
        return read_level_sequence(name, wanted)
    except LevelNotFound:
        others = (
            f"the packaged sets are {', '.join(set_names())}; "
            f"for levels from Boxoban, use a name such as {BOXOBAN}unfiltered/valid"
        )
        messages = with_suggestion("not a file, a folder of levels or a packaged set; ", others)
        raise LevelNotFound.at(suggesting(messages, name, set_names()), name) from None
