"""The registered ids, and functions that make environments from them. Boxoban ids get generated levels."""

from functools import cache
from typing import Any

import gymnasium as gym
import numpy as np

from shoverworld.registry import entries

GAME_OF = {entry.id: entry.game.name for entry in entries()}
IDS = list(GAME_OF)
SHOVER = [env_id for env_id in IDS if GAME_OF[env_id] == "shover"]
SOKOBAN = [env_id for env_id in IDS if GAME_OF[env_id] == "sokoban"]
RACE = [env_id for env_id in IDS if GAME_OF[env_id] == "race"]
BOXOBAN = [env_id for env_id in SOKOBAN if "Boxoban" in env_id]
# One id of each kind, for tests that do not depend on board sizes.
ONE_OF_EACH = [
    *SHOVER,
    *(
        f"shoverworld/{name}"
        for name in (
            "Sokoban-small-v0",
            "Sokoban-4a-v0",
            "FixedTarget-Sokoban-v2",
            "PushAndPull-Sokoban-v2",
            "TwoPlayer-Sokoban-v0",
            "Boxoban-Val-v0",
        )
    ),
    *RACE,
]


@cache
def some_levels() -> list:
    """Return generated levels in the style of Boxoban: 10 x 10 cells, four boxes."""
    from shoverworld.sokoban import generate_room

    return [generate_room(seed, dim_room=(10, 10), num_boxes=4).level for seed in range(5)]


def keywords_for(env_id: str, **keywords: Any) -> dict[str, Any]:
    return {"levels": some_levels(), **keywords} if env_id in BOXOBAN else keywords


def made(env_id: str, **keywords: Any) -> Any:
    return gym.make(env_id, **keywords_for(env_id, **keywords))


def made_many(env_id: str, num_envs: int, **keywords: Any) -> Any:
    return gym.make_vec(
        env_id, num_envs=num_envs, vectorization_mode="vector_entry_point", **keywords_for(env_id, **keywords)
    )


PICTURE = 10_000  # the smallest size of an array of bytes that counts as a picture


def plain(value: Any) -> Any:
    """Convert observations and infos to lists and numbers, which can be compared and written as JSON.

    Pictures become hexadecimal strings, because lists with so many numbers are slow to make and compare.
    """
    if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.size >= PICTURE:
        return [list(value.shape), value.tobytes().hex()]
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
