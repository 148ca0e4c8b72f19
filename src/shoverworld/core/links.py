"""Links to positions: a game up to any move as the fragment of an address, which a browser never sends to a server.

    #v=1&game=sokoban&level=tiny/3&rules=sokoban&moves=0AQIFBQ&at=2

`web/player/link.js` reads and writes the same format and reports the same errors; docs/web.md describes the format. A
link may come from anyone: it is checked completely, and decompression stops at a limit.
"""

import base64
import binascii
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn
from urllib.parse import quote, unquote_to_bytes

from .errors import ShoverWorldError

PLAYER_ADDRESS = "https://shoverworld.github.io/shoverworld/player/"  # the public player
ADDRESS_VARIABLE = "SHOVERWORLD_PLAYER"  # an environment variable that replaces this address
VERSION = 1
FIELDS = ("v", "game", "level", "text", "random", "rules", "players", "seed", "moves", "at")
MOST_LETTERS = 1 << 17  # in a fragment
MOST_BYTES = 1 << 20  # in a decompressed field
MOST_MOVES = 100_000
MOST_NUMBERS = 8  # in an action
MOST_PLAYERS = 99
MOST_NAME = 200  # letters in the name of a level or in the rules
LARGEST = (1 << 53) - 1  # the largest integer that JavaScript represents exactly
LARGEST_IN_MOVE = 65_535
RAW, DEFLATED = "0", "1"  # the first letter of a field with bytes

_GAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")
_BASE64 = re.compile(r"[A-Za-z0-9_-]*")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNSAFE = re.compile(r"[^\x21-\x7e]")


class LinkError(ShoverWorldError, ValueError):
    """A link is invalid, or a position cannot be written as a link."""


class Placement(NamedTuple):
    """A free move of the player to a cell."""

    row: int
    col: int


Move = tuple[int, ...] | Placement


