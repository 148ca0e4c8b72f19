"""`shover replay`: check replays, and watch them."""

import argparse
import sys
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="check replay files, and watch them in a window or in the terminal",
        description="Checks every file against the rules, step by step, then opens those that were accepted in a window. "
        "Exit code 1: a replay was refused; 2: a file is missing or no replay.",
    )
    replay.add_argument("files", nargs="+", metavar="FILE", type=Path, help="replay files (docs/replays.md)")
    replay.add_argument("--terminal", action="store_true", help="play them in this terminal, without a window")
    replay.add_argument(
        "--speed", type=float, default=0.12, help="seconds a step in the terminal (default: %(default)s)"
    )
    replay.add_argument("--check", action="store_true", help="only check, do not play")
    replay.add_argument("--step", type=int, metavar="N", help="show the board after step N instead of playing")
    replay.add_argument("--gif", type=Path, metavar="FILE", help="save an animated GIF of all that was accepted")
    replay.add_argument("--mp4", type=Path, metavar="FILE", help="save a video of all that was accepted, with ffmpeg")
    replay.add_argument("--png", type=Path, metavar="FILE", help="save a picture of the end, or of step N (--step)")
    replay.add_argument("--quiet", action="store_true", help="say only what is wrong, and do not play")
    replay.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.console import Console

    from shoverworld.core.checks import number, whole
    from shoverworld.core.errors import ConfigError, NotAReplay, ReplayError
    from shoverworld.core.replay import Replay
    from shoverworld.play.film import checked

    number("speed", chosen.speed, at_least=0)
    if chosen.step is not None:
        whole("step", chosen.step, 0, 10**9)
    for name, path in (("gif", chosen.gif), ("mp4", chosen.mp4), ("png", chosen.png)):
        if path is not None:
            checked(path, f".{name}", f"--{name} ")
    if chosen.png is not None and len(chosen.files) > 1:
        raise ConfigError(f"--png {chosen.png}: a picture is of one replay; {len(chosen.files)} files were given")
    console = Console(highlight=False, soft_wrap=True)
    accepted: list[Any] = []
    worst = 0
    for path in chosen.files:
        try:
            replay = Replay.read(path)
            replay.check()
        except NotAReplay as error:
            print(f"shover replay: {error}", file=sys.stderr)
            worst = 2
        except ReplayError as error:
            console.print(f"refused  {error}", style="red", markup=False)
            worst = max(worst, 1)
        else:
            if not chosen.quiet:
                console.print(f"ok       {path}: {_told(replay)}", markup=False)
            accepted.append(replay)
            _play(replay, chosen, console)
    if accepted:
        _save(accepted, chosen, console)
        if _wants_window(chosen):
            _in_window(accepted)
    return worst


def _wants_window(chosen: argparse.Namespace) -> bool:
    others = (chosen.terminal, chosen.check, chosen.quiet, chosen.gif, chosen.mp4, chosen.png)
    return not any(others) and chosen.step is None


def _in_window(replays: list[Any]) -> None:
    from shoverworld.play.cursor import Cursor
    from shoverworld.play.settings import Settings

    from .window import open_window

    settings, message = Settings.load()
    app = open_window(settings, "watch it in the terminal instead: shover replay --terminal FILE")

    from shoverworld.desktop.viewer import ViewerScreen

    app.go(ViewerScreen(app, Cursor(replays[0]), replays[1:]))
    if message:
        app.say(message)
    app.run()


def _told(replay: Any) -> str:
    """How a game went, in one line."""
    outcome = replay.end.outcome or "not over"
    figures = [f"{name} {value:.10g}" for name, value in replay.end.figures.items()]
    return ", ".join([outcome, *figures, *([f"played by {replay.player}"] if replay.player else [])])


def _play(replay: Any, chosen: argparse.Namespace, console: Any) -> None:
    """Show a replay that was checked in the terminal, as the options ask for."""
    from shoverworld.core.errors import ConfigError
    from shoverworld.terminal.show import show

    told = ((moment.step, (moment.env, moment.state, _said(moment))) for moment in replay.play())
    if chosen.step is not None:
        if chosen.step > replay.steps:
            raise ConfigError(f"--step {chosen.step}: {replay.source} has {replay.steps} steps")
        show([scene for step, scene in told if step == chosen.step][-1:], console, 0, _title(replay))
    elif console.is_terminal and not chosen.check and not chosen.quiet and not _wants_window(chosen):
        show((scene for _, scene in told), console, chosen.speed, _title(replay))


def _save(replays: list[Any], chosen: argparse.Namespace, console: Any) -> None:
    """The films and the picture that were asked for."""
    from shoverworld.play import film
    from shoverworld.play.cursor import Cursor

    if not (chosen.gif or chosen.mp4 or chosen.png):
        return
    cursors = [Cursor(replay) for replay in replays]
    for path in filter(None, (chosen.gif, chosen.mp4)):
        made = film.film_of([(cursor.game, cursor.states) for cursor in cursors], path.suffix.lower())
        film.save(made, path)
        if not chosen.quiet:
            console.print(f"Saved {made.states} moments to {path}", markup=False)
    if chosen.png:
        (replay,), (cursor,) = replays, cursors
        last = replay.steps if chosen.step is None else chosen.step
        place = max(place for place, moment in enumerate(replay.play()) if moment.step == last)
        film.save_png(film.still(cursor.game, cursor.states[place]), chosen.png)
        if not chosen.quiet:
            console.print(f"Saved step {last} to {chosen.png}", markup=False)


def _title(replay: Any) -> str:
    return Path(replay.source).stem


def _said(moment: Any) -> str:
    return "placed" if moment.move is not None and moment.move.place else moment.env.remark()
