"""Moves of the race as the digits of the number pad: 5 keeps the velocity, 6 accelerates to the right, and so on."""

import re

from shoverworld.core.env import GridEnv
from shoverworld.core.ui import Act, Place

from ..phrases import KEYS
from ..state import RaceState

separator = ""
about = "the keys of the number pad, 1 to 9"
_TEXT = re.compile(r"[1-9\s]*[1-9][1-9\s]*")


def symbol(env: GridEnv, state: RaceState, intent: Act | Place) -> str:
    return KEYS[int(intent.action)] if isinstance(intent, Act) else ""  # type: ignore[arg-type]


def split(text: str) -> list[str] | None:
    return list("".join(text.split())) if _TEXT.fullmatch(text) else None


def intent(env: GridEnv, state: RaceState, symbol: str) -> Act | Place:
    return Act(KEYS.index(symbol))
