"""The rules people race by: a preset is a variant of the line or of the finish."""

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError
from shoverworld.core.ui import Preset

from ..config import RaceRules
from .grid import Grid

USUAL, STRICT, JUMPS, CROSS = "race", "supercover", "landing", "cross"
RULES = {
    USUAL: RaceRules(),
    STRICT: RaceRules(line="supercover"),
    JUMPS: RaceRules(line="landing"),
    CROSS: RaceRules(finish="cross"),
}
PRESETS = (
    Preset(USUAL, "The report's rules: the line of a move may graze what is off the track, but not pass through it."),
    Preset(STRICT, "Strict: every cell that the line of a move goes through must be on the track."),
    Preset(JUMPS, "Jumps: only the cell where a car lands must be on the track."),
    Preset(CROSS, "The finish need not be landed on: to drive through it is enough."),
)


def rules_of(env: GridEnv) -> RaceRules:
    return env.unwrapped.rules  # type: ignore[attr-defined]


def preset_of(rules: RaceRules) -> str:
    """The preset of these rules; "" when they are those of none. Cars, limits and rewards do not count."""
    for name, usual in RULES.items():
        if (rules.line, rules.finish, rules.penalty) == (usual.line, usual.finish, usual.penalty):
            return name
    return ""


def rules_for(grid: Grid, name: str, preset: str, cars: int) -> RaceRules:
    """The rules of a preset for so many cars; a ConfigError when the track has fewer start cells."""
    starts = len(grid.track.starts)
    if cars > starts:
        few = f"{starts} start cell" + ("" if starts == 1 else "s")
        raise ConfigError(f"{name} has {few}, so {starts} can race there at most; there are {cars} players")
    return RULES[word("preset", preset, RULES)].change(cars=cars)
