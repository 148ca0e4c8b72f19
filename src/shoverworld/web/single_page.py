"""The web player with one game, or several games, in a single HTML file, which works offline and requests nothing.

`page_of_replay` returns the page for a replay, and `page_of_games` a page for many replays of one game, which contains
the player once. docs/web.md describes the embedded files.
"""

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from shoverworld.core.links import LinkError, Position, link_to
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Board
from shoverworld.play.links import position_of_cursor
from shoverworld.play.replay_cursor import ReplayCursor

from .bundle import BundleError, bundle
from .description import level_data, preset_data
from .files import STATIC, module_bytes, stored

PLAYER: Traversable = resources.files("shoverworld.web") / "player"
ENTRY = "app.js"
COLLECTION = "embedded"  # the name of the collection with the only level

# The bundle is compressed, which saves about 100 KB. The policy contains its hash, so it may run as an inline script.
_LOADER = """
const packed = atob(document.getElementById("embedded-script").textContent);
const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(stream).text();
document.head.append(script);
"""
# In a page with several games, the address selects one: `?game=3`. Its files join those that all games share.
_CHOICE = """
const games = JSON.parse(document.getElementById("embedded-games").textContent);
const wanted = new URLSearchParams(location.search).get("game");
const chosen = games[Object.hasOwn(games, wanted) ? wanted : Object.keys(games)[0]];
const coded = Uint8Array.from(atob(chosen), (letter) => letter.charCodeAt(0));
const inflated = new Blob([coded]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
const shared = document.getElementById("embedded-data");
shared.textContent = JSON.stringify({ ...JSON.parse(shared.textContent), ...(await new Response(inflated).json()) });
"""
_STYLE = '<link rel="stylesheet" href="player.css">'
_SCRIPT = f'<script type="module" src="{ENTRY}"></script>'
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="[^"]*">')
_TITLE = re.compile(r"<title>[^<]*</title>")
_OTHER_LINKS = re.compile(r'[ \t]*<link rel="(?:icon|preload|modulepreload|manifest|apple-touch-icon)"[^>]*>\n')
_REFERENCE = re.compile(r'<[^>]*\b(?:src|href)="(?!#)[^"]*"[^>]*>')


def page_of_replay(replay: Replay, at: int = 0) -> str:
    """Return an HTML page that shows a replay. `at`: the move after which the page shows the board first.

    Raise ReplayError if the replay is invalid, and LinkError if its game has no web player.
    """
    return page_of_cursor(ReplayCursor(replay), at)


def page_of_cursor(cursor: ReplayCursor, at: int = 0) -> str:
    """Return the page for a replay that has been played."""
    files = _files_of_cursor(cursor, at)
    return page_with(files, files["page.json"]["title"])


def page_of_games(cursors: Mapping[str, ReplayCursor], title: str, links: bool = True) -> str:
    """Return a page with several replays of the same game. `?game=KEY` in the address selects one; otherwise the page
    shows the first. `links`: whether the page offers links to the games in the public player, which name the levels.
    """
    if not cursors:
        raise ValueError("a page needs at least one replay")
    each = {key: _files_of_cursor(cursor, 0, links) for key, cursor in cursors.items()}
    first = next(iter(each.values()))
    common = {
        name: content for name, content in first.items() if all(files.get(name) == content for files in each.values())
    }
    own = {
        key: _packed(
            json.dumps({n: c for n, c in files.items() if n not in common}, ensure_ascii=False).encode("utf-8")
        )
        for key, files in each.items()
    }
    return page_with(common, title, own)


def _files_of_cursor(cursor: ReplayCursor, at: int, links: bool = True) -> dict[str, Any]:
    """Return the files of a page for a replay. `links`: whether the page offers a link to the public player."""
    replay, position = cursor.replay, position_of_cursor(cursor)
    name = replay.notes.get("map") or cursor.board.name
    # Without links, nothing but the notes names the level, even if it is packaged.
    title = (cursor.title if links else "") or name
    about = cursor.board.about if links else ""
    board = replace(cursor.board, name=name, title=title, about=about, preset=position.rules)
    page = {
        "mode": "replay",
        "title": " · ".join(filter(None, (cursor.title if links else name, cursor.game.title))),
        "position": {**position.as_json(), "level": {"collection": COLLECTION, "name": name}},
        "at": max(0, min(at, cursor.last)),
        "replay": replay.to_text(),
        "link": _link(position) if links else None,
    }
    return {**_game_files(cursor, board), "page.json": page}


