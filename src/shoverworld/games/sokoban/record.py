"""The data that a replay stores about a Sokoban game: its recipe, its room, a remark about each step, and hashes.

A room is written in XSB characters. XSB cannot express the numbering of targets, boxes and players, so these numbers
follow below the room if they are not in reading order:

    #######
    #.@$ .#
    # $  @#
    #######
    targets 2 1     the first target in reading order has number 2; a line `boxes` has the same form
    players 2 1     the first @ is the second player
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from shoverworld.core.config import field_names
from shoverworld.core.env import changed_fields, check_rule_names
from shoverworld.core.errors import ConfigError, LevelError
from shoverworld.core.hashing import digest, game_numbers, packed
from shoverworld.core.sheet import new_sheet

from .config import SokobanRules
from .game import GAME
from .levels import Level
from .phrases import phrases
from .presets import PRESETS, RANDOM, preset_rules
from .rules import DIRECTIONS
from .sentences import write_why_invalid
from .state import BOX, PLAYER, TARGET, WALL, SokobanState, new_state

KINDS = ("push", "move", "pull")
ORDERS = ("targets", "boxes", "players")
WHY_ROWS = 2  # the number of phrases in the longest reason


def recipe(rules: SokobanRules, env_id: str | None = None) -> tuple[str, dict[str, Any]]:
    """Return the id (by default the first id of the game) and the arguments whose values differ from the id's rules.

    The size and the number of boxes are left out, because the map contains them. A game can be replayed without the
    levels of its id, so the recipe omits those levels.
    """
    env_id = env_id or GAME.default_id
    name = env_id.partition("/")[2]
    keywords = changed_fields(rules, preset_rules(name), ("dim_room", "num_boxes"))
    return env_id, {"levels": RANDOM, **keywords} if PRESETS[name].levels else keywords


def check_recipe(env_id: str, keywords: Mapping[str, Any]) -> None:
    """Raise ConfigError unless all arguments are rules. An id with levels of its own also needs `levels="random"`."""
    rules = {name: value for name, value in keywords.items() if name != "levels"}
    check_rule_names(rules, ["rules", *field_names(SokobanRules)])
    own = PRESETS[env_id.partition("/")[2]].levels
    if keywords.get("levels", own or RANDOM) != RANDOM:
        raise ConfigError(f'config.levels must be "{RANDOM}", because a replay contains its level')


def text(state: SokobanState, i: int = 0) -> str:
    """Return the room of game i as a string."""
    return f"{level_of(state, i)}\n"


def level_of(state: SokobanState, i: int = 0) -> Level:
    """Return the room of game i, in its current state, as a level."""
    room = state.rooms()[i]
    players = tuple(divmod(int(plane.argmax()), state.width) for plane in room[PLAYER:])
    return Level(room[WALL] != 0, room[TARGET], room[BOX], players)


def state_of(level: Level) -> SokobanState:
    """Return the initial state of a game on a level. This is the inverse of `level_of`."""
    state = new_state(1, level.rows, level.cols, len(level.players))
    room, game = state.rooms()[0], state.game
    room[WALL], room[TARGET], room[BOX] = level.walls, level.targets, level.boxes
    for plane, place in zip(room[PLAYER:], level.players, strict=True):
        plane[place] = 1
    cells = [row * level.cols + col for row, col in level.players]
    game["player"], game["second"] = cells[0], cells[1] if len(cells) > 1 else -1
    game["boxes"] = np.count_nonzero(room[BOX])
    game["on_target"] = np.count_nonzero((room[BOX] != 0) & (room[BOX] == room[TARGET]))
    game["all_on_target"] = game["on_target"] == game["boxes"]
    game["level"] = game["last_action"] = -1
    game["valid"] = True
    return state


def map_text(state: SokobanState, i: int = 0) -> str:
    return written(level_of(state, i))


def written(level: Level) -> str:
    lines = level.lines()
    orders = [
        level.targets[level.targets != 0].tolist() if level.fixed else [],
        level.boxes[level.boxes != 0].tolist() if level.fixed else [],
        [1 + level.players.index(place) for place in sorted(level.players)],
    ]
    for name, numbers in zip(ORDERS, orders, strict=True):
        if numbers != sorted(numbers):
            lines.append(f"{name} {' '.join(map(str, numbers))}")
    return "\n".join(lines) + "\n"


def read_map(text: str, source: str = "map") -> Level:
    """Read a room in the format that `map_text` writes. Raise LevelError if the string is invalid."""
    lines = text.rstrip().split("\n")
    orders: dict[str, list[int]] = {}
    line_of: dict[str, int] = {}
    while lines and lines[-1].split(" ")[0] in ORDERS:
        line = len(lines)
        name, *numbers = lines.pop().split()
        try:
            orders[name], line_of[name] = [int(one) for one in numbers], line
        except ValueError:
            raise LevelError.at(f"{name}: expected integers, not {' '.join(numbers):.60}", source, line=line) from None
    level = Level.parse("\n".join(lines), source)
    for name, count in (("targets", level.box_count), ("boxes", level.box_count), ("players", len(level.players))):
        if name in orders and sorted(orders[name]) != list(range(1, count + 1)):
            what = f"{name} {orders[name]!s:.60}: expected the numbers 1 to {count}, each once"
            raise LevelError.at(what, source, line=line_of[name])
    if "players" in orders:
        players = tuple(place for _, place in sorted(zip(orders["players"], level.players, strict=True)))
        level = replace(level, players=players)
    if "targets" in orders or "boxes" in orders:
        usual = list(range(1, level.box_count + 1))
        level = replace(
            level,
            targets=_with_numbers(level.targets, orders.get("targets", usual)),
            boxes=_with_numbers(level.boxes, orders.get("boxes", usual)),
        )
    return level


def _with_numbers(table: np.ndarray, numbers: Sequence[int]) -> np.ndarray:
    table = table.astype(np.int64)
    table[table != 0] = numbers
    return table


def action_words(rules: SokobanRules, action: int) -> str:
    """Return the name of an action, such as "push up" or "second player: pull left"."""
    code = action + (not rules.has_noop)
    if code == 0:
        return "no-op"
    who, code = divmod(code - 1, rules.actions_each)
    kind, direction = divmod(code, 4)
    return ("second player: " if who else "") + f"{KINDS[kind]} {DIRECTIONS[direction]}"


def remark(state: SokobanState, rules: SokobanRules, i: int = 0) -> str:
    """Return a description of what the last step of game i did."""
    game = game_numbers(state, i)
    if game["last_action"] < 0:
        return ""
    words = [action_words(rules, game["last_action"])]
    if game["valid"] and not (game["pushed"] or game["pulled"]):
        words = [re.sub("push|move|pull", "walk", words[0])]
    if game["pushed"] or game["pulled"]:
        words.append("box pushed" if game["pushed"] else "box pulled")
    if game["change"]:
        words.append("onto a target" if game["change"] > 0 else "off its target")
    if not game["valid"]:
        words.append(f"invalid: {why_invalid(state, rules, i)}")
    return ", ".join(words)


def why_invalid(state: SokobanState, rules: SokobanRules, i: int = 0) -> str:
    """Return a sentence that explains why the last action of game i was invalid, or "" if the action was valid."""
    if not state.game["reason"][i]:
        return ""
    sheet = new_sheet(WHY_ROWS)
    write_why_invalid(sheet, state.row(i), rules.numbers())
    return phrases.text(sheet.rows[: sheet.used[0], 1:])


# --- The hash of a game. It does not depend on the machine, or on whether the game is part of a batch.

HASHED = (
    "player", "second", "steps", "boxes", "on_target", "moves", "pushes", "pulls", "last_action", "outcome",
    "valid", "pushed", "pulled", "change",
)  # fmt: skip


def state_hash(state: SokobanState, i: int = 0) -> str:
    """Return the hash of game i as 16 hexadecimal digits."""
    return digest(canonical(state, i))


def canonical(state: SokobanState, i: int = 0) -> bytes:
    """Return everything that matters in game i as bytes: 64-bit integers, and the planes row by row.

    The state of the random number generator and the index of the stored level are left out. The effects of the last
    step are included.
    """
    game = game_numbers(state, i)
    numbers = packed(*state.size, state.players, *(game[name] for name in HASHED))
    return b"sokoban 1\n" + numbers + state.planes[i].tobytes()
