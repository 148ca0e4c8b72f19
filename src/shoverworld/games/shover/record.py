"""What a replay keeps of a game of Shover-World: how to make it again, its map, and a few words a step."""

from dataclasses import asdict, fields
from typing import Any

import gymnasium

from shoverworld.core.grid import DIRECTIONS

from .config import PRESETS, Rules
from .hashing import game_numbers
from .maps import Map
from .state import State

NAMESPACE, USUAL_ID = "shoverworld/", "shoverworld/ShoverWorld-v0"
SPECIALS = ("barrier maker", "hellify")


def recipe(rules: Rules, env_id: str | None) -> tuple[str, dict[str, Any]]:
    """An id and the keywords that differ from its preset, or from another preset when that is shorter.

    An id that someone else has registered is not known elsewhere, so one of ours stands in for it.
    """
    env_id = env_id if env_id and env_id.startswith(NAMESPACE) and env_id in gymnasium.registry else USUAL_ID
    own = gymnasium.spec(env_id).kwargs["rules"]
    preset = min([own, *PRESETS], key=lambda name: len(_differences(rules, PRESETS[name])))
    named = {} if preset == own else {"rules": preset}
    return env_id, {**named, **_differences(rules, PRESETS[preset])}


def _differences(rules: Rules, preset: Rules) -> dict[str, Any]:
    """The size is left out: the map has it. A reward that differs is told in full."""
    names = [f.name for f in fields(Rules) if f.name not in ("n_rows", "n_cols")]
    changed = {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(preset, name)}
    return {name: asdict(value) if name == "reward" else value for name, value in changed.items()}


def map_text(state: State, i: int = 0) -> str:
    """The map of game i with the shover where he stands."""
    game: Any = state.game[i]
    return Map(state.grid()[i], (game.row, game.col)).to_text("B")


def remark(state: State, z_base: int, i: int = 0) -> str:
    """What the last step of game i did."""
    game = game_numbers(state, i)
    if game["timestep"] == 0:
        return ""
    kind = game["previous_action"] - z_base
    words = [SPECIALS[kind - 4] if kind > 3 else DIRECTIONS[kind] if kind >= 0 else "no-op"]
    if game["chain"]:
        words.append(f"chain of {game['chain']}")
    if game["burnt"]:
        words.append(f"{game['burnt']} burnt")
    if not game["valid"]:
        words.append("invalid")
    return ", ".join(words)
