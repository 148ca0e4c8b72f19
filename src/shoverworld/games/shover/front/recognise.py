"""The board of a game that is already there, such as that of a replay."""

from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.front import Board

from ..config import PRESETS
from ..maps import Map


def recognise(env: GridEnv) -> Board:
    """The board of an environment that was just reset; its preset is "" when the rules are those of none."""
    rules: Any = getattr(env, "rules", None)
    size = {"n_rows": rules.n_rows, "n_cols": rules.n_cols}  # the map has it
    preset = next((name for name, usual in PRESETS.items() if usual.change(**size) == rules), "")
    return Board("replay", preset, Map.parse(env.map_text(), "replay"))
