"""Exam files: read and check an exam in TOML. Every error names the file, the key, the value and what would be right."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.files import NotText, Unreadable, decoded, read_bounded
from shoverworld.core.game import Game, Option
from shoverworld.core.rules_text import asked_rules
from shoverworld.games import all_games, game_named

from .exam import DETAILS, Exam, ExamLimits, LevelGroup, Points

LARGEST = 2**20  # bytes of an exam file
MOST_LEVELS = 100_000
_EXAM = ("title", "game", "repetitions", "players", "secret", "imports", "details", "reference_seconds")
_TABLES = ("rules", "limits", "points", "levels")
_GROUP = ("name", "places", "random", "seed", "options", "public", "weight")


class ExamError(ConfigError):
    """An exam file is wrong."""


def read_exam(path: str | PathLike[str]) -> Exam:
    """Read an exam file."""
    source = Path(path)
    try:
        text = decoded(read_bounded(source, LARGEST))
    except FileNotFoundError:
        raise ExamError(f"{source}: the file does not exist; `shover grade --new {source}` writes an example") from None
    except (Unreadable, NotText) as reason:
        raise ExamError(f"{source}: the exam file cannot be read: {reason}") from None
    return parse_exam(text, source)


def parse_exam(text: str, path: Path | None = None) -> Exam:
    """Parse the text of an exam file. `path`: the file, for error messages and for relative places."""
    source = str(path or "exam")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExamError(f"{source}: {_first_small(str(error))}") from None
    return _Reader(data, source, path).exam()


def _first_small(text: str) -> str:
    return text[:1].lower() + text[1:]


class _Reader:
    """The checks of one file."""

    def __init__(self, data: Mapping[str, Any], source: str, path: Path | None):
        self.data, self.source, self.path = data, source, path

    def exam(self) -> Exam:
        data = self.data
        self._known("", data, (*_EXAM, *_TABLES))
        name = self._text("", data, "game", next(iter(all_games())))
        if name not in all_games():
            self._wrong("game", name, f"the games are {', '.join(all_games())}", all_games())
        game = game_named(name)
        exam = Exam(
            self._text("", data, "title", self.path.stem if self.path else "Exam"),
            name,
            self._rules(game),
            self._groups(game),
            self._whole("", data, "repetitions", 1, 1, 10_000),
            self._limits(),
            self._points(game),
            self._words("", data, "imports") if "imports" in data else None,
            self._details(),
            self._players(game),
            self.path,
            self._text("", data, "secret", ""),
            self._number("", data, "reference_seconds", Exam.reference_seconds),
        )
        return exam

    def _rules(self, game: Game) -> str:
        """Return the rules: a table with a preset and single rules, or a text such as "phase2, initial_force=30"."""
        table = self.data.get("rules", {})
        if isinstance(table, str):
            preset, *words = re.sub(r"\s*=\s*", "=", table).replace(",", " ").split() or [""]
            if "=" in preset:
                preset, words = "", [preset, *words]
        elif isinstance(table, dict):
            preset = self._text("rules", table, "preset", "")
            words = _rule_words({name: value for name, value in table.items() if name != "preset"})
        else:
            self._wrong("rules", table, "must be a table, which begins with [rules]")
        parts = [("rules.preset", []), *((f"rules.{word.partition('=')[0]}", [word]) for word in words)]
        for key, changes in parts:  # one by one, so that an error names its key
            try:
                asked_rules(game, preset or None, changes)
            except ShoverWorldError as error:
                raise ExamError(f"{self.source}, {key}: {error}") from None
        try:
            return asked_rules(game, preset or None, words)
        except ShoverWorldError as error:
            raise ExamError(f"{self.source}, rules: {error}") from None

    def _limits(self) -> ExamLimits:
        table = self._table("limits", [field.name for field in fields(ExamLimits)])
        move = self._number("limits", table, "move_seconds", 0.0) if "move_seconds" in table else None
        for key in ("move_seconds", "game_seconds"):
            if key in table and self._number("limits", table, key, 0.0) == 0:
                self._wrong(f"limits.{key}", 0, "must be more than 0")
        memory = self._number("limits", table, "memory", ExamLimits.memory)
        if memory < 128:
            self._wrong(
                "limits.memory", table["memory"], "must be at least 128 (megabytes): Python itself needs as much"
            )
        return ExamLimits(move, self._number("limits", table, "game_seconds", ExamLimits.game_seconds), memory)

    def _points(self, game: Game) -> Points:
        table = self._table("points", [field.name for field in fields(Points)])
        numbers = {
            key: self._number("points", table, key, getattr(Points, key))
            for key in ("solved", "quality", "invalid", "failure")
        }
        measures = list(dict.fromkeys([*game.figures, *(name for name in game.objectives if name != "any")]))
        measure = self._text("points", table, "measure", game.figures[0])
        if measure not in measures:
            self._wrong("points.measure", measure, f"the measures of {game.title} are {', '.join(measures)}", measures)
        points = Points(numbers["solved"], numbers["quality"], measure, numbers["invalid"], numbers["failure"])
        if points.most <= 0:
            self._wrong("points.solved", points.solved, "a game must be worth something: set solved or quality above 0")
        return points

    def _details(self) -> tuple[str, ...]:
        words = self._words("", self.data, "details") if "details" in self.data else DETAILS
        for word in words:
            if word not in DETAILS:
                self._wrong("details", word, f"the details are {', '.join(DETAILS)}", DETAILS)
        return tuple(word for word in DETAILS if word in words)

    def _players(self, game: Game) -> int:
        players = self._whole("", self.data, "players", 1, 1, 100)
        if players > 1 and not game.multiplayer:
            several = ", ".join(other.name for other in all_games().values() if other.multiplayer)
            self._wrong(
                "players", players, f"{game.title} is a game for one player (for several: {several}); must be 1"
            )
        return players

    # --- levels

    def _groups(self, game: Game) -> tuple[LevelGroup, ...]:
        tables = self.data.get("levels", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._wrong("levels", tables, "write a table for each group of levels, which begins with [[levels]]")
        if not tables:
            raise ExamError(f"{self.source}: the exam has no levels; add a table that begins with [[levels]]")
        groups: list[LevelGroup] = []
        for number, table in enumerate(tables, 1):
            groups.append(self._group(f"levels {number}", table, game))
            if groups[-1].name in [group.name for group in groups[:-1]]:
                self._wrong(f"levels {number}.name", groups[-1].name, "two groups have this name; choose another one")
        return tuple(groups)

    def _group(self, at: str, table: Mapping[str, Any], game: Game) -> LevelGroup:
        self._known(at, table, _GROUP)
        public = self._truth(at, table, "public", False)
        name = self._text(at, table, "name", "public" if public else "hidden")
        if not re.fullmatch(r"[\w][\w .-]{0,60}", name):
            self._wrong(f"{at}.name", name, "must consist of letters, digits, spaces, dots, - and _ (at most 60)")
        places = table.get("places", [])
        places = (places,) if isinstance(places, str) else self._words(at, table, "places")
        random = self._whole(at, table, "random", 0, 0, MOST_LEVELS)
        if not places and not random:
            raise ExamError(f"{self.source}, {at}: no levels; set places = [...] (files, folders, sets) or random = N")
        options = self._options(f"{at}.options", table.get("options", {}), game)
        if options and not random:
            raise ExamError(f"{self.source}, {at}.options: these are options for random levels; set random = N too")
        seed = table.get("seed", "")
        if isinstance(seed, bool) or not isinstance(seed, (str, int)):
            self._wrong(f"{at}.seed", seed, "must be a text or an integer")
        weight = self._number(at, table, "weight", 1.0)
        return LevelGroup(name, tuple(places), random, str(seed), options, public, weight)

    def _options(self, at: str, table: Any, game: Game) -> dict[str, Any]:
        if not isinstance(table, dict):
            self._wrong(at, table, "must be a table, such as options = { rows = 8 }")
        usable = {option.dest: option for option in game.generate_options if option.dest not in ("rules", "format")}
        self._known(at, table, usable)
        options = {name: self._option(f"{at}.{name}", usable[name], value) for name, value in table.items()}
        if options and game.generator is not None:
            try:
                game.generator.check({**options, "rules": self._rules(game)})
            except ShoverWorldError as error:
                raise ExamError(f"{self.source}, {at}: {error}") from None
        return options

    def _option(self, at: str, option: Option, value: Any) -> Any:
        if option.switch:
            if not isinstance(value, bool):
                self._wrong(at, value, "must be true or false")
            return value or None
        if option.choices and value not in option.choices:
            self._wrong(at, value, f"must be one of {', '.join(option.choices)}", option.choices)
        right = {int: int, float: (int, float)}.get(option.type, str)  # type: ignore[call-overload]
        if isinstance(value, bool) or not isinstance(value, right):
            kind = {int: "an integer", float: "a number"}.get(option.type, "a text")  # type: ignore[call-overload]
            self._wrong(at, value, f"must be {kind}: {option.help}")
        return value

    # --- values

    def _table(self, key: str, known: Iterable[str] | None = None) -> Mapping[str, Any]:
        table = self.data.get(key, {})
        if not isinstance(table, dict):
            self._wrong(key, table, f"must be a table, which begins with [{key}]")
        if known is not None:
            self._known(key, table, known)
        return table

    def _known(self, at: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
        known = tuple(known)
        for key in table:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]!r}? The" if near else "the"
                place = f"{at}.{key}" if at else key
                raise ExamError(f"{self.source}, {place}: there is no such key; {hint} keys are {', '.join(known)}")

    def _text(self, at: str, table: Mapping[str, Any], key: str, usual: str) -> str:
        value = table.get(key, usual)
        if not isinstance(value, str) or not value.isprintable():
            self._wrong(f"{at}.{key}" if at else key, value, 'must be a text in quotation marks, such as "..."')
        return value

    def _words(self, at: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) and word.strip() for word in value):
            self._wrong(f"{at}.{key}" if at else key, value, 'must be a list of texts, such as ["numpy", "math"]')
        return tuple(value)

    def _truth(self, at: str, table: Mapping[str, Any], key: str, usual: bool) -> bool:
        value = table.get(key, usual)
        if not isinstance(value, bool):
            self._wrong(f"{at}.{key}", value, "must be true or false")
        return value

    def _number(self, at: str, table: Mapping[str, Any], key: str, usual: float) -> float:
        value = table.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e9:
            self._wrong(f"{at}.{key}" if at else key, value, "must be a number from 0 to 1e9")
        return float(value)

    def _whole(self, at: str, table: Mapping[str, Any], key: str, usual: int, least: int, most: int) -> int:
        value = table.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self._wrong(f"{at}.{key}" if at else key, value, f"must be an integer from {least} to {most:,}")
        return value

    def _wrong(self, key: str, value: Any, right: str, words: Iterable[str] = ()) -> NoReturn:
        near = get_close_matches(value, list(words), 1) if isinstance(value, str) and len(value) < 100 else []
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ExamError(f"{self.source}, {key} = {value!r:.60}: {hint}{right}")


def _rule_words(table: Mapping[str, Any], within: str = "") -> list[str]:
    """Return single rules as NAME=VALUE (core/rules_text.py). In TOML, `reward.lava = 1` is a table in a table."""
    words: list[str] = []
    for name, value in table.items():
        if isinstance(value, dict):
            words += _rule_words(value, f"{within}{name}.")
        else:
            words.append(f"{within}{name}={str(value).lower() if isinstance(value, bool) else value}")
    return words
