"""PettingZoo for the rooms that have games of several players, or an error that says how to get it.

Only a room's own PettingZoo module imports this, and nothing imports that before it is asked for.
"""

from typing import Any

import gymnasium

from .errors import ConfigError, MissingExtra

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    if (missing.name or "").split(".")[0] != "pettingzoo":
        raise
    raise MissingExtra.of("a game of several agents", "pettingzoo", "race") from None

__all__ = ["AECEnv", "OrderEnforcingWrapper", "ParallelEnv", "known_options"]


def known_options(options: dict[str, Any] | None, names: tuple[str, ...]) -> dict[str, Any]:
    """The options of a reset that the game knows. PettingZoo expects others to be let pass: they are a warning here."""
    given = {} if options is None else options
    if not isinstance(given, dict):
        raise ConfigError(f"options={options!r:.60}: must be a dict or None")
    for name in given:
        if name not in names:
            gymnasium.logger.warn(f"reset: there is no option {name!r}, it is ignored; there are {', '.join(names)}")
    return {name: value for name, value in given.items() if name in names}
