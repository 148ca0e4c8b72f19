"""A writer and a strict parser for the text format of replays. docs/replays.md describes the format.

shoverworld replay 1
env: shoverworld/ShoverWorld-v0
map:
| A.BL
moves:
   0  start         2f0c7a90c1d3b5e4
   1  0 2 2         51aa37c09d4e6b28  # right, chain of 1, 1 burnt, stamina 990
end: cleared, steps 1, stamina 990.0, reward 40.0
"""

import json
import math
import re
from typing import Any, cast

from .cells import numbered_lines
from .errors import NotAReplay, ReplayError
from .replay_messages import message

TITLE, VERSION = "shoverworld replay", 1
PLACE, START, PLAYING = "place", "start", "playing"
TEXTS = ("player", "date", "comment")
KEYS = ("env", "seed", *TEXTS, "config.NAME", "note.NAME", "map", "moves")

_TITLE_LINE = re.compile(rf"{TITLE} ([1-9][0-9]{{0,5}})")
_CONFIG = re.compile(r"config\.([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?")
_NOTE = re.compile(r"note\.([A-Za-z_][A-Za-z0-9_-]*)")
_SEED = re.compile(r"[0-9]{1,4000}")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_HASH = re.compile(r"[0-9a-f]{16}")
_OUTCOME = re.compile(r"[a-z_]+")
_FIGURE = re.compile(r"([a-z_]+) (-?[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,2})?)")


# --- writing


def format_replay(replay: Any) -> str:
    """Return the content of a replay file."""
    lines = [f"{TITLE} {replay.version}", f"env: {replay.env_id}"]
    for name, value in replay.config.items():
        lines += [f"config.{key}: {json.dumps(v, allow_nan=False)}" for key, v in _flat(name, value).items()]
    lines += [f"seed: {replay.seed}"] if replay.seed is not None else []
    lines += [f"{name}: {getattr(replay, name)}" for name in TEXTS if getattr(replay, name)]
    lines += [f"note.{name}: {text}" for name, text in replay.notes.items()]
    if replay.map:
        lines += ["map:", *(f"| {row}" if row else "|" for row in replay.map.removesuffix("\n").split("\n"))]
    lines += ["moves:", _move_line("0", START, replay.start, "")]
    for number, move in enumerate(replay.moves, 1):
        action = " ".join([PLACE, *map(str, move.action)] if move.place else map(str, move.action))
        lines.append(_move_line(str(number), action, move.hash, move.remark))
    return "\n".join([*lines, f"end: {replay.end}"]) + "\n"


def _flat(name: str, value: Any) -> dict[str, Any]:
    """Return a setting as {name: value}, or a dict of settings as {name.part: value}."""
    if not isinstance(value, dict):
        return {name: value}
    parts = cast("dict[str, Any]", value)
    return {f"{name}.{part}": setting for part, setting in parts.items()}


def _move_line(number: str, action: str, state_hash: str, remark: str) -> str:
    remark = " ".join(remark.split())
    return f"{number:>4}  {action:<12}  {state_hash}" + (f"  # {remark}" if remark else "")


# --- reading


