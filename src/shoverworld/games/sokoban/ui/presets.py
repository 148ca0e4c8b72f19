"""The rules people play by: a preset is a variant. How long a game may take is no part of it."""

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.ui import Board, Preset

from ..config import SokobanRules
from ..rules import MOVE, PULL, PUSH

MAX_STEPS = 100_000  # people may take as long as they like; the limits of the ids are for learners
GENEROUS = 10_000  # a limit from which on nobody wants to read how much of it is left

PUSH_ONLY, PULLING, FIXED, TWO = "sokoban", "pull", "fixed", "two"
RULES = {
    PUSH_ONLY: SokobanRules(max_steps=MAX_STEPS),
    PULLING: SokobanRules(max_steps=MAX_STEPS, pull=True),
    FIXED: SokobanRules(max_steps=MAX_STEPS, fixed_targets=True),
    TWO: SokobanRules(max_steps=MAX_STEPS, players=2),
}
PRESETS = (
    Preset(PUSH_ONLY, "Push boxes, one at a time; a box in a corner stays there."),
    Preset(PULLING, "Boxes can be pulled, too: nothing is lost for good."),
    Preset(FIXED, "Every box has a target of its own, with its number and its colour."),
    Preset(TWO, "Two players on one board; either may move at any time."),
)


def rules_of(env: GridEnv) -> SokobanRules:
    return env.unwrapped.rules  # type: ignore[attr-defined]


def preset_of(rules: SokobanRules) -> str:
    """The preset of these rules; "" when they are those of none. Limits, rewards and codes of actions do not count."""
    for name, usual in RULES.items():
        if (rules.players, rules.pull, rules.fixed_targets) == (usual.players, usual.pull, usual.fixed_targets):
            return name
    return ""


def rules_for(board: Board, preset: str) -> SokobanRules:
    """The rules of a preset for a board; a ConfigError when it is for another number of players."""
    rules = RULES[word("preset", preset, RULES)]
    players = len(board.level.players)
    if players != rules.players:
        others = ", ".join(name for name, each in RULES.items() if each.players == players)
        there = "one player" if players == 1 else "two players"
        raise ConfigError(f"{board.name} has {there}, and the rules {preset!r} are for {rules.players}; try {others}")
    return rules


# --- actions

TO_RULES = (0, 3, 1, 2)  # up, right, down, left (core/grid.py) as the rules number them
FROM_RULES = (0, 2, 3, 1)


def action_of(rules: SokobanRules, who: int, kind: int, direction: int) -> int:
    """The code of an action: a player (0 or 1), PUSH, MOVE or PULL, and a direction of core/grid.py."""
    if not rules.has_noop:
        kind = PUSH
    return rules.has_noop + who * rules.actions_each + 4 * kind + TO_RULES[direction]


def meaning_of(rules: SokobanRules, action: int) -> tuple[int, int, int] | None:
    """Who does what in which direction; None: the no-op."""
    code = int(action) - rules.has_noop
    if code < 0:
        return None
    who, code = divmod(code, rules.actions_each)
    kind, direction = divmod(code, 4)
    return who, (PUSH, MOVE, PULL)[kind], FROM_RULES[direction]
