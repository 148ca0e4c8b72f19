"""The files in `static/`: a WebAssembly module, a description, pictures and level collections for each game.

index.json                what all games share
GAME.wasm, GAME.json      the module and the description of a game
GAME.png                  the pictures of the tiles
GAME-COLLECTION.json      the levels of a packaged collection
"""

import json
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from shoverworld.core.game import Game
from shoverworld.games import all_games

from .description import description_of, index_of, levels_of

STATIC: Traversable = resources.files("shoverworld.web") / "static"


def web_games() -> list[Game]:
    """Return the games that have a WebAssembly module, except for those of other distributions."""
    return [
        game
        for game in all_games().values()
        if game.web is not None and type(game).__module__.startswith("shoverworld.")
    ]


def data_files() -> dict[str, str]:
    """Return the JSON files by name, as they are stored."""
    games = web_games()
    files: dict[str, Any] = {"index.json": index_of(games)}
    for game in games:
        files[f"{game.name}.json"] = description_of(game)
        for collection in game.levels.collections():
            files[f"{game.name}-{collection.name}.json"] = levels_of(game, collection.name)
    return {name: json_text(data) for name, data in files.items()}


def json_text(data: Any) -> str:
    """Return JSON without spaces, with the items of a list of levels on separate lines so that changes are readable."""
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    if isinstance(data, list):
        return "[\n" + ",\n".join(json.dumps(item, **compact) for item in data) + "\n]\n"
    return (
        "{\n" + ",\n".join(f"{json.dumps(key)}:{json.dumps(value, **compact)}" for key, value in data.items()) + "\n}\n"
    )


def module_bytes(game: str) -> bytes:
    """Return the WebAssembly module of a game."""
    return (STATIC / f"{game}.wasm").read_bytes()


def stored(name: str) -> Any:
    """Return the content of a stored JSON file."""
    return json.loads((STATIC / name).read_text("utf-8"))
