"""The tables of a tournament: who stands where, who beat whom, and every race, as Markdown and CSV."""

import csv
import io
from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from .tournament import Result

HEADINGS = ("player", "points", "share", "races", "first", "place", "done", "steps", "over", "pen.", "ms")
MEANINGS = (
    "Points: one for each car beaten in a race, half of one for each that took as many steps; share: of all there were. First: "
    "races with no car before it. Place: the mean. Done: races it finished, and steps: their mean; over: how many of them more "
    "than the fewest that a car alone needs from the same start. Pen.: penalties in a race. ms: of thinking, a move."
)


class Standing(NamedTuple):
    player: str
    points: float
    share: float
    races: int
    first: int
    place: float
    finished: int
    steps: float | None
    over: float | None
    penalties: float
    milliseconds: float

    def cells(self) -> list[str]:
        steps, over = (("-" if n is None else f"{n:.1f}") for n in (self.steps, self.over))
        return [
            self.player, f"{self.points:g}", f"{self.share:.0%}", str(self.races), str(self.first), f"{self.place:.2f}",
            str(self.finished), steps, over, f"{self.penalties:.2f}", f"{self.milliseconds:.1f}",
        ]  # fmt: skip


def standings(results: Sequence[Result]) -> list[Standing]:
    """One line a player, the best first."""
    told = []
    for player in dict.fromkeys(result.player for result in results):
        own = [result for result in results if result.player == player]
        home = [result for result in own if result.finished]
        points, most = sum(result.points for result in own), sum(len(result.rivals) for result in own)
        over = [result.steps - result.fewest for result in home if result.fewest is not None]
        told.append(
            Standing(
                player, points, points / max(1, most), len(own), sum(result.place == 1 and result.finished for result in own),
                mean(result.place for result in own), len(home), mean(r.steps for r in home) if home else None,
                mean(over) if over else None, mean(result.penalties for result in own),
                1000 * sum(result.seconds for result in own) / max(1, sum(result.moves for result in own)),
            )
        )  # fmt: skip
    return sorted(told, key=lambda standing: (-standing.share, standing.steps or 0))


def duels(results: Sequence[Result]) -> dict[tuple[str, str], tuple[int, int, int]]:
    """How often one player came in before another, with him, and after him."""
    counts: dict[tuple[str, str], list[int]] = {}
    for result in results:
        for rival, points in zip(result.rivals, result.beaten, strict=True):
            counts.setdefault((result.player, rival), [0, 0, 0])[{1: 0, 0.5: 1, 0: 2}[points]] += 1
    return {pair: (won, even, lost) for pair, (won, even, lost) in counts.items()}


def markdown(results: Sequence[Result], about: str = "") -> str:
    """The standings, who beat whom, then a row for each car of each race."""
    table, against = standings(results), duels(results)
    players = [standing.player for standing in table]
    lines = ["# Tournament", "", *([about, ""] if about else [])]
    lines += [_row(HEADINGS), _row(["---"] * len(HEADINGS)), *(_row(standing.cells()) for standing in table)]
    lines += ["", MEANINGS, "", "Won, even and lost against each other:", ""]
    lines += [_row(["", *players]), _row(["---"] * (1 + len(players)))]
    for player in players:
        lines.append(_row([player, *(_duel(against.get((player, rival))) for rival in players)]))
    columns = ("track", "seed", "seat", "player", "place", "points", "steps", "fewest", "penalties", "")
    lines += ["", _row(columns), _row(["---"] * len(columns))]
    for r in results:
        what = r.error or ("" if r.finished else "not finished")
        told = "-" if r.fewest is None else r.fewest
        lines.append(
            _row([r.track, r.seed, r.seat, r.player, r.place, f"{r.points:g}", r.steps, told, r.penalties, what])
        )
    return "\n".join(lines) + "\n"


def _duel(counts: tuple[int, int, int] | None) -> str:
    return "" if counts is None else " / ".join(map(str, counts))


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(results: Sequence[Result]) -> str:
    """CSV, a line for each car of each race."""
    names = (
        "track", "seed", "seat", "player", "place", "points", "steps", "fewest", "penalties", "finished", "moves",
        "seconds", "error",
    )  # fmt: skip
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for result in results:
        cells = [getattr(result, name) for name in names]
        writer.writerow(["" if cell is None else cell for cell in cells])
    return out.getvalue()