def page_with(files: Mapping[str, Any], title: str, games: Mapping[str, str] | None = None) -> str:
    """Return the player as one HTML file that contains these files (JSON data or bytes).

    games: the packed files of each game, if the page contains several.
    """
    data = _json({name: _packed(content) if isinstance(content, bytes) else content for name, content in files.items()})
    style = _style()
    page = _text("index.html")
    page = _replaced(page, _STYLE, f"<style>{style}</style>")
    choice = "" if games is None else f'<script type="application/json" id="embedded-games">{_json(games)}</script>'
    loader = _LOADER if games is None else _CHOICE + _LOADER
    parts = (
        f'<script type="application/json" id="embedded-data">{data}</script>{choice}',
        f'<script type="text/plain" id="embedded-script">{_packed_script()}</script>',
        f'<script type="module">{loader}</script>',
    )
    page = _replaced(page, _SCRIPT, "\n    ".join(parts))
    page = _replaced(page, _POLICY, f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, loader)}">')
    return _replaced(page, _TITLE, f"<title>{html.escape(title)}</title>")


def _json(data: Any) -> str:
    """Return JSON that cannot end the element that contains it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _game_files(cursor: ReplayCursor, board: Board) -> dict[str, Any]:
    """Return the files of a game with one level and one set of rules."""
    game, rules = cursor.game, board.preset
    index, description = stored("index.json"), stored(f"{game.name}.json")
    index["games"] = [entry for entry in index["games"] if entry["name"] == game.name]
    for part, key in (("environments", cursor.replay.env_id), ("rules", game.name)):
        index["replay"][part] = {key: index["replay"][part][key]}
    description["presets"] = [preset_data(game, rules)]
    description["collections"] = [{"name": COLLECTION, "title": board.title, "about": board.about}]
    return {
        "index.json": index,
        f"{game.name}.json": description,
        f"{game.name}-{COLLECTION}.json": [level_data(game, board, [rules])],
        f"{game.name}.wasm": module_bytes(game.name),
        f"{game.name}.png": (STATIC / f"{game.name}.png").read_bytes(),
    }


def _link(position: Position) -> str | None:
    """Return the link to the game in the public player, or None if the link would be too long."""
    try:
        return link_to(position)
    except LinkError:
        return None


def _packed(content: bytes) -> str:
    compressor = zlib.compressobj(9, wbits=-15)
    return base64.b64encode(compressor.compress(content) + compressor.flush()).decode("ascii")


@cache
def _script() -> str:
    return bundle(ENTRY, _text)


@cache
def _packed_script() -> str:
    return _packed(_script().encode("utf-8"))


@cache
def _style() -> str:
    style = _text("player.css")
    if wrong := re.search(r"@import|url\((?!\"data:)[^)]*\)|</style", style):
        raise BundleError(f"player.css: {wrong[0]!r}: a page without requests cannot load this")
    return re.sub(r"\n\s+", "\n", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))


def _text(name: str) -> str:
    """Return a file of the player."""
    text = (PLAYER / name).read_text("utf-8")
    if name != "index.html":
        return text
    text = _OTHER_LINKS.sub("", text)
    for found in _REFERENCE.finditer(text):
        if found[0] not in (_STYLE, _SCRIPT.removesuffix("</script>")):
            raise BundleError(f"index.html: {found[0]!r}: a page without requests cannot load this")
    return text


def _replaced(page: str, part: str | re.Pattern[str], new: str) -> str:
    """Replace a part that must occur exactly once."""
    pattern = re.compile(re.escape(part)) if isinstance(part, str) else part
    replaced, count = pattern.subn(lambda _: new, page)
    if count != 1:
        raise BundleError(f"index.html: found {count} parts of the form {pattern.pattern}; expected 1")
    return replaced


def _policy(style: str, loader: str) -> str:
    """Return a content security policy that allows the scripts and the style of the page and forbids every request."""
    scripts = f"'{_digest(loader)}' '{_digest(_script())}'"
    return (
        f"default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
