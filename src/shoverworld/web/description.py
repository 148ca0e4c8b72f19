"""Descriptions of the games as JSON data, for pages that play the games with their WebAssembly modules.

A page copies numbers between a description and a block of memory (core/blocks.py) and displays the text in the description. It needs no
knowledge of a game's rules. docs/web.md describes the fields.
"""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from shoverworld import __version__
from shoverworld.core.blocks import DIMENSIONS, KEPT, SIZE
from shoverworld.core.cells import STEPS
from shoverworld.core.game import Game
from shoverworld.core.rules_text import split_rules
from shoverworld.core.sheet import COLUMNS, KINDS, MARK_KINDS, MARK_STYLES, MOVE_KINDS, TONES
from shoverworld.core.ui import Board, KeyHelp, Score
from shoverworld.core.web import NO_RIM, WebModule, argument_names
from shoverworld.play.board import CURSOR, STEERING
from shoverworld.play.commands import COMMANDS, LEVELS_KEYS, PAGE_COMMANDS, PLAYERS_HELP, PLAYERS_KEYS, key_name
from shoverworld.play.labels import LABELS, MARKER_NAMES
from shoverworld.play.table_content import MESSAGES

from .replay_data import replay_data
from .sprites import sprite_table

FORMAT = 1  # the version of the calling convention and of these descriptions


def index_of(games: Iterable[Game]) -> dict[str, Any]:
    """Return the data shared by all games: the list of games, and the commands with their keys."""
    games = list(games)
    return {
        "format": FORMAT,
        "version": __version__,
        "header": {"size": SIZE, "kept": KEPT, "dimensions": DIMENSIONS},
        "sheet": {
            "columns": COLUMNS,
            "kinds": KINDS,
            "mark_kinds": MARK_KINDS,
            "mark_styles": MARK_STYLES,
            "tones": TONES,
            "move_kinds": MOVE_KINDS,
            "no_rim": NO_RIM,
        },
        "games": [{"name": game.name, "title": game.title, "goal": game.goal} for game in games],
        "commands": [command._asdict() for command in (*COMMANDS, *PAGE_COMMANDS)],
        "replay": replay_data(games),
        "levels_keys": _keys(LEVELS_KEYS),
        "players_keys": _keys(PLAYERS_KEYS),
        "players_help": PLAYERS_HELP,
        "key_names": _key_names(key for command in (*COMMANDS, *PAGE_COMMANDS) for key in command.keys),
        "messages": {name: list(message) for name, message in MESSAGES.items()},
        "labels": LABELS,
        "markers": MARKER_NAMES,
        "steering": STEERING,
        "steps": STEPS,
        "cursor_colour": CURSOR,
    }


def description_of(game: Game) -> dict[str, Any]:
    """Return the description of a game that has a WebAssembly module."""
    web = web_of(game)
    return {
        "format": FORMAT,
        "name": game.name,
        "title": game.title,
        "goal": game.goal,
        "words": {**game.words, "left": game.left_word},
        "won": game.won,
        "multiplayer": game.multiplayer,
        "header_bytes": web.block.header_bytes,
        "dimensions": list(web.block.dimensions),
        "arrays": [_array(web, array) for array in web.block.arrays],
        "records": {array.name: _record(array.dtype) for array in web.block.arrays if array.dtype.names},
        "functions": {name: list(argument_names(function)) for name, function in web.all_functions().items()},
        "action": list(web.action_names),
        "presets": [preset_data(game, name, about) for name, about in game.presets],
        "outcomes": list(web.outcomes),
        "reasons": [list(reason) for reason in web.reasons],
        "reason_field": web.reason_field,
        "tiles": dict(web.tiles),
        "bindings": {key: list(meaning) for key, meaning in web.bindings.items()},
        "keys": _keys(game.ui.controls.keys),
        "mouse": _keys(game.ui.controls.mouse),
        "phrases": web.phrases.phrases,
        "phrase_words": {name: list(words) for name, words in web.phrases.words.items()},
        "problems": web.problems.phrases,
        "problem_words": {name: list(words) for name, words in web.problems.words.items()},
        "level_start": list(web.level_start),
        "rule_fields": [] if web.rules is None else web.rules.description(),
        "press_keys": list(web.press_keys),
        "figure_names": list(web.figure_names),
        "score_numbers": web.score_numbers,
        "overlays": [overlay._asdict() for overlay in game.ui.overlays.overlays],
        "constants": dict(web.constants),
        "key_names": _key_names(_keys_of(game, web)),
        "players": web.players,
        "turn": web.turn,
        "random": web.random,
        "sprites": sprite_table(game),
        "collections": [collection._asdict() for collection in game.levels.collections()],
    }


def levels_of(game: Game, collection: str) -> list[dict[str, Any]]:
    """Return the levels of a packaged collection."""
    return [level_data(game, board) for board in game.levels.boards(collection)]


