"""Random tracks for `shover generate` and `shover compare --random`."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PIL import Image

from shoverworld.core.errors import ConfigError

from .boards import Grid
from .generate import random_track
from .tracks import Track

KEYWORDS = ("closed", "rows", "cols", "width", "twist")


class TrackGenerator:
    one_file = False

    def check(self, options: Mapping[str, Any]) -> None:
        if options.get("rules") and options.get("format") == "png":
            raise ConfigError("--format png: a picture cannot contain rules; use --format symbols or numbers")
        self._track(0, options)

    def generate(self, seed: int, options: Mapping[str, Any]) -> Grid:
        return Grid(self._track(seed, options))

    def suffix(self, options: Mapping[str, Any]) -> str:
        return "png" if options.get("format") == "png" else "txt"

    def write(self, seeds: Sequence[int], options: Mapping[str, Any]) -> list[str | bytes]:
        return [self._contents(self._track(seed, options), options.get("format") or "symbols") for seed in seeds]

    def _track(self, seed: int, options: Mapping[str, Any]) -> Track:
        track = random_track(seed, **{name: options[name] for name in KEYWORDS if options.get(name) is not None})
        return replace(track, rules=options["rules"]) if options.get("rules") else track

    def _contents(self, track: Track, format: str) -> str | bytes:
        if format != "png":
            return track.to_text(format)
        picture = io.BytesIO()
        Image.fromarray(track.to_image()).save(picture, "PNG")
        return picture.getvalue()


GENERATOR = TrackGenerator()
