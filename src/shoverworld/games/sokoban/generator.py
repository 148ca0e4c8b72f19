"""Random rooms for `shover generate` and `shover compare --random`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shoverworld.core.errors import ConfigError
from shoverworld.core.rules_text import parse_rules

from .config import RULES
from .formats import levels_text
from .levels import Level
from .rooms import RoomGenerator, RoomNumbers, room_numbers


class SokobanGenerator:
    one_file = True

    def check(self, options: Mapping[str, Any]) -> None:
        self._numbers(options)

    def generate(self, seed: int, options: Mapping[str, Any]) -> Level:
        return self._level(RoomGenerator(self._numbers(options)), seed, options)

    def suffix(self, options: Mapping[str, Any]) -> str:
        return "xsb"

    def write(self, seeds: Sequence[int], options: Mapping[str, Any]) -> list[str | bytes]:
        rooms = RoomGenerator(self._numbers(options))
        return [levels_text([self._level(rooms, seed, options)]) for seed in seeds]

    def _level(self, rooms: RoomGenerator, seed: int, options: Mapping[str, Any]) -> Level:
        level = rooms.generate(seed).level
        return replace(level, rules=self._rules(options)) if options.get("rules") else level

    def _rules(self, options: Mapping[str, Any]) -> str:
        """Return the rules for a level: the requested rules, changed by the options that set a rule."""
        changes = [f"{name}={options[name]}" for name in ("players", "fixed_targets") if options.get(name) is not None]
        return ", ".join(filter(None, (options.get("rules"), *changes)))

    def _numbers(self, options: Mapping[str, Any]) -> RoomNumbers:
        """Return the settings for a room. Raise ConfigError if the settings are inconsistent."""
        usual = parse_rules(self._rules(options), RULES)
        rows, cols = (
            usual.dim_room[side] if options.get(name) is None else options[name]
            for side, name in enumerate(("rows", "cols"))
        )
        if options.get("size") is not None:
            found = re.fullmatch(r"\s*(\d{1,4})\s*[x×*,]\s*(\d{1,4})\s*", options["size"], re.IGNORECASE)
            if not found:
                raise ConfigError(f"--size {options['size']}: expected rows x columns, for example 10x10")
            rows, cols = int(found[1]), int(found[2])
        boxes = {} if options.get("boxes") is None else {"num_boxes": options["boxes"]}
        rules = usual.change(dim_room=(rows, cols), **boxes)
        return room_numbers(rules, options.get("min_score") or 0, options.get("min_pushes") or 0)


GENERATOR = SokobanGenerator()