def web_of(game: Game) -> WebModule:
    """Return the WebAssembly module of a game, which must have one."""
    if game.web is None:
        raise ValueError(f"{game.title} has no WebAssembly module")
    return game.web


def _array(web: WebModule, array: Any) -> list[str]:
    """Return the name, the type and the role of an array: "state" if steps change it, "kept" if a copy needs it."""
    role = "state" if array.name in web.state else "kept" if array in web.block.kept else "other"
    return [array.name, "record" if array.dtype.names else _type(array.dtype), role]


def _record(dtype: np.dtype) -> dict[str, Any]:
    fields: Any = dtype.fields
    return {"bytes": dtype.itemsize, "fields": [[name, _type(fields[name][0]), fields[name][1]] for name in fields]}


def _type(dtype: np.dtype) -> str:
    """Return the kind of a number (b Boolean, i integer, u unsigned integer, f float) and its size in bytes."""
    return f"{dtype.kind}{dtype.itemsize}"


def preset_data(game: Game, name: str, about: str = "") -> dict[str, Any]:
    """Return a preset, or rules as a string (core/rules_text.py), as numbers."""
    preset = web_of(game).preset(name)
    return {
        "name": name,
        "about": about,
        "arrays": _arrays(preset.arrays),
        "dimensions": dict(preset.dimensions),
        "actions": list(preset.actions),
        "first_action": list(preset.first_action),
    }


def level_data(game: Game, board: Board, rules: Iterable[str] | None = None) -> dict[str, Any]:
    """Return a level. "presets" contains the arrays that differ when the level is played with another preset.

    `rules`: the rules under which a page can play the level; by default, all presets.

    "run" contains, for each preset, the best known run if the game stores runs.
    """
    rules = [preset.name for preset in game.presets] if rules is None else list(rules)
    if board.preset not in rules:
        raise ValueError(f"{board.name}: the rules of the level must be one of {rules}, not {board.preset!r}")
    own = _level_arrays(game, board, board.preset)
    described = {
        "name": board.name,
        "title": board.title,
        "about": board.about,
        "preset": board.preset,
        "dimensions": dict(web_of(game).level(board, board.preset).dimensions),
        "arrays": own,
        "presets": {},
        "best": {},
    }
    for preset in rules:
        arrays = _level_arrays(game, board, preset)
        if changed := {name: value for name, value in arrays.items() if value != own[name]}:
            described["presets"][preset] = changed
    for preset in rules:
        if run := web_of(game).level(board, preset).run:
            described.setdefault("run", {})[preset] = list(run)
        if (best := game.levels.best_known(game.levels.identity(board, preset))) is not None:
            described["best"][preset] = _score(best)
    return described


def own_level_data(game: Game, board: Board) -> dict[str, Any]:
    """Return a level that is not packaged. It may have its own rules: a preset with changes (core/rules_text.py).

    In this case, "rules" contains the rules as a string and, like a preset, as numbers, and the level's arrays under these
    rules. A game without a WebAssembly module has no numbers: only the name, the title and the description are returned.
    """
    if game.web is None:
        return {"name": board.name, "title": board.title, "about": board.about, "preset": board.preset}
    preset = board.preset
    if game.preset_rules is not None:
        preset = split_rules(board.preset, game.preset_rules)[0] or game.presets[0].name
    described = level_data(game, replace(board, preset=preset))
    if board.preset != preset:
        rules = preset_data(game, board.preset)
        described["rules"] = {**rules, "level_arrays": _level_arrays(game, board, board.preset)}
    return described


def _level_arrays(game: Game, board: Board, preset: str) -> dict[str, Any]:
    return _arrays(web_of(game).level(board, preset).arrays)


def _arrays(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays for JSON: records as objects, and other arrays as their bytes in Base64."""
    return {
        name: dict(value) if isinstance(value, Mapping) else base64.b64encode(value.tobytes()).decode("ascii")
        for name, value in arrays.items()
    }


def _score(score: Score) -> dict[str, Any]:
    return {"numbers": list(score.numbers), "words": score.words, "proved": score.proved}


def _keys(keys: Iterable[KeyHelp]) -> list[dict[str, Any]]:
    return [{"keys": list(key.keys), "what": key.what} for key in keys]


def _keys_of(game: Game, web: WebModule) -> Iterable[str]:
    """Return the keys of a game that help pages and buttons name."""
    yield from web.press_keys
    for help in (*game.ui.controls.keys, *game.ui.controls.mouse):
        yield from help.keys
    yield from (overlay.key for overlay in game.ui.overlays.overlays)


def _key_names(keys: Iterable[str]) -> dict[str, str]:
    """Return the keys as they appear on help pages and buttons."""
    return {key: key_name(key) for key in keys}
