"""Strengths of players from games with places: the Plackett-Luce model by maximum likelihood, with intervals.

In this model, a player with strength s wins a game with probability exp(s) / (sum of exp(strength) over all players of
the game), and the following places are distributed in the same way among the players who remain. The strengths have
the mean 0. `choix` (extra `arena`) computes the maximum.

- Ties: players who share a place are counted in every rotation of their order, with equal weight.
- Players who never lost or never won would have infinite strengths. Every player therefore has, in addition to the
  games, `PRIOR` wins and losses, spread over all other players.
- Intervals: games are drawn with replacement in whole levels, because the games on one level are not independent. The
  strengths are then computed again. The percentiles are widened as Student's t requires for this number of levels. A
  player who never lost, or never won, is so in every drawn sample: their intervals have at least the width that the
  model predicts.
"""

from collections.abc import Sequence
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.errors import MissingExtra

from .ranking import NORMAL_QUANTILE, Comparison, seed_of, t_quantile

REPLICATES = 200
PRIOR = 0.5  # wins and losses of every player in addition to the games

GamePlaces = tuple[Sequence[int], Sequence[int]]  # the players of a game and their places


class Rating(NamedTuple):
    strength: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pairs: Comparison


def rate(players: int, games: Sequence[GamePlaces], levels: Sequence[str], replicates: int = REPLICATES) -> Rating:
    """Return the strengths of the players, with 95 % intervals for the strengths and for all differences.

    levels[g] is the level of game g.
    """
    best = strengths(players, games)
    names = sorted(set(levels))
    by_level = [[g for g, level in enumerate(levels) if level == name] for name in names]
    if len(names) < 2:  # without levels to draw from, the games themselves are drawn
        by_level = [[g] for g in range(len(games))]
    rng = np.random.default_rng(_seed(games, levels))
    drawn = np.empty((replicates, players))
    for replicate in range(replicates):
        chosen = [g for unit in rng.integers(len(by_level), size=len(by_level)) for g in by_level[unit]]
        drawn[replicate] = strengths(players, [games[g] for g in chosen], rng)
    widened = best + (drawn - best) * _widening(len(by_level))
    low, high = np.quantile(widened, (0.025, 0.975), axis=0, method="weibull")
    difference = best[:, None] - best[None, :]
    between = widened[:, :, None] - widened[:, None, :]
    pair_low, pair_high = np.quantile(between, (0.025, 0.975), axis=0, method="weibull")
    one_sided = _one_sided(players, games)
    if one_sided.any():
        predicted = np.linalg.pinv(information(best, games))
        half = np.where(one_sided, NORMAL_QUANTILE * np.sqrt(np.diag(predicted)), 0)
        pair_half = np.where(one_sided[:, None] | one_sided, NORMAL_QUANTILE * np.sqrt(_of_pairs(predicted)), 0)
        low, high = np.minimum(low, best - half), np.maximum(high, best + half)
        pair_low, pair_high = (
            np.minimum(pair_low, difference - pair_half),
            np.maximum(pair_high, difference + pair_half),
        )
    return Rating(best, low, high, Comparison(difference, pair_low, pair_high))


def _widening(units: int) -> float:
    """The bootstrap underestimates the spread of a mean of few units by this factor."""
    return t_quantile(units - 1) / NORMAL_QUANTILE * (units / (units - 1)) ** 0.5 if units > 1 else 1.0


def _one_sided(players: int, games: Sequence[GamePlaces]) -> np.ndarray:
    """Return which players never lost to anybody or never beat anybody."""
    beat, lost = np.zeros(players, bool), np.zeros(players, bool)
    for seats, places in games:
        for player, place in zip(seats, places, strict=True):
            beat[player] |= place < max(places)
            lost[player] |= place > min(places)
    return ~beat | ~lost


def information(strength: np.ndarray, games: Sequence[GamePlaces]) -> np.ndarray:
    """Return the information matrix: the curvature of the log likelihood, with the additional wins and losses."""
    players = len(strength)
    found = np.zeros((players, players))
    for game in games:
        order = [s for group in _groups(game) for s in group]
        for start in range(len(order) - 1):
            left = order[start:]
            found[np.ix_(left, left)] += _choice_information(strength[left])
    for a in range(players):
        for b in range(a):
            found[np.ix_([a, b], [a, b])] += 2 * PRIOR / (players - 1) * _choice_information(strength[[a, b]])
    return found


def _choice_information(strength: np.ndarray) -> np.ndarray:
    chance = np.exp(strength - strength.max())
    chance /= chance.sum()
    return np.diag(chance) - np.outer(chance, chance)


def _of_pairs(covariance: np.ndarray) -> np.ndarray:
    """Return the variances of all differences."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0)


def strengths(players: int, games: Sequence[GamePlaces], rng: np.random.Generator | None = None) -> np.ndarray:
    """Return the strengths of maximum likelihood. With `rng`, ties are broken at random, which is faster."""
    choix = _choix()
    prior = PRIOR / (players - 1)
    if all(len(seats) == 2 for seats, _ in games):  # a matrix of wins, in which a tie is half a win for both
        wins = np.zeros((players, players))
        for (a, b), (place_a, place_b) in games:
            wins[a, b] += (place_a < place_b) + 0.5 * (place_a == place_b)
            wins[b, a] += (place_b < place_a) + 0.5 * (place_a == place_b)
        return _centred(choix.ilsr_pairwise_dense(wins + prior, alpha=0))
    if rng is not None:
        return _centred(choix.ilsr_rankings(players, [_shuffled(game, rng) for game in games], alpha=prior))
    copies = lcm(*(size for game in games for size in map(len, _groups(game))))
    orders = [order for game in games for order in _rotations(game, copies)]
    return _centred(choix.ilsr_rankings(players, orders, alpha=prior * copies))


def _groups(game: GamePlaces) -> list[list[int]]:
    """Return the players of a game by place, best first. Players who share a place form one group."""
    seats, places = game
    return [[s for s, p in zip(seats, places, strict=True) if p == place] for place in sorted(set(places))]


def _rotations(game: GamePlaces, copies: int) -> list[list[int]]:
    """Return `copies` orders in which the members of a tied group take each of its places equally often."""
    return [[s for group in _groups(game) for s in _turned(group, k % len(group))] for k in range(copies)]


def _turned(group: list[int], by: int) -> list[int]:
    return group[by:] + group[:by]


def _shuffled(game: GamePlaces, rng: np.random.Generator) -> list[int]:
    return [int(s) for group in _groups(game) for s in (rng.permutation(group) if len(group) > 1 else group)]


def _centred(strength: np.ndarray) -> np.ndarray:
    return strength - strength.mean()


def _seed(games: Sequence[GamePlaces], levels: Sequence[str]) -> int:
    flat = [number for seats, places in games for number in (*seats, *places, -1)]
    return seed_of(np.array(flat, float)) ^ seed_of(np.frombuffer("\n".join(levels).encode(), np.uint8).astype(float))


def _choix() -> Any:
    try:
        import choix  # an optional extra that imports SciPy
    except ImportError as reason:
        raise MissingExtra.of("the ranking of games with several players", "choix", "arena") from reason
    return choix
