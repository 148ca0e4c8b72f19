"""`shover learn`: train the policy of a game on levels, and write it to a model file."""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from shoverworld.core.checks import number, word
from shoverworld.core.errors import ConfigError, ModelError, SaveError, ShoverWorldError
from shoverworld.core.files import cause
from shoverworld.core.game import Game
from shoverworld.core.ui import count
from shoverworld.games import all_games, game_named
from shoverworld.learn import Model, Settings, Stop, Trainer
from shoverworld.learn import Progress as Report
from shoverworld.learn.model import able_games, learning_of
from shoverworld.play.places import game_of_file, numbered
from shoverworld.terminal.console import SafeConsole

from .shared import INTERRUPTED, complain, keep_existing

SUFFIX = ".npz"  # of a model: `--agent learned:FILE` accepts no other
CHECKPOINT = ".checkpoint"  # appended to the name of the model


def run(chosen: argparse.Namespace) -> int:
    game = _game(chosen.game)
    settings = Settings(**{name: getattr(chosen, name) for name in ("seed", "passes", "rounds", "rate")})
    if chosen.minutes is not None:
        number("minutes", chosen.minutes, at_least=0.0)
    checkpoint = Path(f"{chosen.out}{CHECKPOINT}")
    _check_out(chosen.out, checkpoint, chosen)
    trainer = Trainer(game, _levels(game, chosen.levels), settings)
    if chosen.resume:
        trainer.resume(checkpoint)
    stop = _train(trainer, chosen, checkpoint)
    _save(trainer, chosen.out, checkpoint)
    levels = f"{trainer.labelled:,} of {count(trainer.teacher.count, game.level_word)}"
    learned = f"learned from {count(trainer.states, 'state')}; labelled {levels}"
    SafeConsole().print(f"Saved {chosen.out}, {learned}", soft_wrap=True)
    if stop is Stop.FINISHED:
        checkpoint.unlink(missing_ok=True)
        return 0
    is_saved = trainer.saved == trainer.done
    more = f"; the same command with --resume continues from {checkpoint}" if is_saved else ""
    complain(f"stopped before the end ({stop.value}){more}", chosen)
    return INTERRUPTED if stop is Stop.INTERRUPT else 0


def _game(name: str) -> Game:
    """Return the game with this name. Raise ConfigError if it is unknown or has nothing to learn."""
    game = game_named(name if name in all_games() else word("game", name, able_games()))
    learning_of(game)
    return game


# --- before the training


def _check_out(out: Path, checkpoint: Path, chosen: argparse.Namespace) -> None:
    """Raise SaveError if the model cannot be written to `--out`, so that no training is lost."""
    folder = Path(os.path.realpath(out)).parent
    if out.is_dir() or not folder.is_dir():
        why = "this is a folder" if out.is_dir() else f"the folder {folder} does not exist"
        raise SaveError(f"--out {out}: {why}; expected a file name, for example model{SUFFIX}")
    if out.suffix != SUFFIX:
        raise SaveError(f"--out {out}: the name of a model file must end in {SUFFIX}, for example model{SUFFIX}")
    if chosen.resume and not checkpoint.is_file():
        raise SaveError(f"--resume: there is no checkpoint {checkpoint}; {_instead_of_resuming(out)}")
    if not chosen.resume:
        keep_existing([out, checkpoint], chosen.force)
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as reason:
        raise SaveError(f"--out {out}: no file can be written in the folder {folder}: {cause(reason)}") from None


def _instead_of_resuming(out: Path) -> str:
    try:
        complete = Model.load(out).about["complete"]
    except (ModelError, KeyError, TypeError):  # no model, or a damaged one
        complete = False
    return f"{out} is complete, so there is nothing to resume" if complete else "train without --resume first"


def _levels(game: Game, sources: Sequence[str]) -> Sequence[Any]:
    """Read training levels. `levels.txt#12` is the twelfth level in a file."""
    learning = learning_of(game)
    places = [numbered(source) for source in sources]
    try:
        if all(place is None for _, place in places):
            return learning.read(sources)
        return [level for what, place in places for level in _level_or_all(learning.read([what]), what, place)]
    except ShoverWorldError:
        for what, _ in places:
            _check_game(game, what)
        raise


def _level_or_all(levels: Sequence[Any], what: str, place: int | None) -> Sequence[Any]:
    if place is None:
        return levels
    if not 1 <= place <= len(levels):
        raise ConfigError(f"{what} has no level {place}; its levels are 1 to {len(levels)}")
    return [levels[place - 1]]


def _check_game(game: Game, what: str) -> None:
    """Raise ConfigError if the content of a file or folder shows that it is for another game."""
    other = game_of_file(what) if os.path.exists(what) else None
    if other is not None and other is not game:
        raise ConfigError(f"{what} is for {other.title}; expected {game.level_word}s for {game.title}")


# --- the training


def _train(trainer: Trainer, chosen: argparse.Namespace, checkpoint: Path) -> Stop:
    """Train with a progress bar, or with a line about every tenth of the work if stderr is not a terminal."""
    console = SafeConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    tenths = -1  # printed so far
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("labelling", total=None)

        def show(report: Report) -> None:
            nonlocal tenths
            what = f"{report.stage}: {count(report.states, 'state')}, accuracy {100 * report.accuracy:.1f} %"
            bar.update(task, description=what, completed=report.done, total=report.total)
            percent = 100 * report.done // max(1, report.total)
            if not console.is_terminal and percent // 10 > tenths:
                tenths = percent // 10
                console.print(f"{percent} %, {what}, {report.seconds:.0f} s", soft_wrap=True)

        return trainer.run(
            minutes=chosen.minutes,
            checkpoint=checkpoint,
            progress=show,
            warn=lambda problem: complain(problem, chosen),
        )


def _save(trainer: Trainer, out: Path, checkpoint: Path) -> None:
    try:
        trainer.model.save(out)
    except SaveError as error:
        if trainer.saved != trainer.done:
            raise
        raise SaveError(f"{error}; the same command with --resume writes the model from {checkpoint}") from None
