"""The parts of a Shover-World game that a replay stores: the recipe, the map, a remark on each step, and hashes."""

import struct
from typing import Any

import gymnasium

from shoverworld.core.env import changed_fields
from shoverworld.core.grid import DIRECTIONS, col_of, row_of
from shoverworld.core.hashing import digest, game_numbers, packed

from .config import FIRST_SPECIAL, PRESETS, SPECIALS, Rules
from .game import GAME
from .maps import Map
from .state import State

SIZE = ("n_rows", "n_cols")  # not part of a recipe, because the map determines the size


def recipe(rules: Rules, env_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """Return an environment id (by default the first id of the game) and the keywords that reproduce the rules.

    The keywords list how the rules differ from the preset of this id, or from another preset if that is closer.
    """
    env_id = env_id or GAME.default_id
    own = gymnasium.spec(env_id).kwargs["rules"]
    preset = min([own, *PRESETS], key=lambda name: len(changed_fields(rules, PRESETS[name], SIZE)))
    named = {} if preset == own else {"rules": preset}
    return env_id, {**named, **changed_fields(rules, PRESETS[preset], SIZE)}


def map_text(state: State, i: int = 0) -> str:
    """Return the map of game i as text, including the cell of the shover."""
    game: Any = state.game[i]
    return Map(state.grid()[i], (game.row, game.col)).to_text("B")


def remark(state: State, i: int = 0) -> str:
    """Return a description of the last step of game i."""
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
    """Return the name of an action without its position, such as "up", "hellify" or "no-op"."""
    if kind >= FIRST_SPECIAL:
        return SPECIALS[kind - FIRST_SPECIAL].name
    return DIRECTIONS[kind] if kind >= 0 else "no-op"


# --- The hash of a game. It is the same on every machine, and the same whether the game is played alone or in a batch.

HASHED = (
    "row", "col", "direction", "timestep", "previous_row", "previous_col", "previous_action", "boxes", "destroyed",
    "outcome", "last_push", "valid", "chain", "charged", "burnt", "moving",
)  # fmt: skip


def state_hash(state: State, i: int = 0) -> str:
    """Return the hash of game i, which has 16 hexadecimal digits."""
    return digest(canonical(state, i))


def canonical(state: State, i: int = 0) -> bytes:
    """Return everything that matters in game i as bytes: 64-bit integers, the stamina, and the cells row by row.

    docs/replays.md describes the format. The bytes omit what does not matter: the random numbers, the frame, values
    that follow from the board or from other fields (`blocks`, the corner of a square, `cost`, `barrier`, `hellified`,
    `kind`, `shover`), and, if all boxes are at rest, which boxes moved earlier.
    """
    game = game_numbers(state, i)
    grid = state.grid()[i]
    numbers = [*grid.shape, *(game[name] for name in HASHED)]
    if game["moving"]:
        cell = game["moving_cell"]
        numbers += [row_of(cell, state.width), col_of(cell, state.width), game["moving_direction"]]
    numbers.append(game["squares"])
    for n, row, col, _, born in state.squares[i, : game["squares"]].tolist():
        numbers += [n, row, col, born]
    stamina = game["stamina"] + 0.0  # -0.0 becomes 0.0
    return b"shover 1\n" + packed(*numbers) + struct.pack("<d", stamina) + grid.tobytes()
