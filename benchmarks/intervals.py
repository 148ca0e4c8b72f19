"""Measure how often the 95 % intervals of a ranking contain the truth: `python benchmarks/intervals.py [--exams 1000]`.

Agents with known strength take many simulated exams. Four tables follow.

1. The share of the points of one student, if every exam is taken by an agent with another, random strength.
2. The same for single strengths. If a level is only solved or not, few different results are possible, and no interval
   contains every strength equally often: with 20 levels, an interval contains 95 % in either 92.5 or 98.4 % of exams.
3. The difference between two students on the same levels, and how often they are called distinguishable.
4. The strengths in games with several players (Plackett-Luce).

Without `--ours`, tables 1 and 2 also contain four common methods.
"""

import argparse
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from shoverworld.arena import plackett_luce, ranking

LEVELS = (5, 10, 20, 40, 80)
RESAMPLES = 1000
NORMAL = NormalDist()
AIM = (93, 97)  # percent of the exams
Sample = tuple[np.ndarray, np.ndarray]  # points and shares of games won, for each level


class Agent(NamedTuple):
    """An agent that wins a game with the probability `chance` on average and earns `base` to 1 for a win.

    `chance` may be a range, from which every exam draws another agent. The levels are equally difficult, or their
    chances have a beta distribution (`spread`: the sum of its parameters). The part above `base` has a beta distribution
    with the parameters `quality`. Every fourth level has the weight `heavy`, and the others have the weight 1.
    """

    name: str
    chance: float | tuple[float, float]
    base: float = 1.0
    quality: tuple[float, float] = (8, 2)
    spread: float | None = None
    repetitions: int = 1
    heavy: float = 1.0

    def drawn(self, rng: np.random.Generator) -> float:
        """Return the chance of the agent that takes the next exam."""
        return rng.uniform(*self.chance) if isinstance(self.chance, tuple) else self.chance

    def truth(self, chance: float) -> float:
        a, b = self.quality
        return chance * (self.base + (1 - self.base) * a / (a + b))

    def exam(self, rng: np.random.Generator, levels: int, chance: float) -> Sample:
        chances = np.full(levels, chance)
        if self.spread is not None:
            chances = rng.beta(chance * self.spread, (1 - chance) * self.spread, levels)
        won = rng.random((self.repetitions, levels)) < chances
        earned = self.base + (1 - self.base) * rng.beta(*self.quality, won.shape)
        return (won * earned).mean(axis=0), won.mean(axis=0)

    def weights(self, levels: int) -> np.ndarray:
        return np.where(np.arange(levels) % 4 == 0, self.heavy, 1.0)


RANGE = (0.1, 0.95)
RANDOM_AGENTS = (
    Agent("solved or not", RANGE),
    Agent("with quality", RANGE, 0.5),
    Agent("skewed quality", RANGE, 0.2, (1, 4)),
    Agent("3 runs, uneven levels", RANGE, 0.5, spread=2.0, repetitions=3),
    Agent("5 runs, all or nothing", RANGE, spread=0.5, repetitions=5),
    Agent("solved or not, weights 3 and 1", RANGE, heavy=3.0),
    Agent("with quality, weights 3 and 1", RANGE, 0.5, heavy=3.0),
)
AGENTS = (
    Agent("solved or not, 10 %", 0.1),
    Agent("solved or not, 50 %", 0.5),
    Agent("solved or not, 80 %", 0.8),
    Agent("solved or not, 95 %", 0.95),
    Agent("with quality, 15 %", 0.15, 0.5),
    Agent("with quality, 50 %", 0.5, 0.5),
    Agent("with quality, 70 %", 0.7, 0.5),
    Agent("with quality, 90 %", 0.9, 0.5),
    Agent("with quality, always", 1.0, 0.5),
    Agent("skewed quality, 90 %", 0.9, 0.2, (1, 4)),
    Agent("3 runs, uneven levels", 0.7, 0.5, spread=2.0, repetitions=3),
    Agent("5 runs, all or nothing", 0.5, 1.0, spread=0.5, repetitions=5),
)


# --- one student


Method = Callable[[np.ndarray, np.random.Generator], tuple[float, float]]  # of the points, with equal weights


