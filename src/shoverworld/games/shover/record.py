"""The content of a replay of Shover-World: how to recreate the game, its map, and a remark on each step."""

from typing import Any

import gymnasium

from shoverworld.core.env import changed_fields
from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.hashing import game_numbers

from .config import FIRST_SPECIAL, PRESETS, SPECIALS, Rules
from .game import GAME
from .maps import Map
from .state import State

SIZE = ("n_rows", "n_cols")  # not part of a recipe: the map has them


def recipe(rules: Rules, env_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """The id (default: the game's first) and the keywords that differ from its preset, or from another preset if those are fewer."""
    env_id = env_id or GAME.default_id
    own = gymnasium.spec(env_id).kwargs["rules"]
    preset = min([own, *PRESETS], key=lambda name: len(changed_fields(rules, PRESETS[name], SIZE)))
    named = {} if preset == own else {"rules": preset}
    return env_id, {**named, **changed_fields(rules, PRESETS[preset], SIZE)}


def map_text(state: State, i: int = 0) -> str:
    """The map of game i with the shover on it."""
    game: Any = state.game[i]
    return Map(state.grid()[i], (game.row, game.col)).to_text("B")


def remark(state: State, i: int = 0) -> str:
    """What the last step of game i did."""
    game = game_numbers(state, i)
    if game["timestep"] == 0:
        return ""
    words = [action_words(game["kind"])]
    if game["chain"]:
        words.append(f"chain of {game['chain']}")
    if game["burnt"]:
        words.append(f"{game['burnt']} burnt")
    if not game["valid"]:
        words.append("invalid")
    return ", ".join(words)


def action_words(kind: int) -> str:
    """An action without its position: "up", "hellify", "no-op"."""
    if kind >= FIRST_SPECIAL:
        return SPECIALS[kind - FIRST_SPECIAL].name
    return DIRECTIONS[kind] if kind >= 0 else "no-op"
