"""The tables for a tournament: the standings, the duels and the results of every game, as Markdown and CSV."""

import csv
import io
from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from shoverworld.core.game import Game
from shoverworld.core.text import one_line, visible

from .tournament import PlayerResult

MEANINGS = (
    "Points: one for each player beaten in a game, half a point for each player with the same result. Share: the "
    "player's share of all possible points. First: games in which no player was better. Place: the mean place. Done: "
    "games that the player finished. {first}: the mean over these games. Over: the mean difference from the best "
    "possible result from the same start without rivals. {second}: the mean per game. ms: the mean thinking "
    "time per move, in milliseconds."
)


class Standing(NamedTuple):
    player: str
    points: float
    share: float
    games: int
    first: int
    place: float
    finished: int
    figure: float | None
    over: float | None
    other: float
    milliseconds: float

    def cells(self) -> list[str]:
        figure, over = (("-" if n is None else f"{n:.1f}") for n in (self.figure, self.over))
        return [
            self.player, f"{self.points:g}", f"{self.share:.0%}", str(self.games), str(self.first), f"{self.place:.2f}",
            str(self.finished), figure, over, f"{self.other:.2f}", f"{self.milliseconds:.1f}",
        ]  # fmt: skip


def headings(game: Game) -> tuple[str, ...]:
    first, second = game.figures
    return ("player", "points", "share", "games", "first", "place", "done", first, "over", second, "ms")


def standings(results: Sequence[PlayerResult]) -> list[Standing]:
    """Return the standing of each player, with the best player first."""
    table = []
    for player in dict.fromkeys(result.player for result in results):
        own = [result for result in results if result.player == player]
        done = [result for result in own if result.finished]
        points, most = sum(result.points for result in own), sum(len(result.rivals) for result in own)
        over = [result.figures[0] - result.best for result in done if result.best is not None]
        table.append(
            Standing(
                player, points, points / max(1, most), len(own), sum(r.place == 1 and r.finished for r in own),
                mean(result.place for result in own), len(done), mean(r.figures[0] for r in done) if done else None,
                mean(over) if over else None, mean(result.figures[1] for result in own),
                1000 * sum(result.seconds for result in own) / max(1, sum(result.moves for result in own)),
            )
        )  # fmt: skip
    return sorted(table, key=lambda standing: (-standing.share, standing.figure or 0))


def duels(results: Sequence[PlayerResult]) -> dict[tuple[str, str], tuple[int, int, int]]:
    """For each pair of players, count the first player's wins, draws and losses against the second."""
    counts: dict[tuple[str, str], list[int]] = {}
    for result in results:
        for rival, points in zip(result.rivals, result.beaten, strict=True):
            counts.setdefault((result.player, rival), [0, 0, 0])[{1: 0, 0.5: 1, 0: 2}[points]] += 1
    return {pair: (won, even, lost) for pair, (won, even, lost) in counts.items()}


def markdown(game: Game, results: Sequence[PlayerResult], about: str = "") -> str:
    """Return a Markdown page with the standings, the duels and a row for each player in each game."""
    table, against, heads = standings(results), duels(results), headings(game)
    players = [standing.player for standing in table]
    lines = ["# Tournament", "", *([about, ""] if about else [])]
    lines += [_row(heads), _row(["---"] * len(heads)), *(_row(standing.cells()) for standing in table)]
    first, second = (name.capitalize() for name in game.figures)
    lines += ["", MEANINGS.format(first=first, second=second), "", "Head-to-head wins, draws and losses:", ""]
    lines += [_row(["", *players]), _row(["---"] * (1 + len(players)))]
    for player in players:
        lines.append(_row([player, *(_duel(against.get((player, rival))) for rival in players)]))
    columns = (
        game.level_word,
        "seed",
        "seat",
        "player",
        "place",
        "points",
        game.figures[0],
        "best",
        game.figures[1],
        "",
    )
    lines += ["", _row(columns), _row(["---"] * len(columns))]
    for r in results:
        remark = r.error or ("" if r.finished else "not finished")
        one, other = (f"{figure:g}" for figure in r.figures)
        best = "-" if r.best is None else f"{r.best:g}"
        lines.append(_row([r.level, r.seed, r.seat, r.player, r.place, f"{r.points:g}", one, best, other, remark]))
    return "\n".join(lines) + "\n"


def _duel(counts: tuple[int, int, int] | None) -> str:
    return "" if counts is None else " / ".join(map(str, counts))


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(one_line(str(cell)).replace("|", "\\|") for cell in cells) + " |"


def table(game: Game, results: Sequence[PlayerResult]) -> str:
    """Return CSV data with a line for each player in each game."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    first, second = game.figures
    names = (game.level_word, "seed", "seat", "player", "place", "points", first, "best", second)
    writer.writerow([*names, "finished", "moves", "seconds", "error"])
    for r in results:
        one, other = r.figures
        cells = [r.level, r.seed, r.seat, r.player, r.place, r.points, f"{one:g}", r.best, f"{other:g}"]
        cells += [r.finished, r.moves, r.seconds, r.error]
        writer.writerow(["" if cell is None else visible(str(cell)) for cell in cells])
    return out.getvalue()
