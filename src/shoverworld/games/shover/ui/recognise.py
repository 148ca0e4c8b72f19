"""The board of a game that is already there, such as that of a replay."""

from dataclasses import replace
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.ui import Board

from ..config import PRESETS
from ..maps import Map
from .places import bundled_boards


def recognise(env: GridEnv) -> Board:
    """The board of an environment that was just reset; its preset is "" when the rules are those of none. One that came
    with the package has the name and the words it has there."""
    rules: Any = getattr(env, "rules", None)
    size = {"n_rows": rules.n_rows, "n_cols": rules.n_cols}  # the map has it
    preset = next((name for name, usual in PRESETS.items() if usual.change(**size) == rules), "")
    level = Map.parse(env.map_text(), "replay")
    for known in bundled_boards():
        if (known.level.grid.tolist(), known.level.agent or level.agent) == (level.grid.tolist(), level.agent):
            return replace(known, preset=preset, level=level)
    return Board("replay", preset, level)
