"""The parts of a Shover-World game that a replay stores: the recipe, the map, a remark on each step, and hashes."""

import struct
from collections.abc import Mapping
from typing import Any

import gymnasium

from shoverworld.core.config import field_names
from shoverworld.core.env import changed_fields, check_rule_names
from shoverworld.core.grid import DIRECTIONS, col_of, row_of
from shoverworld.core.hashing import digest, game_numbers, packed
from shoverworld.core.sheet import new_sheet

from .config import FIRST_SPECIAL, PRESETS, SPECIALS, USUAL, Rules
from .game import GAME
from .maps import Map
from .phrases import PHRASES, write_reason
from .state import OUTCOMES, State

SIZE = ("n_rows", "n_cols")  # a recipe omits the size, because the map determines it


def recipe(rules: Rules, env_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """Return an environment id (by default the first id of the game) and the arguments that reproduce the rules.

    The arguments specify how the rules differ from the preset of this id, or from another preset if that is closer.
    """
    env_id = env_id or GAME.default_id
    own = gymnasium.spec(env_id).kwargs.get("rules", USUAL)
    preset = min([own, *PRESETS], key=lambda name: len(changed_fields(rules, PRESETS[name], SIZE)))
    named = {} if preset == own else {"rules": preset}
    return env_id, {**named, **changed_fields(rules, PRESETS[preset], SIZE)}


def check_recipe(env_id: str, keywords: Mapping[str, Any]) -> None:
    """Raise ConfigError unless each argument is a rule or names a preset."""
    check_rule_names(keywords, ["rules", *field_names(Rules)])


def map_text(state: State, i: int = 0) -> str:
    """Return the map of game i as a string, including the cell of the shover."""
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
        words.append(f"invalid: {why_invalid(state, i)}")
    return ", ".join(words)


def text(state: State, i: int = 0) -> str:
    """Return game i as plain text: a line with the step, the stamina and the boxes, then the map in Format B."""
    game: Any = state.game[i]
    outcome = OUTCOMES[game.outcome]
    head = f"step {game.timestep}  stamina {game.stamina:g}  boxes {game.boxes}  destroyed {game.destroyed}"
    board = Map(state.grid()[i], (int(game.row), int(game.col)))
    return f"{head}{'  ' + outcome if outcome else ''}\n{board}\n"


def why_invalid(state: State, i: int = 0) -> str:
    """Return a sentence that explains why the last action of game i was invalid, or "" if the action was valid."""
    sheet = new_sheet(2)
    write_reason(sheet, state.row(i))
    return PHRASES.text(sheet.rows[: sheet.used[0], 1:].tolist())


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
    """Return the hash of game i as 16 hexadecimal digits."""
    return digest(canonical(state, i))


def canonical(state: State, i: int = 0) -> bytes:
    """Return everything that matters in game i as bytes: 64-bit integers, the stamina, and the cells row by row.

    docs/replays.md describes the format. The bytes omit what does not matter: the random numbers, the frame, values
    that follow from the board or from other fields (`blocks`, the corner of a square, `cost`, `barrier`, `hellified`,
        `kind`, `reason`, `blocked`, `target`, `shover`), and, if all boxes are at rest, which boxes moved earlier.
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
