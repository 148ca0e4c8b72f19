"""Check whether the kernels can safely continue from a state that the caller supplied."""

from typing import Any

import numpy as np

from shoverworld.core.errors import ConfigError
from shoverworld.core.states import COUNT, INVALID, RNG_LIMITS, check_fields, is_array

from .config import LARGEST_SIDE, SMALLEST_SIDE, SokobanRules
from .reasons import CODES
from .state import BOX, GAME_RECORD, OUTCOMES, PLAYER, SECOND, TARGET, WALL, SokobanState, border_is_wall

LAST_ACTION = 24  # the highest action code, for two players who can push, move and pull


def checked_state(state: Any, rules: SokobanRules | None = None, like: SokobanState | None = None) -> None:
    """Raise ConfigError unless the kernels can safely continue from this state.

    If `rules` is None, the state may belong to any variant. If `like` is None, the state must contain one game.
    Otherwise the state must contain as many games as `like`, in rooms of the same size.
    """
    if not isinstance(state, SokobanState):
        raise ConfigError(f"set_state: expected a SokobanState from get_state, not {type(state).__name__}")
    if not _fits(state, rules, like):
        wanted = "one game" if like is None else f"{len(like.game)} games in rooms of this batch's size"
        players = "" if rules is None else f" for {rules.players} player(s)"
        raise ConfigError(f"{INVALID}: expected {wanted}{players}, with arrays unchanged in type and shape")
    check_fields(state.game, limits(state))
    _check_planes(state, rules is None or rules.fixed_targets)
    _check_counts(state)


def _fits(state: SokobanState, rules: SokobanRules | None, like: SokobanState | None) -> bool:
    """Return whether the arrays have the types and shapes of a state."""
    try:
        games, planes, cells = state.planes.shape
        rows, cols = cells // state.width, state.width
    except (AttributeError, TypeError, ValueError, ZeroDivisionError):
        return False
    return (
        type(state.width) is int
        and SMALLEST_SIDE <= rows <= LARGEST_SIDE
        and SMALLEST_SIDE <= cols <= LARGEST_SIDE
        and planes - PLAYER in ((1, 2) if rules is None else (rules.players,))
        and (games == 1 if like is None else (state.planes.shape, state.width) == (like.planes.shape, like.width))
        and is_array(state.planes, np.uint8, (games, planes, rows * cols))
        and is_array(state.game, GAME_RECORD, (games,))
    )


def limits(state: SokobanState) -> dict[str, tuple[float, float]]:
    """Return the smallest and the largest valid value of each field of a game's record."""
    cells = state.planes.shape[2]
    return {
        **RNG_LIMITS,
        "player": (0, cells - 1),
        "second": (0, cells - 1) if state.players == 2 else (-1, -1),
        "steps": COUNT,
        "boxes": (1, cells),
        "on_target": (0, cells),
        "all_on_target": (0, 1),
        "moves": COUNT,
        "pushes": COUNT,
        "pulls": COUNT,
        "level": (-1, COUNT[1]),
        "last_action": (-1, LAST_ACTION),
        "outcome": (0, len(OUTCOMES) - 1),
        "change": (-1, 1),
        "valid": (0, 1),
        "pushed": (0, 1),
        "pulled": (0, 1),
        "reason": (0, len(CODES) - 1),
    }


def _check_planes(state: SokobanState, fixed_targets: bool) -> None:
    """Check the contents of the cells."""
    planes = state.planes
    if planes[:, [WALL, *range(PLAYER, planes.shape[1])]].max() > 1:
        raise ConfigError(f"{INVALID}: walls or players are marked with numbers other than 0 and 1")
    if planes.max() > 1 and not fixed_targets:
        raise ConfigError("set_state: the boxes of this state have targets of their own; expected fixed_targets=True")
    if not border_is_wall(state.rooms()[:, WALL]).all():
        raise ConfigError(f"{INVALID}: the border of the room has a gap; it must be all walls")
    if ((planes[:, WALL] != 0) & planes[:, TARGET:].any(axis=1)).any():
        raise ConfigError(f"{INVALID}: a box, a target or a player is in a wall")
    if (np.count_nonzero(planes[:, BOX:], axis=1) > 1).any():
        raise ConfigError(f"{INVALID}: a cell contains two objects")


def _check_counts(state: SokobanState) -> None:
    """Check the fields that follow from the planes."""
    planes, game = state.planes, state.game
    for name, plane in (("player", PLAYER), ("second", SECOND))[: state.players]:
        there = planes[:, plane].argmax(axis=1)
        if (np.count_nonzero(planes[:, plane], axis=1) != 1).any() or not np.array_equal(there, game[name]):
            raise ConfigError(f"{INVALID}: {name} is {game[name].tolist()[:8]}, which does not match its plane")
    box, target = planes[:, BOX], planes[:, TARGET]
    for name, count in (
        ("boxes", np.count_nonzero(box, axis=1)),
        ("on_target", np.count_nonzero((box != 0) & (box == target), axis=1)),
    ):
        if not np.array_equal(count, game[name]):
            raise ConfigError(f"{INVALID}: {name} is {game[name].tolist()[:8]}, but the board has {count.tolist()[:8]}")
    if not np.array_equal(game["all_on_target"], game["on_target"] == game["boxes"]):
        raise ConfigError(f"{INVALID}: all_on_target is {game['all_on_target'].tolist()[:8]}, which is incorrect")
    if not np.array_equal(np.count_nonzero(target, axis=1), game["boxes"]):
        raise ConfigError(f"{INVALID}: the number of boxes differs from the number of targets")
    if planes.max() > 1:  # fixed targets
        _check_numbers(box, target)


def _check_numbers(box: np.ndarray, target: np.ndarray) -> None:
    """Check that the boxes and the targets of every game are numbered 1, 2, 3, ... without gaps or repeats."""
    for game in zip(box, target, strict=True):
        numbers = [np.sort(things[things != 0]) for things in game]
        if max(things.max() for things in numbers) > 1 and any(
            not np.array_equal(things, np.arange(1, len(things) + 1)) for things in numbers
        ):
            raise ConfigError(
                f"{INVALID}: the boxes or the targets are not numbered 1, 2, 3, ... without gaps or repeats"
            )