def percentile(points: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    low, high = np.quantile(_means(points, rng), (0.025, 0.975))
    return low, high


def bias_corrected(points: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    """BCa: bias-corrected and accelerated."""
    means, mean, count = _means(points, rng), points.mean(), len(points)
    below = (np.sum(means < mean) + 0.5 * np.sum(means == mean)) / len(means)
    bias = NORMAL.inv_cdf(min(max(below, 0.001), 0.999))
    without = (points.sum() - points) / (count - 1)
    off = without.mean() - without
    cubes, squares = (off**3).sum(), (off**2).sum()
    acceleration = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    moved = [bias + NORMAL.inv_cdf(q) for q in (0.025, 0.975)]
    low, high = np.quantile(means, [NORMAL.cdf(bias + z / (1 - acceleration * z)) for z in moved])
    return low, high


def studentised(points: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    drawn = points[rng.integers(len(points), size=(RESAMPLES, len(points)))]
    off, spread = drawn.mean(axis=1) - points.mean(), drawn.std(axis=1, ddof=1)
    safe = np.where(spread > 1e-12, spread, 1.0)
    t = np.where(spread > 1e-12, off / safe, np.sign(off) * 1e9)
    upper, lower = np.quantile(t, (0.025, 0.975))
    deviation = points.std(ddof=1)
    return points.mean() - lower * deviation, points.mean() - upper * deviation


def student_t(points: np.ndarray, _: np.random.Generator) -> tuple[float, float]:
    half = ranking.t_quantile(len(points) - 1) * points.std(ddof=1) / len(points) ** 0.5
    return points.mean() - half, points.mean() + half


def _means(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return points[rng.integers(len(points), size=(RESAMPLES, len(points)))].mean(axis=1)


OURS = "shover grade"
OTHERS: dict[str, Method] = {
    "percentile": percentile,
    "BCa": bias_corrected,
    "studentised": studentised,
    "t": student_t,
}


def coverage(agent: Agent, levels: int, exams: int, methods: Sequence[str] = (OURS,), seed: int = 1) -> list[float]:
    """Return the share of exams in which the interval of each method contains the truth."""
    rng, weights = np.random.default_rng(seed), agent.weights(levels)
    chances = [agent.drawn(rng) for _ in range(exams)]
    points, won = map(np.array, zip(*(agent.exam(rng, levels, chance) for chance in chances), strict=True))
    truth = np.array([agent.truth(chance) for chance in chances])
    found = []
    for name in methods:
        if name == OURS:
            limits = ranking.share_intervals(points * weights, weights, won)
        else:
            limits = np.array([OTHERS[name](one, rng) for one in points * weights / weights.mean()])
        found.append(float(((limits[:, 0] <= truth + 1e-9) & (truth <= limits[:, 1] + 1e-9)).mean()))
    return found


# --- two students


class Couple(NamedTuple):
    """Two agents on the same levels. A level's difficulty shifts the log odds of both by a normal number."""

    name: str
    chances: tuple[float, float]
    base: float = 0.5
    difficulty: float = 1.0
    repetitions: int = 1

    def truth(self) -> float:
        shift = self.difficulty * np.array([NORMAL.inv_cdf(q) for q in (np.arange(20_000) + 0.5) / 20_000])
        first, second = (_chance(chance, shift).mean() for chance in self.chances)
        return (first - second) * (self.base + (1 - self.base) * 0.8)

    def exam(self, rng: np.random.Generator, levels: int) -> np.ndarray:
        shift = rng.normal(0, self.difficulty, levels)
        points = []
        for chance in self.chances:
            won = rng.random((self.repetitions, levels)) < _chance(chance, shift)
            points.append((won * (self.base + (1 - self.base) * rng.beta(8, 2, won.shape))).mean(axis=0))
        return np.array(points)


def _chance(chance: float, shift: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(np.log(chance / (1 - chance)) + shift)))


COUPLES = (
    Couple("equal, 50 %, solved or not", (0.5, 0.5), base=1.0),
    Couple("equal, 90 %, solved or not", (0.9, 0.9), base=1.0),
    Couple("equal, 70 %", (0.7, 0.7)),
    Couple("equal, 3 runs, uneven levels", (0.5, 0.5), difficulty=3.0, repetitions=3),
    Couple("80 % and 60 %, solved or not", (0.8, 0.6), base=1.0),
    Couple("80 % and 60 %", (0.8, 0.6)),
    Couple("95 % and 50 %", (0.95, 0.5)),
    Couple("60 % and 50 %, 3 runs", (0.6, 0.5), difficulty=2.0, repetitions=3),
)


def compared(couple: Couple, levels: int, exams: int, seed: int = 1) -> tuple[float, float]:
    """Return how often the interval contains the true difference, and how often the two are distinguishable."""
    rng, truth = np.random.default_rng(seed), couple.truth()
    inside = called = 0
    for _ in range(exams):
        found = ranking.compare(couple.exam(rng, levels), np.ones(levels))
        inside += found.low[0, 1] - 1e-9 <= truth <= found.high[0, 1] + 1e-9
        called += bool(found.distinguishable[0, 1])
    return inside / exams, called / exams


# --- several players


class Tournament(NamedTuple):
    """Games of `seats` players each on every level."""

    name: str
    strengths: tuple[float, ...]
    seats: int
    games: int  # on each level

    def play(self, rng: np.random.Generator, levels: int) -> tuple[list[plackett_luce.GamePlaces], list[str]]:
        found: list[plackett_luce.GamePlaces] = []
        names = []
        for level in range(levels):
            for _ in range(self.games):
                players = rng.permutation(len(self.strengths))[: self.seats]
                order = players[np.argsort(-(np.array(self.strengths)[players] + rng.gumbel(size=self.seats)))]
                found.append(([int(p) for p in order], list(range(1, self.seats + 1))))
                names.append(str(level))
        return found, names


TOURNAMENTS = (
    Tournament("5 players, pairs", (0.8, 0.4, 0.0, -0.4, -0.8), 2, 10),
    Tournament("5 players, 4 equal, pairs", (0.8, -0.2, -0.2, -0.2, -0.2), 2, 10),
    Tournament("5 players, 4 cars", (0.8, 0.4, 0.0, -0.4, -0.8), 4, 4),
)


def rated(
    tournament: Tournament, levels: int, exams: int, replicates: int = 200, seed: int = 1
) -> tuple[float, float, float]:
    """Return how often the intervals contain the strengths and the differences, and how often the last two players are
    distinguishable."""
    rng, truth = np.random.default_rng(seed), np.array(tournament.strengths)
    truth = truth - truth.mean()
    between = truth[:, None] - truth[None, :]
    pairs = ~np.eye(len(truth), dtype=bool)
    inside = pairs_inside = called = 0.0
    for _ in range(exams):
        found = plackett_luce.rate(len(truth), *tournament.play(rng, levels), replicates=replicates)
        inside += ((found.low <= truth) & (truth <= found.high)).mean()
        pairs_inside += ((found.pairs.low <= between) & (between <= found.pairs.high))[pairs].mean()
        called += bool(found.pairs.distinguishable[-1, -2])
    return inside / exams, pairs_inside / exams, called / exams


# --- tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exams", type=int, default=1000, help="simulated exams for each figure (default: 1000)")
    parser.add_argument("--ours", action="store_true", help="leave out the other methods, which take longer")
    chosen = parser.parse_args()
    exams = chosen.exams
    print(f"{exams} simulated exams for each figure. All figures are percentages.\n")
    methods = [OURS] if chosen.ours else [OURS, *OTHERS]
    print("The interval of one student's share of the points contains the truth in:\n")
    inside = _print_coverage(RANDOM_AGENTS, exams, methods)
    low, high = min(inside), max(inside)
    met = AIM[0] <= 100 * low and 100 * high <= AIM[1]
    print(f"\n{OURS}, 20 levels or more: {100 * low:.1f} to {100 * high:.1f} % ", end="")
    print(f"(aim: {AIM[0]} to {AIM[1]} %): {'met' if met else 'missed'}")
    print("\nThe same for single strengths:\n")
    _print_coverage(AGENTS, exams, methods)
    print("\nThe interval of the difference contains the truth in / the two students are distinguishable in:\n")
    print("| agents | " + " | ".join(f"{n} levels" for n in LEVELS) + " |\n|---|" + "---|" * len(LEVELS))
    for couple in COUPLES:
        found = [compared(couple, levels, exams) for levels in LEVELS]
        print(f"| {couple.name} | " + " | ".join(f"{100 * a:.1f} / {100 * b:.1f}" for a, b in found) + " |", flush=True)
    print("\nPlackett-Luce: strengths / differences / the last two players are distinguishable:\n")
    print("| players | 5 levels | 10 levels | 20 levels |\n|---|---|---|---|")
    for tournament in TOURNAMENTS:
        few = exams if tournament.seats == 2 else exams // 5
        found = [rated(tournament, levels, few) for levels in (5, 10, 20)]
        cells = (" / ".join(f"{100 * share:.1f}" for share in one) for one in found)
        print(f"| {tournament.name} ({few} exams) | " + " | ".join(cells) + " |", flush=True)


def _print_coverage(agents: Sequence[Agent], exams: int, methods: Sequence[str]) -> list[float]:
    """Print a table, and return the figures of our own intervals on 20 levels or more."""
    print("| agent | method | " + " | ".join(f"{n} levels" for n in LEVELS) + " |\n|---|---|" + "---|" * len(LEVELS))
    own: list[float] = []
    for agent in agents:
        found = [coverage(agent, levels, exams, methods) for levels in LEVELS]
        for i, method in enumerate(methods):
            cells = " | ".join(f"{100 * one[i]:.1f}" for one in found)
            print(f"| {agent.name} | {method} | {cells} |", flush=True)
        own += [one[0] for one, levels in zip(found, LEVELS, strict=True) if levels >= 20]
    return own


if __name__ == "__main__":
    main()