class Reader:
    """A parser that reads the lines from top to bottom: title, header, map, moves and end."""

    def __init__(self, text: str, source: str):
        self.text = text
        self.source = source
        self.lines = numbered_lines(text)
        self.at, self.line = 0, ""  # the current line and its number, counted from 1
        self.found: dict[str, Any] = {"config": {}, "notes": {}}
        self.step = 0

    def wrong(self, what: str, step: int | None = None) -> ReplayError:
        return ReplayError.at(what, self.source, self.at, step)

    def read(self) -> dict[str, Any]:
        """Parse the file content and return a dict with the fields of `Replay`."""
        self._title()
        line = self._header()
        if line == "map:":
            line = self._map()
        if line != "moves:":
            raise self.wrong(message("moves", found=line))
        moves: list[Any] = []
        self.found["moves"] = moves
        self._start(self._next(f"the line `0  {START}  HASH`"))
        while not (line := self._next("the next move or `end:`")).startswith("end:"):
            moves.append(self._move(line))
        self.found["end"] = self._end(line.removeprefix("end:").strip())
        self.found["end_line"] = self.at
        if line := self._written():
            raise self.wrong(message("after the end", found=line))
        if "env_id" not in self.found:
            raise ReplayError.at(message("no env"), self.source)
        return self.found

    def _written(self) -> str:
        """Return the next line that is neither blank nor a comment, or "" if there is none."""
        for number, line in self.lines:
            self.at, self.line = number, line
            if (words := line.strip()) and not words.startswith("#"):
                return words
        return ""

    def _next(self, expected: str) -> str:
        """Return the next line that is neither blank nor a comment. Raise ReplayError if there is none."""
        if line := self._written():
            return line
        self.at = self.text.count("\n") + 1
        raise self.wrong(message("end of file", step=self.step, expected=expected), self.step)

    def _title(self) -> None:
        self.at, self.line = next(self.lines, (1, ""))
        if not (found := _TITLE_LINE.fullmatch(self.line.strip())):
            raise NotAReplay.at(message("title", expected=f"{TITLE} {VERSION}"), self.source, 1)
        if int(found[1]) != VERSION:
            raise self.wrong(message("version", found=found[1], expected=VERSION))
        self.found["version"] = int(found[1])

    def _header(self) -> str:
        """Parse the `key: value` lines and return the line after them."""
        seen: set[str] = set()
        while (line := self._next("a line of the form `key: value`, `map:` or `moves:`")) not in ("map:", "moves:"):
            key, colon, value = (part.strip() for part in line.partition(":"))
            if not colon:
                raise self.wrong(message("header line", found=line))
            if key in seen:
                raise self.wrong(message("duplicate", key=key))
            seen.add(key)
            self._field(key, value)
        return line

    def _field(self, key: str, value: str) -> None:
        if key == "env":
            self.found["env_id"] = value
        elif key == "seed":
            if not _SEED.fullmatch(value):
                raise self.wrong(message("seed", found=value))
            self.found["seed"] = int(value)
        elif key in TEXTS:
            self.found[key] = self._text(key, value)
        elif note := _NOTE.fullmatch(key):
            self.found["notes"][note[1]] = self._text(key, value)
        elif name := _CONFIG.fullmatch(key):
            self._config(name[1], name[2], self._value(key, value))
        else:
            known = ", ".join(KEYS)
            raise self.wrong(message("unknown key", key=key, known=known))

    def _text(self, key: str, value: str) -> str:
        if not value.isprintable():
            raise self.wrong(message("unprintable", key=key, found=value))
        return value

    def _config(self, name: str, part: str | None, value: Any) -> None:
        config = self.found["config"]
        if part is None and name not in config:
            config[name] = value
        elif part is not None and isinstance(config.setdefault(name, {}), dict):
            config[name][part] = value
        else:
            raise self.wrong(message("config twice", name=name))

    def _value(self, key: str, value: str) -> Any:
        """Parse a value in JSON syntax: a number, "word", true, false or null."""
        try:
            if value[:1] in ("[", "{"):
                raise ValueError
            found = json.loads(value, parse_constant=_refuse)
            if found in (math.inf, -math.inf):
                raise ValueError
            return found
        except ValueError:
            raise self.wrong(message("config value", key=key, found=value)) from None

    def _map(self) -> str:
        """Parse the rows of the map, which start with `| `, and return the line after them."""
        rows: list[str] = []
        numbers: list[int] = []
        while (line := self._next("a row of the map or `moves:`")).startswith("|"):
            row = self.line.lstrip().removesuffix("\r")
            rows.append(row[2:] if row.startswith("| ") else row[1:])
            numbers.append(self.at)
        if not rows:
            raise self.wrong(message("map", found=line))
        self.found["map"], self.found["map_lines"] = "\n".join(rows) + "\n", tuple(numbers)
        return line

    def _words(self, line: str, number: int, what: str) -> tuple[list[str], str, str]:
        """Split the line for the move with this number into words, a hash and a remark."""
        content, _, remark = line.partition("#")
        words = content.split()
        if len(words) < 3 or words[0] != str(number) or not _HASH.fullmatch(words[-1]):
            raise self.wrong(message("move line", found=content.strip(), number=number, what=what), self.step)
        return words[1:-1], words[-1], remark.strip()

    def _start(self, line: str) -> None:
        words, self.found["start"], _ = self._words(line, 0, START)
        if words != [START]:
            raise self.wrong(message("start", found=line, expected=f"0  {START}  HASH"), 0)

    def _move(self, line: str) -> tuple[tuple[int, ...], str, bool, str, int]:
        """Parse a move and return the fields of `Move`."""
        place = line.split()[1:2] == [PLACE]
        self.step += not place
        words, state_hash, remark = self._words(line, len(self.found["moves"]) + 1, "ACTION")
        numbers = words[1:] if place else words
        if not numbers or not all(_WHOLE.fullmatch(word) for word in numbers):
            raise self.wrong(message("move", found=" ".join(words), place=PLACE), self.step)
        return tuple(map(int, numbers)), state_hash, place, remark, self.at

    def _end(self, text: str) -> tuple[str | None, dict[str, float]]:
        outcome, *rest = text.split(", ")
        figures = [_FIGURE.fullmatch(part) for part in rest]
        if not _OUTCOME.fullmatch(outcome) or not all(figures) or len({f[1] for f in figures if f}) < len(figures):
            raise self.wrong(message("end", found=text), self.step)
        values = {f[1]: float(f[2]) if f[3] or f[4] else int(f[2]) for f in figures if f}
        return (None if outcome == PLAYING else outcome), values


def _refuse(constant: str) -> None:
    raise ValueError(constant)
