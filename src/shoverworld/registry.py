"""One table: every id, its game and its configuration. The step limit is the game's own (`max_timestep`, `max_steps`)."""

import warnings
from typing import Any, NamedTuple

import gymnasium

from .games.sokoban.presets import PRESETS as SOKOBAN

NAMESPACE = "shoverworld"


class Entry(NamedTuple):
    """An environment id, where its classes are, and the keywords it is made with."""

    name: str
    game: str
    entry_point: str
    vector_entry_point: str
    settings: dict[str, Any]
    about: str

    @property
    def id(self) -> str:
        return f"{NAMESPACE}/{self.name}"


_SHOVER = "shoverworld.games.shover.env:ShoverWorldEnv", "shoverworld.games.shover.vector:ShoverWorldVectorEnv"

_SOKOBAN = "shoverworld.games.sokoban.env:SokobanEnv", "shoverworld.games.sokoban.vector:SokobanVectorEnv"

_RACE = "shoverworld.games.race.env:RaceEnv", "shoverworld.games.race.vector:RaceVectorEnv"


def _sokoban() -> list[Entry]:
    return [
        Entry(
            preset.name,
            "sokoban",
            *_SOKOBAN,
            {"rules": preset.name, **({"levels": preset.levels} if preset.levels else {})},
            preset.about,
        )
        for preset in SOKOBAN.values()
    ]


ENTRIES = (
    Entry("ShoverWorld-v0", "shover", *_SHOVER, {"rules": "milestone1"}, "the shover leaps to the box he pushes"),
    Entry("ShoverWalker-v0", "shover", *_SHOVER, {"rules": "walker"}, "the shover walks cell by cell"),
    Entry("ShoverSelect-v0", "shover", *_SHOVER, {"rules": "phase2"}, "select a box and push; the edge is lava"),
    *_sokoban(),
    Entry("Race-v0", "race", *_RACE, {}, "a car with inertia, from the start to the finish in the fewest steps"),
)


def register_all() -> None:
    """Tell Gymnasium the ids. Nothing is imported or compiled until one is made."""
    # With Sokoban a version is a size, as in gym-sokoban; Gymnasium would call all but the last out of date.
    warnings.filterwarnings("ignore", f".*environment {NAMESPACE}/.*(Sok|Box)oban.* is out of date", DeprecationWarning)
    for entry in ENTRIES:
        if entry.id not in gymnasium.registry:
            gymnasium.register(
                entry.id,
                entry_point=entry.entry_point,
                vector_entry_point=entry.vector_entry_point,
                kwargs=dict(entry.settings),
                order_enforce=False,  # the environment itself says when a reset is needed, and why
            )
