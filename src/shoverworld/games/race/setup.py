"""Check the keyword arguments of `gym.make` for a race, and convert them to rules, tracks and spaces."""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import known, whole
from shoverworld.core.config import field_names
from shoverworld.core.errors import ConfigError
from shoverworld.core.rules_text import parse_rules

from . import record
from .codes import FINISH, LARGEST_SIDE, OFF
from .config import RULES, USUAL, RaceRules
from .observation import DEFAULT_PARTS, checked_parts, checked_radius, observation_space
from .store import TrackBank, make_bank
from .tracks import Track

ANY = -1  # stands for a random track
DEFAULT_TRACK, DEFAULT_VIEW = "01-straight", 5
RULE_NAMES = field_names(RaceRules)


class RaceStart(NamedTuple):
    """The start of a race: the track and the start cells of the cars."""

    bank: TrackBank
    place: int  # index of the track in the bank, or ANY
    cells: np.ndarray | None = None  # int64 (cars, 2): the start cell (x, y) of each car; None for random cells


class RaceSetup:
    """The fixed settings that a series of races shares: the rules, the tracks and the observation."""

    def __init__(self, keywords: dict[str, Any]):
        known(keywords, ["track", "rules", "observation", "view", *RULE_NAMES], "keyword")
        given = {name: value for name, value in keywords.items() if value is not None}
        self.tracks = _tracks(given.get("track", DEFAULT_TRACK))
        self.rules = _rules(given, self.tracks)
        self.observation = checked_parts(given.get("observation", DEFAULT_PARTS))
        self.view = checked_radius(given.get("view", DEFAULT_VIEW))
        self.bank = make_bank(self.tracks)
        if "track" in given:  # if no track is given, each reset may provide a map
            self._enough_starts(self.tracks)

    def __deepcopy__(self, memo: dict) -> "RaceSetup":
        return self

    def _enough_starts(self, tracks: Sequence[Track]) -> None:
        for track in tracks:
            if len(track.starts) < self.rules.cars:
                raise ConfigError(
                    f"cars={self.rules.cars}: {track.name} has only {len(track.starts)} start cell"
                    f"{'s' * (len(track.starts) != 1)}; use fewer cars or a track with more start cells"
                )

    def start(self, options: Any = None, like: TrackBank | None = None) -> RaceStart:
        """Return the start of a race with these `reset` options. `like` is the fixed bank of a batch."""
        options = {} if options is None else options
        known(options, ["track", "map", "starts"], "option")
        place, given, cells = options.get("track"), options.get("map"), options.get("starts")
        if given is not None:
            return self._start_on_map(given, place, cells, like)
        place = ANY if place is None else whole("options['track']", place, 0, len(self.tracks) - 1)
        if cells is None:
            self._enough_starts(self.tracks)
            return RaceStart(self.bank, place)
        if place == ANY and len(self.tracks) > 1:
            raise ConfigError("options['starts']: there are several tracks; choose one with options['track']")
        place = max(place, 0)
        return RaceStart(self.bank, place, self._checked_cells(cells, self.tracks[place]))

    def _start_on_map(self, given: Any, place: Any, cells: Any, like: TrackBank | None) -> RaceStart:
        if place is not None:
            raise ConfigError("options: expected a 'track' or a 'map', not both")
        if not isinstance(given, str | Track):
            raise ConfigError(f"options['map']={given!r:.60}: must be a string or a Track")
        track, written = (given, None) if isinstance(given, Track) else record.read_map(given)
        cells = written if cells is None else cells
        if like is not None and track not in self.tracks:
            raise ConfigError("options['map']: a batch cannot change its tracks; pass this map as track=")
        start = RaceStart(make_bank([track]), 0) if like is None else RaceStart(like, self.tracks.index(track))
        if cells is None:
            self._enough_starts([track])
            return start
        return start._replace(cells=self._checked_cells(cells, track))

    def _checked_cells(self, given: Any, track: Track) -> np.ndarray:
        """Check the start cells: one cell on the track for each car, all different, none on the finish."""
        try:
            cells = tuple((_whole_cell(x), _whole_cell(y)) for x, y in given)
            if len(cells) != self.rules.cars:
                raise ValueError
        except (TypeError, ValueError):
            raise ConfigError(
                f"starts={given!r:.60}: must be {self.rules.cars} cell{'s' * (self.rules.cars != 1)} (x, y), "
                "one for each car"
            ) from None
        for x, y in cells:
            there = int(track.cells[y, x]) if 0 <= x < track.cols and 0 <= y < track.rows else OFF
            if there in (OFF, FINISH):
                what = "a finish cell" if there == FINISH else "off the track"
                raise ConfigError(f"starts: ({x}, {y}) is {what}; a car must start on a start or track cell")
            if cells.count((x, y)) > 1:
                raise ConfigError(f"starts: two cars at ({x}, {y}); each car needs its own cell")
        return np.array(cells, np.int64)

    def observation_space(self, bank: TrackBank) -> spaces.Dict:
        return observation_space(self.observation, self.view, bank, self.rules.penalty)


def _whole_cell(number: Any) -> int:
    """Check one coordinate of a cell."""
    return whole("starts", number, -LARGEST_SIDE, LARGEST_SIDE)


def _rules(given: dict[str, Any], tracks: Sequence[Track]) -> RaceRules:
    """Return the rules from the `rules` argument, the rules that all track headers agree on, or the default rules.

    The arguments for individual rules change these rules.
    """
    named = {track.rules for track in tracks}
    whole_rules = given.get("rules", (len(named) == 1 and named.pop()) or USUAL)
    if not isinstance(whole_rules, str | RaceRules):
        raise ConfigError(f"rules={whole_rules!r:.60}: must be a RaceRules, e.g. RaceRules(line='supercover')")
    if isinstance(whole_rules, str):
        try:
            whole_rules = parse_rules(whole_rules, RULES)
        except ConfigError as reason:
            raise ConfigError(f"rules={whole_rules!r:.60}: must be a RaceRules or a string ({reason})") from None
    return whole_rules.change_given(given)


def _tracks(given: Any) -> tuple[Track, ...]:
    """Return the tracks that the `track` argument specifies."""
    if isinstance(given, Track | str | os.PathLike):
        given = [given]
    if not isinstance(given, Sequence) or not given or not all(isinstance(t, Track | str | os.PathLike) for t in given):
        raise ConfigError(
            f"track={given!r:.60}: must be a Track, the name of a bundled track, a file path, or a list of these"
        )
    return tuple(track if isinstance(track, Track) else Track.read(track) for track in given)
