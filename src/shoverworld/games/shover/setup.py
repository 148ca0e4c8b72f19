"""Check the keywords of `gym.make` and convert them to rules, a size and a `ShoverStart`."""

from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import known, truth, whole
from shoverworld.core.config import field_names
from shoverworld.core.errors import ConfigError, MapError
from shoverworld.core.grid import framed

from .config import USUAL, Rules, resolve_rules
from .maps import Map
from .state import BARRIER, EMPTY, LAVA, ShoverStart, frame_of

COUNTS = ("number_of_boxes", "number_of_barriers", "number_of_lavas")
SHARES = (0.15, 0.08, 0.05)  # the default for each count, as a fraction of the cells
RULE_NAMES = field_names(Rules)


class ShoverSetup:
    """The settings shared by a series of games: the rules, and either one map or counts for random maps."""

    def __init__(self, keywords: dict[str, Any]):
        own = ("rules", "map_path", "solvable", *COUNTS)
        known(keywords, [*own, *RULE_NAMES], "keyword")
        given = {name: value for name, value in keywords.items() if value is not None}
        self.map = Map.read(given["map_path"]) if "map_path" in given else None
        usual = (self.map.rules if self.map else None) or USUAL
        self.rules = resolve_rules(given.get("rules", usual)).change_given(given)
        self.solvable = truth("solvable", given.get("solvable", False))
        if self.map:
            for name, size in (("n_rows", self.map.rows), ("n_cols", self.map.cols)):
                if given.get(name, size) != size:
                    raise ConfigError(
                        f"{name}={given[name]} does not fit the map {self.map.name}, which has {size}; leave it out"
                    )
            self.rules = self.rules.change(n_rows=self.map.rows, n_cols=self.map.cols)
        self.counts = self._counts([given.get(name) for name in COUNTS])
        self._usual = self._start({})

    def _counts(self, given: list[Any]) -> list[int]:
        cells = self.rules.n_rows * self.rules.n_cols
        asked = [None if n is None else whole(name, n, 0, cells) for name, n in zip(COUNTS, given, strict=True)]
        room = cells - 1 - sum(n for n in asked if n is not None)
        if room < 0:
            raise ConfigError(
                f"{sum(n for n in asked if n is not None)} boxes, barriers and lavas and the shover do not fit on "
                f"{self.rules.n_rows} x {self.rules.n_cols} = {cells} cells; expected at most {cells - 1}"
            )
        counts = []
        for n, share in zip(asked, SHARES, strict=True):
            if n is None:
                n = min(room, round(share * cells)) if counts else min(room, max(1, round(share * cells)))
                room -= n
            counts.append(n)
        return counts

    @property
    def size(self) -> tuple[int, int]:
        return self.rules.n_rows, self.rules.n_cols

    def start(self, options: dict[str, Any]) -> tuple[ShoverStart, tuple[int, int]]:
        """Return the start and map size of the next game. The options of `reset` are `map` and `agent` (row, col)."""
        if options == {}:
            return self._usual
        known(options, ["map", "agent"], "option")
        return self._start(options)

    def _start(self, options: dict[str, Any]) -> tuple[ShoverStart, tuple[int, int]]:
        chosen = as_map(options["map"]) if options.get("map") is not None else self.map
        agent = options.get("agent")
        if chosen is None:
            if agent is not None:
                raise ConfigError("the option agent needs a map: a random map places the shover itself")
            return ShoverStart(
                framed(np.zeros(self.size, np.int8), frame_of(self.rules.edge)), -1, -1, *self.counts
            ), self.size
        if agent is not None:
            chosen = replace(chosen, agent=agent)
        row, col = chosen.agent or (-1, -1)
        return ShoverStart(framed(chosen.grid, frame_of(self.rules.edge)), row, col, -1, 0, 0), (
            chosen.rows,
            chosen.cols,
        )

    def spaces(self, rows: int, cols: int) -> tuple[spaces.Dict, spaces.MultiDiscrete]:
        """Return the observation space and the action space for a map of this size (1.7)."""
        rules = self.rules
        corner = np.array([rows - 1, cols - 1], np.int64)
        observation = spaces.Dict(
            {
                "grid": spaces.Box(LAVA, BARRIER, (rows, cols), np.int8),
                "agent": spaces.Box(np.zeros(2, np.int64), corner, dtype=np.int64),
                "direction": spaces.Discrete(4),
                "stamina": spaces.Box(-np.inf, np.inf, (), np.float64),
                "previous_selected_position": spaces.Box(np.full(2, -1, np.int64), corner, dtype=np.int64),
                "previous_action": spaces.Box(-1, rules.first_z + rules.z_count - 1, (), np.int64),
            }
        )
        action = spaces.MultiDiscrete([rows, cols, rules.z_count], start=[0, 0, rules.first_z])
        return observation, action


def as_map(value: Any) -> Map:
    if isinstance(value, Map):
        return value
    if isinstance(value, str):
        return Map.parse(value, "options['map']")
    if isinstance(value, np.ndarray):
        return Map(value, None, "options['map']")
    raise MapError(f"options['map'] must be a Map, its text, or an array of cells, not {value!r}")


def free_path(grid: np.ndarray, start: tuple[int, int], goal: tuple[int, int]) -> bool:
    """Return whether a path of empty cells leads from start to goal."""
    return goal in reached(grid, start)


def reached(grid: np.ndarray, start: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the cells that can be reached from the start over empty cells, including the start itself."""
    rows, cells = grid.tolist(), {start}
    border = [start]
    while border:
        row, col = border.pop()
        for cell in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)):
            inside = 0 <= cell[0] < len(rows) and 0 <= cell[1] < len(rows[0])
            if inside and rows[cell[0]][cell[1]] == EMPTY and cell not in cells:
                cells.add(cell)
                border.append(cell)
    return cells
