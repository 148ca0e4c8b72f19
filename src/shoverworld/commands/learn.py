"""`shover learn`: train the policy of a game on levels, and write it to a model file."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from shoverworld.core.checks import number
from shoverworld.core.errors import SaveError
from shoverworld.core.game import Game
from shoverworld.core.ui import count
from shoverworld.games import game_named
from shoverworld.learn import Model, Settings, train
from shoverworld.learn import Progress as Report
from shoverworld.learn.model import learning_of
from shoverworld.terminal.console import SafeConsole

from .shared import INTERRUPTED, complain, keep_existing

CHECKPOINT = ".checkpoint"  # appended to the name of the model


def run(chosen: argparse.Namespace) -> int:
    game = game_named(chosen.game)
    learning = learning_of(game)
    settings = Settings(**{name: getattr(chosen, name) for name in ("seed", "passes", "rounds", "rate")})
    if chosen.minutes is not None:
        number("minutes", chosen.minutes, at_least=0.0)
    checkpoint = Path(f"{chosen.out}{CHECKPOINT}")
    _check_out(chosen.out, checkpoint, chosen)
    levels = learning.read(chosen.levels)
    model, complete = _train(game, levels, settings, chosen, checkpoint)
    model.save(chosen.out)
    if complete:
        checkpoint.unlink(missing_ok=True)
    learned = f"{count(model.about['states'], 'state')} of {count(model.about['levels'], game.level_word)}"
    SafeConsole().print(f"Saved {chosen.out}, learned from {learned}", soft_wrap=True)
    if complete:
        return 0
    complain(f"stopped before the end; the same command with --resume continues from {checkpoint}", chosen)
    return 0 if chosen.minutes is not None else INTERRUPTED


def _check_out(out: Path, checkpoint: Path, chosen: argparse.Namespace) -> None:
    if out.is_dir() or not out.absolute().parent.is_dir():
        why = "this is a folder" if out.is_dir() else f"the folder {out.absolute().parent} does not exist"
        raise SaveError(f"--out {out}: {why}; expected a file name, for example model.npz")
    if chosen.resume and not checkpoint.is_file():
        raise SaveError(f"--resume: there is no checkpoint {checkpoint}; train without --resume first")
    if not chosen.resume:
        keep_existing([out, checkpoint], chosen.force)
        checkpoint.unlink(missing_ok=True)


def _train(
    game: Game, levels: Sequence[Any], settings: Settings, chosen: argparse.Namespace, checkpoint: Path
) -> tuple[Model, bool]:
    """Train with a progress bar, or with a line about every tenth of the work if stderr is not a terminal."""
    console = SafeConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    last: list[Report] = []
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading levels", total=None)

        def show(report: Report) -> None:
            what = f"{report.stage}: {count(report.states, 'state')}, accuracy {100 * report.accuracy:.1f} %"
            bar.update(task, description=what, completed=report.done, total=report.total)
            tenth = 10 * report.done // max(1, report.total)
            if not console.is_terminal and (not last or tenth > 10 * last[-1].done // max(1, last[-1].total)):
                console.print(f"{what}, {report.seconds:.0f} s", soft_wrap=True)
            last.append(report)

        model = train(game, levels, settings=settings, minutes=chosen.minutes, checkpoint=checkpoint, progress=show)
    return model, bool(model.about["complete"])
