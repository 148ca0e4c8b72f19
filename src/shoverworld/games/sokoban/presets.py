"""The settings of every Sokoban environment id: the ids of gym-sokoban, and `Sokoban-4a` with four actions.

This module is imported along with the package, so it avoids heavy imports.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .config import SokobanRules

RANDOM = "random"  # levels="random" generates rooms, even for an id that has its own levels
BOXOBAN = "boxoban:"  # prefix for the names of parts of Boxoban; see level_sets.py


class IdSettings(NamedTuple):
    """The settings of one environment id; `levels` is "" if rooms are generated."""

    name: str
    rules: dict[str, Any]
    about: str
    levels: str = ""


def _sizes(family: str, about: str, sizes: list[tuple[int, int, int, int]], **rules: Any) -> list[IdSettings]:
    """Return the settings for all versions of a family. Each item of `sizes` is (rows, columns, boxes, step limit)."""
    return [
        IdSettings(f"{family}-v{n}", {"dim_room": (rows, cols), "num_boxes": boxes, "max_steps": steps, **rules}, about)
        for n, (rows, cols, boxes, steps) in enumerate(sizes)
    ]


def _boxoban(name: str, part: str, about: str) -> IdSettings:
    return IdSettings(name, {"dim_room": (10, 10), "num_boxes": 4, "max_steps": 200}, about, BOXOBAN + part)


_FOUR_SIZES = [(10, 10, 3, 150), (10, 10, 4, 150), (7, 7, 2, 150), (7, 7, 3, 150)]

PRESETS = {
    settings.name: settings
    for settings in (
        *_sizes("Sokoban", "a new room every episode", [(10, 10, 3, 200), (10, 10, 4, 120), (10, 10, 5, 200)]),
        *_sizes("Sokoban-small", "a small room", [(7, 7, 2, 200), (7, 7, 3, 200)]),
        *_sizes("Sokoban-large", "a large room", [(13, 11, 3, 300), (13, 11, 4, 300), (13, 11, 5, 300)]),
        *_sizes("Sokoban-huge", "a huge room", [(13, 13, 5, 300)]),
        *_sizes("Sokoban-4a", "four actions: a move pushes if possible", [(10, 10, 3, 200)], moves="four"),
        *_sizes("FixedTarget-Sokoban", "every box has its own target", _FOUR_SIZES, fixed_targets=True),
        *_sizes(
            "PushAndPull-Sokoban",
            "boxes can also be pulled",
            [*_FOUR_SIZES, (13, 11, 4, 300), (13, 11, 5, 300)],
            pull=True,
        ),
        *_sizes(
            "TwoPlayer-Sokoban",
            "two players; either may act in each step",
            [(7, 7, 2, 200), (7, 7, 3, 200), (10, 10, 3, 200), (10, 10, 4, 200), (13, 11, 3, 200), (13, 11, 4, 200)],
            players=2,
        ),
        _boxoban("Boxoban-Train-v0", "unfiltered/train", "Boxoban's unfiltered training levels"),
        _boxoban("Boxoban-Val-v0", "unfiltered/valid", "Boxoban's unfiltered validation levels"),
        _boxoban("Boxoban-Test-v0", "unfiltered/test", "Boxoban's unfiltered test levels"),
        _boxoban("Boxoban-Train-v1", "medium/train", "Boxoban's medium training levels"),
        _boxoban("Boxoban-Val-v1", "medium/valid", "Boxoban's medium validation levels"),
        _boxoban("Boxoban-Hard-v0", "hard", "Boxoban's hard levels"),
    )
}


def preset_rules(name: str) -> "SokobanRules":
    """Return the rules for an environment id. The name does not include the namespace."""
    from shoverworld.core.checks import word  # lazy: both imports load Gymnasium, which PRESETS does not need

    from .config import SokobanRules

    return SokobanRules(**PRESETS[word("rules", name, PRESETS)].rules)
