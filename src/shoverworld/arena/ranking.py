"""Statistics for a ranking over the same levels: 95 % intervals, paired comparisons and shared places.

All functions are pure and work on arrays. `points[s, l]` is what student s earned on level l, as the mean over the
repetitions, and `most[l]` is what a perfect game on level l earns. Repetitions on one level are not independent of one
another, so levels are the units of every interval. The levels of an exam are treated as a sample: an interval answers
how far a result would vary with other levels of the same kind. `benchmarks/intervals.py` measures how often the
intervals contain the truth, for these and for other methods.
"""

import hashlib
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
SUBSETS = 3999  # random subsets of levels for a comparison, if there are too many to try all of them
_EXHAUSTIVE = 11  # try all subsets of up to this many levels

# 97.5 % quantiles of Student's t distribution with 1 to 10 degrees of freedom.
_T_QUANTILES = (12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)
NORMAL_QUANTILE = 1.959964  # the same for the normal distribution


class Comparison(NamedTuple):
    """Pairs of students, compared on the levels. Entry [a, b] describes student a minus student b, as a share."""

    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def ahead(self) -> np.ndarray:
        """Entry [a, b]: whether student a is distinguishably better than student b."""
        return self.low > 1e-12

    @property
    def distinguishable(self) -> np.ndarray:
        return self.ahead | self.ahead.T


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t distribution, accurate to four digits."""
    if freedom <= len(_T_QUANTILES):
        return _T_QUANTILES[freedom - 1]
    z, f = NORMAL_QUANTILE, freedom
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + terms[0] / f + terms[1] / f**2 + terms[2] / f**3


def shares(points: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return each student's share of the maximum, from 0 to 1."""
    return points.sum(axis=-1) / most.sum()


