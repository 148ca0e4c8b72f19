"""The names of the solver's techniques, which can be switched off to measure what each of them contributes.

`LevelTables.off` contains the switched-off techniques as bits. Every technique tests its own bit, so that the callers
need not know about the switches. Without a technique, a search is slower, but no less correct.
"""

from collections.abc import Iterable

from shoverworld.core.checks import word

TECHNIQUES = (
    "preprocessing",
    "freeze",
    "pairs",
    "matching",
    "stuck",
    "frozen_reach",
    "pi_corral",
    "corral_search",
    "corral_cache",
    "tunnels",
    "plan",
    "advisors",
    "rounds",
    "portfolio",
)
(
    PREPROCESSING, FREEZE, PAIRS, MATCHING, STUCK, FROZEN_REACH, PI_CORRAL, CORRAL_SEARCH, CORRAL_CACHE, TUNNELS, PLAN,
    ADVICE, ROUNDS, PORTFOLIO,
) = (1 << bit for bit in range(len(TECHNIQUES)))  # fmt: skip


def bits_of(names: Iterable[str]) -> int:
    """Return the bits of the techniques with these names. Raise ConfigError if there is no such technique."""
    off = 0
    for name in names:
        off |= 1 << TECHNIQUES.index(word("without", name, TECHNIQUES))
    return off
