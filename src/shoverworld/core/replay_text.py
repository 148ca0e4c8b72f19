"""The text of a replay, written and strictly read. docs/replays.md describes it; replay.py gives it meaning.

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
from typing import Any

from .errors import NotAReplay, ReplayError

TITLE, VERSION = "shoverworld replay", 1
PLACE, START, PLAYING = "place", "start", "playing"
TEXTS = ("player", "date", "comment")

_TITLE_LINE = re.compile(rf"{TITLE} ([1-9][0-9]{{0,5}})")
_CONFIG = re.compile(r"config\.([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?")
_NOTE = re.compile(r"note\.([A-Za-z_][A-Za-z0-9_-]*)")
_SEED = re.compile(r"[0-9]{1,4000}")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_HASH = re.compile(r"[0-9a-f]{16}")
_OUTCOME = re.compile(r"[a-z_]+")
_FIGURE = re.compile(r"([a-z_]+) (-?[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,2})?)")


# --- writing


def written(replay: Any) -> str:
    lines = [f"{TITLE} {replay.version}", f"env: {replay.env_id}"]
    for name, value in replay.config.items():
        parts = {f"{name}.{part}": v for part, v in value.items()} if isinstance(value, dict) else {name: value}
        lines += [f"config.{key}: {json.dumps(v, allow_nan=False)}" for key, v in parts.items()]
    lines += [f"seed: {replay.seed}"] if replay.seed is not None else []
    lines += [f"{name}: {getattr(replay, name)}" for name in TEXTS if getattr(replay, name)]
    lines += [f"note.{name}: {text}" for name, text in replay.notes.items()]
    if replay.map:
        lines += ["map:", *(f"| {row}" if row else "|" for row in replay.map.removesuffix("\n").split("\n"))]
    lines += ["moves:", _move_line("0", START, replay.start, "")]
    for number, move in enumerate(replay.moves, 1):
        told = " ".join([PLACE, *map(str, move.action)] if move.place else map(str, move.action))
        lines.append(_move_line(str(number), told, move.hash, move.remark))
    return "\n".join([*lines, f"end: {replay.end}"]) + "\n"


def _move_line(number: str, told: str, state_hash: str, remark: str) -> str:
    remark = " ".join(remark.split())
    return f"{number:>4}  {told:<12}  {state_hash}" + (f"  # {remark}" if remark else "")


# --- reading


class Reader:
    """Reads the lines from top to bottom: the title, the header, the map, the moves, the end."""

    def __init__(self, text: str, source: str):
        self.lines = [line.removesuffix("\r") for line in text.split("\n")]
        self.source = source
        self.at = 0  # lines read so far: the number, from 1, of the present one
        self.found: dict[str, Any] = {"config": {}, "notes": {}}
        self.step = 0

    def wrong(self, what: str, step: int | None = None) -> ReplayError:
        return ReplayError.at(what, self.source, self.at, step)

    def read(self) -> dict[str, Any]:
        """What the file says, under the names of the fields of `Replay`."""
        self._title()
        line = self._header()
        if line == "map:":
            line = self._map()
        if line != "moves:":
            raise self.wrong(f"found {line!r:.60}; expected `moves:`")
        self.found["moves"] = []
        self._start(self._next(f"the line `0  {START}  HASH`"))
        while not (line := self._next("the next move or `end:`")).startswith("end:"):
            self.found["moves"].append(self._move(line))
        self.found["end"] = self._end(line.removeprefix("end:").strip())
        self.found["end_line"] = self.at
        while self.at < len(self.lines):
            if (line := self._line()) and not line.startswith("#"):
                raise self.wrong(f"found {line!r:.60} after the end; expected nothing more")
        if "env_id" not in self.found:
            raise ReplayError.at("the header has no line `env: ID`", self.source)
        return self.found

    def _line(self) -> str:
        self.at += 1
        return self.lines[self.at - 1].strip()

    def _next(self, expected: str) -> str:
        """The next line that is neither blank nor a comment."""
        while self.at < len(self.lines):
            if (line := self._line()) and not line.startswith("#"):
                return line
        raise self.wrong(f"the file ends here, after step {self.step}; expected {expected}", self.step)

    def _title(self) -> None:
        if not (found := _TITLE_LINE.fullmatch(self._line())):
            raise NotAReplay.at(f"this is not a replay; expected the first line `{TITLE} {VERSION}`", self.source, 1)
        if int(found[1]) != VERSION:
            raise self.wrong(f"the format is version {found[1]}; this program reads version {VERSION}")
        self.found["version"] = int(found[1])

    def _header(self) -> str:
        """Reads the `key: value` lines; returns the line after them."""
        seen = set()
        while (line := self._next("a line `key: value`, `map:` or `moves:`")) not in ("map:", "moves:"):
            key, colon, value = (part.strip() for part in line.partition(":"))
            if not colon:
                raise self.wrong(f"found {line!r:.60}; expected a line `key: value`, `map:` or `moves:`")
            if key in seen:
                raise self.wrong(f"a second line `{key}:`; expected one")
            seen.add(key)
            self._field(key, value)
        return line

    def _field(self, key: str, value: str) -> None:
        if key == "env":
            self.found["env_id"] = value
        elif key == "seed":
            if not _SEED.fullmatch(value):
                raise self.wrong(f"seed: {value!r:.40}; expected a whole number from 0 on")
            self.found["seed"] = int(value)
        elif key in TEXTS:
            self.found[key] = self._text(key, value)
        elif note := _NOTE.fullmatch(key):
            self.found["notes"][note[1]] = self._text(key, value)
        elif name := _CONFIG.fullmatch(key):
            self._config(name[1], name[2], self._value(key, value))
        else:
            known = ", ".join(("env", "seed", *TEXTS, "config.NAME", "note.NAME", "map", "moves"))
            raise self.wrong(f"unknown key {key!r:.60}; expected one of {known}")

    def _text(self, key: str, value: str) -> str:
        if not value.isprintable():
            raise self.wrong(f"{key}: {value!r:.60} has characters that cannot be printed")
        return value

    def _config(self, name: str, part: str | None, value: Any) -> None:
        config = self.found["config"]
        if part is None and name not in config:
            config[name] = value
        elif part is not None and isinstance(config.setdefault(name, {}), dict):
            config[name][part] = value
        else:
            raise self.wrong(f"config.{name} is given both as one value and in parts; expected either")

    def _value(self, key: str, value: str) -> Any:
        """One number, "word", true, false or null, as JSON writes them."""
        try:
            if value[:1] in ("[", "{"):
                raise ValueError
            found = json.loads(value, parse_constant=_refuse)
            if found in (math.inf, -math.inf):
                raise ValueError
            return found
        except ValueError:
            raise self.wrong(f'{key}: {value!r:.60}; expected a number, "word", true, false or null') from None

    def _map(self) -> str:
        """Reads the rows, each after `| `; returns the line after them."""
        rows, numbers = [], []
        while (line := self._next("a row of the map or `moves:`")).startswith("|"):
            row = self.lines[self.at - 1].lstrip()
            rows.append(row[2:] if row.startswith("| ") else row[1:])
            numbers.append(self.at)
        if not rows:
            raise self.wrong(f"found {line!r:.60}; expected the rows of the map, each after `| `")
        self.found["map"], self.found["map_lines"] = "\n".join(rows) + "\n", tuple(numbers)
        return line

    def _words(self, line: str, number: int, what: str) -> tuple[list[str], str, str]:
        """The words and the hash of the line with this number, and the remark behind it."""
        said, _, remark = line.partition("#")
        words = said.split()
        if len(words) < 3 or words[0] != str(number) or not _HASH.fullmatch(words[-1]):
            raise self.wrong(
                f"found {said.strip()!r:.60}; expected number {number}: `{number}  {what}  HASH`, "
                "with a hash of 16 digits 0-9 a-f",
                self.step,
            )
        return words[1:-1], words[-1], remark.strip()

    def _start(self, line: str) -> None:
        words, self.found["start"], _ = self._words(line, 0, START)
        if words != [START]:
            raise self.wrong(f"found {line!r:.60}; expected `0  {START}  HASH`", 0)

    def _move(self, line: str) -> tuple[tuple[int, ...], str, bool, str, int]:
        """A move, as the fields of `Move`."""
        place = line.split()[1:2] == [PLACE]
        self.step += not place
        words, state_hash, remark = self._words(line, len(self.found["moves"]) + 1, "ACTION")
        numbers = words[1:] if place else words
        if not numbers or not all(_WHOLE.fullmatch(word) for word in numbers):
            raise self.wrong(
                f"found the move {' '.join(words)!r:.40}; expected whole numbers, or {PLACE} and whole numbers",
                self.step,
            )
        return tuple(map(int, numbers)), state_hash, place, remark, self.at

    def _end(self, told: str) -> tuple[str | None, dict[str, float]]:
        outcome, *rest = told.split(", ")
        figures = [_FIGURE.fullmatch(part) for part in rest]
        if not _OUTCOME.fullmatch(outcome) or not all(figures) or len({f[1] for f in figures if f}) < len(figures):
            raise self.wrong(
                f"end: {told!r:.60}; expected an outcome and figures, like `end: cleared, steps 3, stamina 960.0`",
                self.step,
            )
        values = {f[1]: float(f[2]) if f[3] or f[4] else int(f[2]) for f in figures if f}
        return (None if outcome == PLAYING else outcome), values


def _refuse(constant: str) -> None:
    raise ValueError(constant)
