"""Random maps for `shover generate` and `shover compare --random`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .config import USUAL, resolve_rules
from .generate import random_map
from .maps import Map

KEYWORDS = {
    "rows": "n_rows",
    "cols": "n_cols",
    "boxes": "number_of_boxes",
    "barriers": "number_of_barriers",
    "lavas": "number_of_lavas",
}


class MapGenerator:
    one_file = False

    def check(self, options: Mapping[str, Any]) -> None:
        resolve_rules(self._rules(options))

    def generate(self, seed: int, options: Mapping[str, Any]) -> Map:
        keywords = {ours: options.get(name) for name, ours in KEYWORDS.items()}
        return random_map(seed, rules=self._rules(options), solvable=bool(options.get("solvable")), **keywords)

    def suffix(self, options: Mapping[str, Any]) -> str:
        return "txt"

    def write(self, seeds: Sequence[int], options: Mapping[str, Any]) -> list[str | bytes]:
        return [self._text(seed, options) for seed in seeds]

    def _text(self, seed: int, options: Mapping[str, Any]) -> str:
        level = replace(self.generate(seed, options), title=f"Random map {seed}", about=f"Generated from seed {seed}.")
        return level.to_text(options.get("format") or "B")

    def _rules(self, options: Mapping[str, Any]) -> str:
        return options.get("rules") or USUAL  # a string without a preset modifies the default preset


GENERATOR = MapGenerator()
