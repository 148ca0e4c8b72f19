"""The table of ids: sizes, boxes and limits as in gym-sokoban, and one more id with four actions.

The game's descriptor imports this module, so it imports the standard library only.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .config import SokobanRules

RANDOM = "random"  # levels="random": generate rooms, also for an id that has levels
BOXOBAN = "boxoban:"  # the prefix of a part of Boxoban's levels, see boxoban.py


class Preset(NamedTuple):
    """An id: its rules, its levels ("": generated rooms), and a few words about it."""

    name: str
    rules: dict[str, Any]
    about: str
    levels: str = ""


def _sizes(family: str, what: str, sizes: list[tuple[int, int, int, int]], **rules: Any) -> list[Preset]:
    """The versions of a family: rows, columns, boxes, steps."""
    return [
        Preset(f"{family}-v{n}", {"dim_room": (rows, cols), "num_boxes": boxes, "max_steps": steps, **rules}, what)
        for n, (rows, cols, boxes, steps) in enumerate(sizes)
    ]


def _boxoban(name: str, part: str, what: str) -> Preset:
    return Preset(name, {"dim_room": (10, 10), "num_boxes": 4, "max_steps": 200}, what, BOXOBAN + part)


_FOUR_SIZES = [(10, 10, 3, 150), (10, 10, 4, 150), (7, 7, 2, 150), (7, 7, 3, 150)]

PRESETS = {
    preset.name: preset
    for preset in (
        *_sizes("Sokoban", "a new random room in each game", [(10, 10, 3, 200), (10, 10, 4, 120), (10, 10, 5, 200)]),
        *_sizes("Sokoban-small", "a small room", [(7, 7, 2, 200), (7, 7, 3, 200)]),
        *_sizes("Sokoban-large", "a large room", [(13, 11, 3, 300), (13, 11, 4, 300), (13, 11, 5, 300)]),
        *_sizes("Sokoban-huge", "a huge room", [(13, 13, 5, 300)]),
        *_sizes("Sokoban-4a", "four actions: a move pushes when it can", [(10, 10, 3, 200)], moves="four"),
        *_sizes("FixedTarget-Sokoban", "every box has its own target", _FOUR_SIZES, fixed_targets=True),
        *_sizes(
            "PushAndPull-Sokoban",
            "boxes can also be pulled",
            [*_FOUR_SIZES, (13, 11, 4, 300), (13, 11, 5, 300)],
            pull=True,
        ),
        *_sizes(
            "TwoPlayer-Sokoban",
            "two players, either may act",
            [(7, 7, 2, 200), (7, 7, 3, 200), (10, 10, 3, 200), (10, 10, 4, 200), (13, 11, 3, 200), (13, 11, 4, 200)],
            players=2,
        ),
        _boxoban("Boxoban-Train-v0", "unfiltered/train", "Boxoban's unfiltered levels, to train on"),
        _boxoban("Boxoban-Val-v0", "unfiltered/valid", "unfiltered, to validate with"),
        _boxoban("Boxoban-Test-v0", "unfiltered/test", "unfiltered, to test with"),
        _boxoban("Boxoban-Train-v1", "medium/train", "Boxoban's medium levels, to train on"),
        _boxoban("Boxoban-Val-v1", "medium/valid", "medium, to validate with"),
        _boxoban("Boxoban-Hard-v0", "hard", "Boxoban's hard levels"),
    )
}


def preset_rules(name: str) -> "SokobanRules":
    """The rules of an id, by its name without the namespace."""
    from shoverworld.core.checks import word  # these two import NumPy and Gymnasium

    from .config import SokobanRules

    return SokobanRules(**PRESETS[word("rules", name, PRESETS)].rules)
