"""Check the keyword arguments of `gym.make` and convert them to rules, a size and a `ShoverStart`."""

from dataclasses import replace
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import known, truth, whole, word
from shoverworld.core.config import field_names
from shoverworld.core.errors import ActionError, ConfigError, MapError
from shoverworld.core.grid import framed

from .config import USUAL, Rules, resolve_rules
from .map_sets import padded, read_maps
from .maps import Map
from .observation import OBSERVATIONS, observation_space
from .state import EMPTY, ShoverStart, State, frame_of, start_on

COUNTS = ("number_of_boxes", "number_of_barriers", "number_of_lavas")
SHARES = (0.15, 0.08, 0.05)  # the default for each count, as a fraction of the cells
RULE_NAMES = field_names(Rules)


class ShoverSetup:
    """The settings shared by a series of games: the rules, and either maps or counts for random maps."""

    def __init__(self, keywords: dict[str, Any]):
        own = ("rules", "map_path", "maps", "observation", "solvable", *COUNTS)
        known(keywords, [*own, *RULE_NAMES], "keyword")
        given = {name: value for name, value in keywords.items() if value is not None}
        self.maps = _maps(given)  # the maps on which games start; if empty, maps are random
        self.rules = resolve_rules(given["rules"] if "rules" in given else _rules_of(self.maps)).change_given(given)
        self.observation = word("observation", given.get("observation", "dict"), OBSERVATIONS)
        self.solvable = truth("solvable", given.get("solvable", False))
        if self.maps:
            rows, cols = (max(sizes) for sizes in zip(*((one.rows, one.cols) for one in self.maps), strict=True))
            for name, size in (("n_rows", rows), ("n_cols", cols)):
                if given.get(name, size) != size:
                    what = (
                        f"the map {self.maps[0].name}, where it is" if len(self.maps) == 1 else "the maps, which need"
                    )
                    raise ConfigError(f"{name}={given[name]} does not match {what} {size}; omit {name}")
            self.rules = self.rules.change(n_rows=rows, n_cols=cols)
        self.counts = self._counts([given.get(name) for name in COUNTS])
        self._usual = self._start({})

    def _counts(self, given: list[Any]) -> list[int]:
        cells = self.rules.n_rows * self.rules.n_cols
        asked = [None if n is None else whole(name, n, 0, cells) for name, n in zip(COUNTS, given, strict=True)]
        room = cells - 1 - sum(n for n in asked if n is not None)
        if room < 0:
            raise ConfigError(
                f"{sum(n for n in asked if n is not None)} boxes, barriers and lava cells do not fit on a "
                f"{self.rules.n_rows} x {self.rules.n_cols} map with an empty cell for the shover; "
                f"expected at most {cells - 1}"
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
        given, agent = options.get("map"), options.get("agent")
        maps, first, size = self.maps, 0, self.size
        if maps and isinstance(given, int | np.integer) and not isinstance(given, bool):
            first = whole("options['map']", given, 0, len(maps) - 1)
            maps = maps[first : first + 1]
        elif given is not None:
            chosen = as_map(given)
            maps, first, size = (chosen,), -1, (chosen.rows, chosen.cols)
        if agent is not None:
            maps = (replace(_only(maps), agent=agent),)
        frame = frame_of(self.rules.edge)
        if not maps:
            empty = start_on([framed(np.zeros(size, np.int8), frame)], [None], -1)
            return empty._replace(boxes=self.counts[0], barriers=self.counts[1], lavas=self.counts[2]), size
        boards = [framed(padded(one.grid, size, frame), frame) for one in maps]
        return start_on(boards, [one.agent for one in maps], first), size

    def spaces(self, rows: int, cols: int) -> tuple[spaces.Space, spaces.MultiDiscrete]:
        """Return the observation space and the action space for a map of this size (1.7)."""
        rules = self.rules
        action = spaces.MultiDiscrete([rows, cols, rules.z_count], start=[0, 0, rules.first_z])
        return observation_space(self.observation, rules, rows, cols), action


def _maps(given: dict[str, Any]) -> tuple[Map, ...]:
    if "map_path" in given and "maps" in given:
        raise ConfigError("map_path and maps: expected one of them, not both")
    if "map_path" in given:
        return (Map.read(given["map_path"]),)
    return read_maps(given["maps"]) if "maps" in given else ()


def _only(maps: tuple[Map, ...]) -> Map:
    """Return the map to which the option `agent` applies."""
    if len(maps) == 1:
        return maps[0]
    if maps:
        raise ConfigError("the option 'agent' needs the option 'map', because each reset draws one of several maps")
    raise ConfigError("the option 'agent' needs a map: on a random map, the start cell is random")


def _rules_of(maps: tuple[Map, ...]) -> str:
    """Return the rules in the headers of the maps. Maps that do not specify rules use the default preset."""
    named = sorted({one.rules or USUAL for one in maps})
    if len(named) > 1:
        raise ConfigError(
            f"maps: the maps were made for different rules ({'; '.join(named)}); choose one set of rules with rules=..."
        )
    return named[0] if named else USUAL


def as_map(value: Any) -> Map:
    if isinstance(value, Map):
        return value
    if isinstance(value, str):
        return Map.parse(value, "options['map']")
    if isinstance(value, np.ndarray):
        return Map(value, None, "options['map']")
    raise MapError(
        f"options['map'] must be a Map, a map as a string, an array of cells or an index into `maps`, not {value!r}"
    )


def checked_place(position: Any, grid: np.ndarray, walker: tuple[int, int] | None) -> tuple[int, int]:
    """Check and return the cell on which `place` puts the shover. A walker needs a path of empty cells to this cell."""
    try:
        row, col = (index(number) for number in position)
    except (TypeError, ValueError):
        raise ActionError(f"place({position!r}): expected (row, col), two integers") from None
    rows, cols = grid.shape
    if not (0 <= row < rows and 0 <= col < cols) or grid[row, col] != EMPTY:
        raise ActionError(f"place({position!r}): not an empty cell of the {rows} x {cols} map")
    if walker is not None and not free_path(grid, walker, (row, col)):
        raise ActionError(f"place({position!r}): no path of empty cells leads there from {walker}")
    return row, col


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


def mark_at_shover(masks: np.ndarray, state: State, rules: Rules) -> None:
    """Where the position in an action does not matter, leave only the action at the shover's own cell marked.

    masks: bool (games, rows, cols, z).
    """
    game, z = np.arange(len(masks))[:, np.newaxis], np.array(rules.without_position)
    row, col = (state.game[name][:, np.newaxis] for name in ("row", "col"))
    kept = masks[game, row, col, z]
    masks[..., z] = False
    masks[game, row, col, z] = kept