@dataclass(frozen=True)
class Position:
    """A game up to a move, as a page and a link describe it.

    level: `{"collection": ..., "name": ...}` (a packaged level), `{"text": ...}` (a level in the format of its game) or
    `{"seed": ...}` (a random level). rules: a string (rules_text.py); "" means the rules of the level. seed: the seed
    for the reset.
    """

    game: str
    level: Mapping[str, Any]
    rules: str = ""
    players: int = 1
    seed: int = 0
    moves: tuple[Move, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return the position as JSON data, as the player uses it."""
        moves = [{"place": list(move)} if isinstance(move, Placement) else list(move) for move in self.moves]
        return {
            "game": self.game,
            "rules": self.rules,
            "level": dict(self.level),
            "players": self.players,
            "seed": self.seed,
            "moves": moves,
        }


def player_address() -> str:
    """Return the address of the web player."""
    return os.environ.get(ADDRESS_VARIABLE) or PLAYER_ADDRESS


def link_to(position: Position, at: int | None = None) -> str:
    """Return the whole address of a position. `at`: the number of moves to show; by default, all."""
    return player_address() + encode_link(position, at)


# --- writing


def encode_link(position: Position, at: int | None = None) -> str:
    """Return the fragment for a position, with its `#`. Raise LinkError if the position cannot be written."""
    at = len(position.moves) if at is None else at
    fields = {"v": str(VERSION), "game": position.game, **_level_field(position.level)}
    fields["rules"] = ",".join(part.strip() for part in position.rules.split(",")) if position.rules else ""
    fields["players"] = str(position.players) if position.players != 1 else ""
    fields["seed"] = str(position.seed) if position.seed else ""
    fields["moves"] = _pack(_moves_bytes(position.moves)) if position.moves else ""
    fields["at"] = str(at) if at != len(position.moves) else ""
    link = "#" + "&".join(f"{name}={quote(value, safe=',/=')}" for name, value in fields.items() if value)
    decode_link(link)  # a link that cannot be opened is reported where it is made
    return link


def _level_field(level: Mapping[str, Any]) -> dict[str, str]:
    if "text" in level:
        return {"text": _pack(level["text"].encode("utf-8"))}
    if "seed" in level:
        return {"random": str(level["seed"])}
    collection, name = level["collection"], level["name"]
    if re.fullmatch("[0-9]+", name) or "/" in collection:
        _fail("level", f"{_shown(f'{collection}/{name}')} cannot be linked by name")
    return {"level": f"{collection}/{name.removeprefix(f'{collection}#') if _is_numbered(collection, name) else name}"}


def _is_numbered(collection: str, name: str) -> bool:
    """Return whether the name of a level consists of its collection and a number, such as "tiny#3"."""
    return re.fullmatch(rf"{re.escape(collection)}#[0-9]+", name) is not None


def _moves_bytes(moves: tuple[Move, ...]) -> bytes:
    """Return moves as bytes: how many numbers an action has, then each move.

    A number is one byte if it is less than 127 (LEB128 of the number + 1). A free move is a 0, its row and its column.
    """
    size = next((len(move) for move in moves if not isinstance(move, Placement)), 0)
    content = bytearray([size])
    for move in moves:
        if isinstance(move, Placement):
            content.append(0)
        elif len(move) != size:
            _fail("moves", f"all actions must have {size} numbers")
        for number in move:
            content += _leb128(number + 1)
    return bytes(content)


def _leb128(number: int) -> bytes:
    if not 1 <= number <= LARGEST_IN_MOVE + 1:
        _fail("moves", f"a number in a move must be from 0 to {LARGEST_IN_MOVE}")
    content = bytearray()
    while number > 127:
        content.append(number & 127 | 128)
        number >>= 7
    content.append(number)
    return bytes(content)


def _pack(content: bytes) -> str:
    """Return bytes as Base64 for addresses, deflated if that is shorter."""
    compressor = zlib.compressobj(9, wbits=-15)
    deflated = compressor.compress(content) + compressor.flush()
    kind, shortest = (DEFLATED, deflated) if len(deflated) < len(content) else (RAW, content)
    return kind + base64.urlsafe_b64encode(shortest).decode("ascii").rstrip("=")


# --- reading


def decode_link(link: str) -> tuple[Position, int]:
    """Return the position in an address or its fragment, and the number of moves to show. Raise LinkError."""
    fragment = link[link.find("#") + 1 :]
    if len(fragment) > MOST_LETTERS:
        raise LinkError(f"the link is too long: {len(fragment)} characters; expected at most {MOST_LETTERS}")
    if _UNSAFE.search(fragment):
        raise LinkError("the link contains spaces or characters outside ASCII; expected an address")
    fields = _fields(fragment)
    if fields.get("v", str(VERSION)) != str(VERSION):
        _fail("v", f"{_shown(fields['v'])} is not a supported version; expected {VERSION}")
    for name in fields:
        if name not in FIELDS:
            raise LinkError(f"unknown field {_shown(name)}; expected {', '.join(FIELDS)}")
    if not _GAME.fullmatch(fields.get("game", "")):
        _fail("game", f"{_shown(fields.get('game', ''))} is not the name of a game")
    level = _level(fields)
    if len(fields.get("rules", "")) > MOST_NAME:
        _fail("rules", f"longer than {MOST_NAME} characters")
    rules = ", ".join(fields.get("rules", "").split(","))
    players = _number(fields, "players", 1, 1, MOST_PLAYERS)
    seed = _number(fields, "seed", 0, 0, LARGEST)
    moves = _moves(_unpack("moves", fields["moves"])) if "moves" in fields else ()
    at = _number(fields, "at", len(moves), 0, len(moves))
    return Position(fields["game"], level, rules, players, seed, moves), at


def _fields(fragment: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in fragment.split("&"):
        name, sign, value = part.partition("=")
        if not sign or not value:
            raise LinkError(f"found {_shown(part)}; expected fields of the form name=value, joined by &")
        if name in fields:
            _fail(name, "occurs twice")
        fields[name] = _plain(name, value)
    return fields


def _plain(name: str, value: str) -> str:
    """Return a value without percent encoding."""
    try:
        if not _STRAY_PERCENT.search(value):
            return unquote_to_bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        pass
    _fail(name, "the percent encoding is invalid")


def _level(fields: Mapping[str, str]) -> dict[str, Any]:
    given = [name for name in ("level", "text", "random") if name in fields]
    if len(given) != 1:
        raise LinkError(f"found {' and '.join(given) or 'no level'}; expected one of level, text and random")
    if given == ["random"]:
        return {"seed": _number(fields, "random", 0, 0, LARGEST)}
    if given == ["text"]:
        try:
            text = _unpack("text", fields["text"]).decode("utf-8")
        except UnicodeDecodeError:
            _fail("text", "the level is not UTF-8 text")
        return {"text": text or _fail("text", "the level is empty")}
    collection, _, name = fields["level"].partition("/")
    if not collection or not name or len(fields["level"]) > MOST_NAME:
        _fail("level", f"{_shown(fields['level'])} is not a level; expected COLLECTION/NAME")
    return {"collection": collection, "name": f"{collection}#{name}" if re.fullmatch("[0-9]+", name) else name}


def _number(fields: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = fields.get(name)
    if value is None:
        return default
    if not _WHOLE.fullmatch(value) or not least <= int(value) <= most:
        _fail(name, f"{_shown(value)} is not an integer from {least} to {most}")
    return int(value)


def _unpack(name: str, value: str) -> bytes:
    """Return the bytes of a field."""
    kind, text = value[0], value[1:]
    if kind not in (RAW, DEFLATED):
        _fail(name, f"found {_shown(kind)} first; expected {RAW} or {DEFLATED}")
    content = _base64(text)
    if content is None:
        _fail(name, "invalid Base64")
    if kind == RAW:
        return content
    decompressor = zlib.decompressobj(wbits=-15)
    try:
        inflated = decompressor.decompress(content, MOST_BYTES + 1)
    except zlib.error:
        _fail(name, "cannot be decompressed")
    if len(inflated) > MOST_BYTES:
        _fail(name, f"more than {MOST_BYTES} bytes when decompressed")
    if not decompressor.eof or decompressor.unused_data:
        _fail(name, "cannot be decompressed")
    return inflated


def _base64(text: str) -> bytes | None:
    """Decode Base64 for addresses. Return None if the text is not exactly what an encoder writes."""
    if not _BASE64.fullmatch(text):
        return None
    try:
        content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        return None
    return content if base64.urlsafe_b64encode(content).decode("ascii").rstrip("=") == text else None


def _moves(content: bytes) -> tuple[Move, ...]:
    if not content or content[0] > MOST_NUMBERS:
        _fail("moves", f"an action must have at most {MOST_NUMBERS} numbers")
    size, place = content[0], 1
    moves: list[Move] = []
    while place < len(content):
        if len(moves) == MOST_MOVES:
            _fail("moves", f"more than {MOST_MOVES} moves")
        free = content[place] == 0
        place += free
        numbers: list[int] = []
        for _ in range(2 if free else size or _fail("moves", "an action has no numbers")):
            number, place = _read_number(content, place)
            numbers.append(number - 1)
        moves.append(Placement(*numbers) if free else tuple(numbers))
    return tuple(moves)


def _read_number(content: bytes, place: int) -> tuple[int, int]:
    """Return the number that starts at a place (LEB128), and the place after it."""
    number, shift = 0, 0
    while place < len(content) and shift < 21:
        byte = content[place]
        place += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            if byte == 0 or number > LARGEST_IN_MOVE + 1:
                break
            return number, place
    _fail("moves", "a move is incomplete or contains an invalid number")


def _fail(field: str, what: str) -> NoReturn:
    raise LinkError(f"{field}: {what}")


def _shown(value: str) -> str:
    """Return the beginning of a value in quotation marks, in ASCII."""
    letters = "".join(letter if " " <= letter <= "~" else "?" for letter in value[:40])
    return f"'{letters}'"