def share_intervals(points: np.ndarray, most: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the 95 % interval for each student's share of the maximum, as an array of shape (students, 2).

    won[s, l] is the share of the games on level l that student s won. A game that is not won earns nothing, so the share
    is the product of two parts: how much of the exam was won, and how good the won games were. Each part has a score
    interval, which is not symmetric near 0 and 1, and the intervals are combined with the method of variance estimates
    recovery (Zou and Donner, 2008). A student who won everything so far may still fail on another level, and the
    interval allows for it: an interval from the spread of the points alone would not. With one level, it is [0, 1].
    """
    counts = most > 0
    if counts.sum() < 2:
        return np.tile([0.0, 1.0], (len(points), 1))
    points, most, won = points[:, counts], most[counts], won[:, counts]
    win_share, low_wins, high_wins = _score_interval(won, np.ones_like(won), most, surprising=True)
    quality, low_quality, high_quality = _score_interval(points / most, won, most, surprising=False)
    share = win_share * quality
    below = np.hypot(quality * (win_share - low_wins), win_share * (quality - low_quality))
    above = np.hypot(quality * (high_wins - win_share), win_share * (high_quality - quality))
    return np.clip(np.stack([share - below, share + above], axis=1), 0, 1)


def _score_interval(
    part: np.ndarray, whole: np.ndarray, weight: np.ndarray, surprising: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ratio of the weighted sums of `part` and `whole` over the levels, with the limits of its 95 % interval.

    This is Wilson's interval for a proportion. The variance of a level is taken to be proportional to r (1 - r) for a
    ratio r. The factor, the dispersion, is estimated from the levels, so the quantile is that of Student's t. No result
    between 0 and 1 varies more than a yes-or-no result, whose dispersion is known to be 1: this limit has the normal
    quantile. If all levels have the ratio 0 or all have the ratio 1, the results count as yes-or-no results if
    `surprising`, otherwise as constant. Without a `whole`, the ratio is taken to be 1.

    Uneven weights do not change the dispersion, but they reduce the effective number of levels (Kish, 1965).
    """
    used = whole > 0
    counted = np.maximum(2, used.sum(axis=1))
    plain = _ratio(part, whole)
    residuals = (part - plain[:, None] * whole) / _or_one(whole.sum(axis=1) / counted)[:, None]
    variance, binary = (residuals**2).sum(axis=1) / (counted - 1), np.maximum(plain * (1 - plain), 0)
    varies = binary > 1e-12
    dispersion = np.where(varies, variance / np.where(varies, binary, 1), 1.0 if surprising else 0.0)
    quantiles = np.array([t_quantile(n) for n in range(1, part.shape[1] + 1)])[counted - 2]
    effective = (used @ weight) ** 2 / _or_one(used @ weight**2)
    factor = np.minimum(dispersion * quantiles**2, NORMAL_QUANTILE**2) / _or_one(effective)

    ratio = _ratio(part * weight, whole * weight)
    middle = (ratio + factor / 2) / (1 + factor)
    half = np.sqrt(factor * np.maximum(ratio * (1 - ratio), 0) + factor**2 / 4) / (1 + factor)
    return ratio, np.minimum(middle - half, ratio), np.maximum(middle + half, ratio)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    total = whole.sum(axis=1)
    return np.where(total > 0, part.sum(axis=1) / _or_one(total), 1.0)


def _or_one(values: np.ndarray) -> np.ndarray:
    """Replace zeros by ones, to divide by them."""
    return np.where(values > 0, values, 1.0)


def compare(points: np.ndarray, most: np.ndarray) -> Comparison:
    """Compare all pairs of students on the same levels, with a 95 % interval for each difference of shares.

    The interval contains the differences that a paired sign-flip test does not reject at the 5 % level. If two students
    are equally good, exchanging their results on some of the levels gives an outcome that is just as likely, so the
    test is exact: two equal students are called distinguishable in at most 5 % of all exams, whatever the distribution
    of the points. The limits are quantiles of the difference over random subsets of the levels (Hartigan, 1969). With
    five or fewer levels, no result is unlikely enough, and the interval is [-1, 1]. With few levels, the limits take few
    different values, so the interval also contains the interval of a paired t test.
    """
    subsets = random_subsets(points)
    worth = subsets @ most
    subset_shares = (subsets @ points.T) / worth[:, None]
    tail = int((1 - CONFIDENCE) / 2 * (len(subsets) + 1))
    students = len(points)
    share = shares(points, most)
    difference = share[:, None] - share[None, :]
    low, high = np.full((students, students), -1.0), np.full((students, students), 1.0)
    if tail:
        for a in range(students):
            over = np.partition(subset_shares[:, a, None] - subset_shares, (tail - 1, len(subsets) - tail), axis=0)
            low[a], high[a] = over[tail - 1], over[len(subsets) - tail]
        half = _paired_t(points, most, share)
        low, high = np.minimum(low, difference - half), np.maximum(high, difference + half)
    np.fill_diagonal(low, 0)
    np.fill_diagonal(high, 0)
    return Comparison(difference, low, high)


def _paired_t(points: np.ndarray, most: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return half the width of the interval of a paired t test for each pair."""
    count = points.shape[-1]
    residuals = (points - share[:, None] * most) / most.mean()
    products = residuals @ residuals.T
    squares = np.diag(products)[:, None] + np.diag(products)[None, :] - 2 * products
    return t_quantile(count - 1) * np.sqrt(np.maximum(squares, 0) / (count - 1) / count)


def random_subsets(points: np.ndarray) -> np.ndarray:
    """Return subsets of the levels as rows of 0 and 1: all non-empty subsets if there are few levels, otherwise random
    ones, from a seed that is derived from the points."""
    count = points.shape[-1]
    if count <= _EXHAUSTIVE:
        return (np.arange(1, 2**count)[:, None] >> np.arange(count) & 1).astype(float)
    rng = np.random.default_rng(seed_of(points))
    subsets = rng.random((SUBSETS, count)) < 0.5
    subsets[~subsets.any(axis=1), 0] = True  # 1 in 4,096 at most
    return subsets.astype(float)


def seed_of(points: np.ndarray) -> int:
    """Return a seed that depends only on the points, so that the same results always give the same intervals."""
    text = np.round(points, 9).astype("<f8").tobytes() + str(points.shape).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def places(order: np.ndarray, distinguishable: np.ndarray) -> np.ndarray:
    """Return the place of each student. `order`: the students, best first.

    The first student of a place is the one with the best result. The students who follow share the place until one of
    them is distinguishable from the first; that student begins the next place.
    """
    found = np.zeros(len(order), int)
    first = -1
    for position, student in enumerate(order):
        if first < 0 or distinguishable[first, student]:
            first, place = student, position + 1
        found[student] = place
    return found


def place_ranges(ahead: np.ndarray) -> np.ndarray:
    """Return the best and the worst place of each student, as an array of shape (students, 2).

    The best place counts only the students who are distinguishably better; the worst place counts everybody except the
    students who are distinguishably worse.
    """
    return np.stack([1 + ahead.sum(axis=0), len(ahead) - ahead.sum(axis=1)], axis=1)
