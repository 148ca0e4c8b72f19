"""Colour schemes for track pictures: which colour means which kind of cell.

The scheme from the race report is the default. Another scheme is given as a string,
`start=green,finish=blue,track=white,off=red`, or as a dict. A colour is a name or #rrggbb; in a dict it may also be a
tuple (red, green, blue). A kind of cell that the scheme omits keeps its colour from the race report.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from PIL import ImageColor

from shoverworld.core.checks import known
from shoverworld.core.errors import ConfigError

from .codes import COLOURS, FINISH, FREE, NEAR, OFF, START

Colour = tuple[int, int, int]
Colours = str | Mapping[str, str | Colour]

KINDS = {"start": START, "finish": FINISH, "track": FREE, "off": OFF}
WORDS = {OFF: "off the track", FREE: "track", START: "start", FINISH: "finish"}
EXAMPLE = "start=green,finish=blue,track=white,off=red"
TRANSPARENT = "transparent"
MOST_LISTED = 12  # if a picture has more colours than this, similar colours are counted together

# The names that messages use. Many programs call (0, 128, 0) green; the green in the race report is (0, 255, 0).
NAMES: dict[Colour, str] = {
    (255, 0, 0): "red", (0, 255, 0): "green", (0, 128, 0): "green", (0, 0, 255): "blue", (255, 255, 255): "white",
    (0, 0, 0): "black", (128, 128, 128): "grey", (255, 255, 0): "yellow", (255, 165, 0): "orange",
    (0, 255, 255): "cyan", (255, 0, 255): "magenta", (128, 0, 128): "purple", (165, 42, 42): "brown",
}  # fmt: skip


class Scheme(NamedTuple):
    """The shades and the kinds of cells that they stand for, and the colour name for each kind of cell."""

    shades: tuple[tuple[Colour, int], ...]
    names: dict[int, str]

    @property
    def expected(self) -> str:
        """A description of the scheme: "red (off the track), green (track), blue (start) or white (finish)"."""
        *others, last = (f"{self.names[code]} ({WORDS[code]})" for code in COLOURS)
        return f"{', '.join(others)} or {last}"


def scheme(given: Colours | None = None) -> Scheme:
    """Return the scheme that `given` describes.

    None means the scheme of the running command, usually that of the race report.
    """
    if given is None:
        return _current
    colours = _parsed(given) if isinstance(given, str) else given
    if not isinstance(colours, Mapping):
        raise ConfigError(f"colours={given!r:.60}: must be a string such as {EXAMPLE!r}, or a dict")
    known({str(kind): 0 for kind in colours}, list(KINDS), "kind of cell")
    named = {KINDS[kind]: _shades(kind, colour) for kind, colour in colours.items()}
    shades = {code: named.get(code) or _shades("", name_of(colour)) for code, colour in COLOURS.items()}
    _check_distinct(shades, named)
    return Scheme(
        tuple((shade, code) for code, own in shades.items() for shade in own),
        {code: name_of(own[0]) for code, own in shades.items()},
    )


def _parsed(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        kind, sign, colour = (word.strip() for word in part.partition("="))
        if not (kind and sign and colour) or kind in found:
            raise ConfigError(f"colours={text!r:.80}: must be pairs KIND=COLOUR such as {EXAMPLE}, each kind only once")
        found[kind] = colour
    return found


def _shades(kind: str, colour: Any) -> tuple[Colour, ...]:
    """Return the shades that a colour stands for. Only green stands for more than one shade."""
    if isinstance(colour, str):
        name = colour.strip().lower()
        if own := tuple(shade for shade, known_name in NAMES.items() if known_name == name):
            return own
        if re.fullmatch(r"#[0-9a-f]{6}", name) or name in ImageColor.colormap:
            return (ImageColor.getrgb(name)[:3],)
    elif isinstance(colour, tuple | list) and len(colour) == 3 and all(part in range(256) for part in colour):
        red, green, blue = map(int, colour)
        return ((red, green, blue),)
    raise ConfigError(f"colours: {kind}={colour!r:.40} is not a colour; expected a name such as green, or #rrggbb")


def _check_distinct(shades: dict[int, tuple[Colour, ...]], named: Mapping[int, Any]) -> None:
    """Raise ConfigError if two kinds of cells have the same colour."""
    owners: dict[Colour, int] = {}
    kinds = {code: kind for kind, code in KINDS.items()}
    for code in sorted(kinds, key=lambda code: code not in named):  # the given colours come first
        for shade in shades[code]:
            if (other := owners.setdefault(shade, code)) != code:
                usual = (
                    "" if code in named else f", because {kinds[code]} is {name_of(shade)} unless you set its colour"
                )
                raise ConfigError(f"colours: {kinds[other]} and {kinds[code]} are both {name_of(shade)}{usual}")


REPORT = Scheme(
    tuple((shade, code) for code, colour in COLOURS.items() for shade in _shades("", NAMES[colour])),
    {code: NAMES[colour] for code, colour in COLOURS.items()},
)
_current = REPORT


@contextmanager
def reading(options: Mapping[str, Any]) -> Iterator[None]:
    """Read all pictures in the scheme that `options["colours"]` specifies, until the context ends (`Game.reading`)."""
    global _current
    before, _current = _current, scheme(options.get("colours"))
    try:
        yield
    finally:
        _current = before


# --- names of colours


def name_of(colour: Colour) -> str:
    """Return the name of a colour, or #rrggbb if it has none."""
    return NAMES.get(colour) or "#{:02x}{:02x}{:02x}".format(*colour)


