"""How well a map was cleared, and the best plans known for the bundled and the benchmark maps (benchmarks/best.py)."""

import json
from functools import cache
from pathlib import Path

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Score

from ..state import OUTCOMES, State

FILE = Path(__file__).parent.parent / "best.json"


def score(state: State) -> Score | None:
    """Of a game that is cleared."""
    game = game_numbers(state)
    if OUTCOMES[game["outcome"]] != "cleared":
        return None
    return score_of(int(game["timestep"]), float(game["stamina"]))


def score_of(steps: int, stamina: float, proved: bool = False) -> Score:
    """Fewer steps; with as many steps, more stamina left."""
    words = "1 step" if steps == 1 else f"{steps} steps"
    return Score((steps, -stamina), f"{words}, stamina {stamina:g}", proved)


def best_known(identity: str) -> Score | None:
    found = _all().get(identity)
    return None if found is None else score_of(int(found[0]), float(found[1]), bool(found[2]))


@cache
def _all() -> dict[str, list]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
