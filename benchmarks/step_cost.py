"""Plot the cost of a step: `python benchmarks/step_cost.py [--seconds 0.3] [--rounds 5] [--folder docs/pictures]`.

Three plots, in nanoseconds per game and step, on one thread with copy=False:

    speed-games.png   against the number of games in a batch, from 1 to 65536
    speed-size.png    against the size of the map, from 6x6 to 64x64, with 1024 games
    speed-boxes.png   against the number of boxes, with 1024 games

`speed-NAME.csv` beside each plot contains its data. A point shows the median of the rounds; the band shows the
quartiles. In every round, all points are measured once, and the order alternates. The time includes resets.

The actions are pushes of random boxes in Shover-World (`phase2`), random moves in rooms without inner walls in Sokoban,
and random actions on an open field in the race. In the size plot, the number of boxes is constant:
6 in Shover-World and 4 in Sokoban.
"""

import argparse
import csv
import sys
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from shoverworld import race, sokoban  # noqa: E402
from shoverworld.core.files import replacing, write_safely  # noqa: E402
from shoverworld.core.measuring import Batches, Figure, Group, Result, measure  # noqa: E402
from shoverworld.games.race import bench as race_bench  # noqa: E402
from shoverworld.games.shover import bench as shover_bench  # noqa: E402
from shoverworld.games.sokoban import bench as sokoban_bench  # noqa: E402

GAMES = [4**n for n in range(9)]
SIDES = [6, 8, 11, 16, 23, 32, 45, 64]
BOXES = [1, 2, 4, 8, 16, 32, 64]
SAME_BATCH = 1024  # games per batch in the plots over map size and boxes
SHOVER, SOKOBAN, RACE = "Shover-World", "Sokoban", "grid race"
COLOURS = {SHOVER: "#0072b2", SOKOBAN: "#d55e00", RACE: "#009e73"}


class Point(NamedTuple):
    """A measured point: the game, its position on the axis, and the batch."""

    game: str
    x: int
    batches: Batches
    games: int


class Plot(NamedTuple):
    title: str
    label: str  # label of the horizontal axis
    points: Callable[[], list[Point]]


# ---------------------------------------------------------------- what is played


def shover(boxes: int, **size: Any) -> Batches:
    return shover_bench.batches(number_of_boxes=boxes, number_of_barriers=0, number_of_lavas=0, **size)


def open_room(seed: int, side: int, boxes: int) -> Any:
    """Return a Sokoban level without inner walls, with boxes, targets and the player in random places."""
    rng = np.random.default_rng(seed)
    cells = np.full((side, side), "#")
    cells[1:-1, 1:-1] = " "
    places = 1 + np.argwhere(cells[1:-1, 1:-1] == " ")
    for (row, col), symbol in zip(rng.permutation(places).tolist(), "@" + "$" * boxes + "." * boxes, strict=False):
        cells[row, col] = symbol
    return sokoban.Level.parse("\n".join(map("".join, cells)))


def sokoban_rooms(side: int, boxes: int) -> Batches:
    return sokoban_bench.batches(levels=tuple(open_room(seed, side, boxes) for seed in range(64)))


def open_track(side: int) -> Batches:
    cells = np.zeros((side, side), int)
    cells[0], cells[-1] = 1, 100  # start and finish
    return race_bench.batches(track=race.Track(cells))


def by_games() -> list[Point]:
    kinds = {SHOVER: shover_bench.batches, SOKOBAN: sokoban_bench.batches, RACE: race_bench.batches}
    return [Point(name, games, kind(), games) for name, kind in kinds.items() for games in GAMES]


def by_size() -> list[Point]:
    kinds = {
        SHOVER: lambda side: shover(6, n_rows=side, n_cols=side),
        SOKOBAN: lambda side: sokoban_rooms(side, 4),
        RACE: open_track,
    }
    return [Point(name, side, kind(side), SAME_BATCH) for name, kind in kinds.items() for side in SIDES]


def by_boxes() -> list[Point]:
    kinds = {SHOVER: lambda boxes: shover(boxes, n_rows=12, n_cols=12), SOKOBAN: lambda boxes: sokoban_rooms(14, boxes)}
    return [Point(name, boxes, kind(boxes), SAME_BATCH) for name, kind in kinds.items() for boxes in BOXES]


PLOTS = {
    "games": Plot("Cost of a step by the size of the batch", "games in the batch", by_games),
    "size": Plot(f"Cost of a step by the size of the map ({SAME_BATCH} games)", "rows and columns of the map", by_size),
    "boxes": Plot(f"Cost of a step by the number of boxes ({SAME_BATCH} games)", "boxes on the map", by_boxes),
}


# ---------------------------------------------------------------- measuring and drawing


def measured(points: Sequence[Point], seconds: float, rounds: int) -> list[tuple[Point, Result]]:
    """Measure all points in the same rounds."""
    figures = [
        Figure(f"{point.game} {point.x}", "steps/s", lambda point=point: point.batches.speed(point.games))
        for point in points
    ]
    return list(zip(points, measure(Group(figures), seconds, rounds), strict=True))


def nanoseconds(result: Result) -> tuple[float, float, float]:
    """Return the median and the quartiles of the time per game step."""
    low, middle, high = np.quantile([1e9 / value for value in result.values], (0.25, 0.5, 0.75)).tolist()
    return middle, low, high


def table(found: Sequence[tuple[Point, Result]], label: str) -> str:
    paper = StringIO()
    writer = csv.writer(paper, lineterminator="\n")
    writer.writerow(("game", label, "median, ns", "lower quartile, ns", "upper quartile, ns"))
    for point, result in found:
        writer.writerow((point.game, point.x, *(f"{value:.2f}" for value in nanoseconds(result))))
    return paper.getvalue()


def draw(plot: Plot, found: Sequence[tuple[Point, Result]], path: Path) -> None:
    import matplotlib  # lazy: an optional extra

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import NullLocator

    pyplot.rcdefaults()
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for game in dict.fromkeys(point.game for point, _ in found):
        own = [(point.x, *nanoseconds(result)) for point, result in found if point.game == game]
        x, middle, low, high = zip(*own, strict=True)
        axes.plot(x, middle, marker="o", markersize=4, color=COLOURS[game], label=game)
        axes.fill_between(x, low, high, color=COLOURS[game], alpha=0.2, linewidth=0)
    ticks = sorted({point.x for point, _ in found})
    axes.set(xscale="log", yscale="log", title=plot.title, xlabel=plot.label, ylabel="nanoseconds per game and step")
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_minor_formatter(lambda value, _: f"{value:,.0f}" if f"{value:e}"[0] in "25" else "")
    axes.grid(alpha=0.3, which="both")
    axes.legend(frameon=False)
    with replacing(path) as picture:
        figure.savefig(picture, format="png", dpi=150)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plots", nargs="*", metavar="PLOT", help="games, size or boxes (default: all three)")
    parser.add_argument("--seconds", type=float, default=0.3, help="seconds for a point in each round")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "pictures", help="where the plots are written")
    chosen = parser.parse_args()
    for name in chosen.plots or PLOTS:
        if name not in PLOTS:
            parser.error(f"{name!r} is not a plot; expected {', '.join(PLOTS)}")
        plot = PLOTS[name]
        print(f"{plot.title} …", file=sys.stderr)
        found = measured(plot.points(), chosen.seconds, chosen.rounds)
        text = table(found, plot.label)
        print(text)
        write_safely(chosen.folder / f"speed-{name}.csv", text)
        draw(plot, found, chosen.folder / f"speed-{name}.png")


if __name__ == "__main__":
    main()