def names_of(kinds: np.ndarray) -> list[str]:
    """Return the name of each colour of a picture. Similar colours have the same name if there are many colours.

    kinds: uint8 (n, 4), the different colours with their opacity.
    """
    many = len(kinds) > MOST_LISTED
    return [
        TRANSPARENT if opacity < 128 else _similar(colour) if many else name_of((colour[0], colour[1], colour[2]))
        for *colour, opacity in kinds.tolist()
    ]


def in_words(counts: Mapping[str, int]) -> str:
    """Describe the pixels of a picture: "40 red, 12 white and 3 green pixels". counts: the pixels of each colour."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    shown = [f"{number:,} {name}" for name, number in ordered[:MOST_LISTED]]
    if rest := sum(number for _, number in ordered[MOST_LISTED:]):
        shown.append(f"{rest:,} other")
    *others, last = shown
    return f"{', '.join(others)} and {last} pixels" if others else f"{last} pixels"


def example_for(names: list[str], counts: list[int], pixels: np.ndarray, border: np.ndarray, scheme: Scheme) -> str:
    """Return an example of --colours for a picture, made of its four most frequent colours.

    The most frequent colour on the border is assumed to mean off the track, and the most frequent other colour to mean
    track.
    pixels and border: the index in `names` of every pixel, and of the pixels on the border.
    """
    visible = [i for i in range(len(names)) if names[i] != TRANSPARENT]
    common = sorted(visible, key=lambda i: -counts[i])[:4]
    if len(common) < 4:
        return "as start=COLOUR,finish=COLOUR,track=COLOUR,off=COLOUR"
    on_border = np.bincount(border, minlength=len(names))
    off = max(common, key=lambda i: on_border[i])
    track, *ends = [i for i in common if i != off]
    first = {i: int(np.argmax(pixels == i)) for i in ends}
    start, finish = sorted(ends, key=lambda i: (names[i] == scheme.names[FINISH], first[i]))
    meanings = {"start": names[start], "finish": names[finish], "track": names[track], "off": names[off]}
    if all(scheme.names[KINDS[kind]] == name for kind, name in meanings.items()):
        return f"or draw only {scheme.expected}"
    given = ",".join(f"{kind}={name}" for kind, name in meanings.items())
    return f"for example --colours {given} (adapt this guess to the picture)"


def _similar(colour: list[int]) -> str:
    """Return the name of the nearest named colour, or #rrggbb if no named colour is near."""
    nearest = min(NAMES, key=lambda shade: sum((a - b) ** 2 for a, b in zip(shade, colour, strict=True)))
    near = sum((a - b) ** 2 for a, b in zip(nearest, colour, strict=True)) <= NEAR * NEAR
    return NAMES[nearest] if near else name_of((colour[0], colour[1], colour[2]))
