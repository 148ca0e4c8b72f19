"""`shover replay`: check and watch replays."""

import argparse
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from shoverworld.core.checks import number, whole
from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError, NotAReplay, ReplayError, ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.replay import Moment, Replay
from shoverworld.core.ui import Board, State, count
from shoverworld.games import game_of
from shoverworld.play import film
from shoverworld.play.clipboard import LONGEST, IllegalMove, replay_of_moves
from shoverworld.play.places import find
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.settings import Settings
from shoverworld.terminal.console import SafeConsole
from shoverworld.terminal.show import show
from shoverworld.web.single_page import page_of_replay

from .shared import complain, open_window

SUFFIX = ".replay"  # the suffix of the files that are looked for in a folder


def run(chosen: argparse.Namespace) -> int:
    number("speed", chosen.speed, at_least=0)
    if chosen.step is not None:
        whole("step", chosen.step, 0, 10**9)
    for name, path in (("gif", chosen.gif), ("mp4", chosen.mp4), ("png", chosen.png), ("html", chosen.html)):
        if path is not None:
            film.checked(path, f".{name}", f"--{name} ")
    for name, path, what in (("png", chosen.png, "picture"), ("html", chosen.html, "page")):
        if path is not None and len(chosen.files) > 1:
            raise ConfigError(f"--{name} {path}: expected one replay for a {what}, not {len(chosen.files)}")
    console = SafeConsole(soft_wrap=True)
    accepted: list[Replay] = []
    worst = 0
    for name, read in _solutions(chosen) if chosen.lurd is not None else _files(chosen):
        try:
            replay = read()
            end = deque(replay.play(), maxlen=1).pop()
        except NotAReplay as error:
            complain(error, chosen)
            worst = 2
        except (ReplayError, IllegalMove) as error:
            console.print(f"rejected {error}", style="red")
            worst = max(worst, 1)
        else:
            if not chosen.quiet:
                console.print(f"ok       {name}: {_summary(replay, end.env)}")
            accepted.append(replay)
            _play(replay, chosen, console)
    if accepted:
        _save(accepted, chosen, console)
        if _wants_window(chosen):
            _in_window(accepted, chosen, console)
    return worst


Source = tuple[str, Callable[[], Replay]]  # a name for messages, and a function that returns the replay


def _files(chosen: argparse.Namespace) -> list[Source]:
    return [(str(path), lambda path=path: _read(path)) for place in chosen.files for path in _replays_in(place)]


def _replays_in(place: Path) -> list[Path]:
    """Return the replays in a folder and its subfolders, or the given path if it is a file or contains no replays."""
    return (sorted(place.rglob(f"*{SUFFIX}")) if place.is_dir() else []) or [place]


def _read(path: Path) -> Replay:
    if path.is_dir():
        raise NotAReplay.at(f"the folder contains no replays; expected files with the suffix {SUFFIX}", str(path))
    return Replay.read(path)


def _solutions(chosen: argparse.Namespace) -> list[Source]:
    """Return the moves from `--lurd` as replays: one per line if there is a line for every level, otherwise one."""
    if len(chosen.files) != 1:
        raise ConfigError(f"--lurd: expected one level or collection, not {len(chosen.files)}")
    found = find(str(chosen.files[0]))
    text = _moves(chosen.lurd, found.game)
    lines = text.splitlines()
    if len(lines) == len(found.boards) > 1:
        pairs = list(zip(found.boards, lines, strict=True))
        pairs = pairs if found.place is None else [pairs[found.place]]
    elif len(found.boards) > 1 and found.place is None:
        raise ConfigError(f"--lurd: {found.collection} has {len(found.boards)} levels; pick one: {found.collection}#1")
    else:
        pairs = [(found.board, text)]
    return [
        (board.name, lambda board=board, moves=moves: _replay_of(found.game, board, moves)) for board, moves in pairs
    ]


def _moves(given: str, game: Game) -> str:
    """Return the moves themselves, or the content of the file that contains them."""
    if not os.path.isfile(given):
        is_folder = os.path.isdir(given)
        is_path = is_folder or Path(given).suffix or os.path.basename(given) != given
        if is_path and (game.ui.notation is None or game.ui.notation.split(given) is None):
            what = "this is a folder" if is_folder else "the file does not exist"
            raise ConfigError(f"--lurd {given}: {what}; expected moves, or the name of a file that contains them")
        return given
    try:
        with open(given, encoding="utf-8-sig") as file:
            return file.read(LONGEST)
    except (OSError, UnicodeDecodeError) as reason:
        raise ConfigError(f"--lurd {given}: the file cannot be read ({reason})") from None


def _replay_of(game: Game, board: Board, moves: str) -> Replay:
    return replace(replay_of_moves(game, board, moves, board.preset), source=board.name)


def _wants_window(chosen: argparse.Namespace) -> bool:
    others = (chosen.terminal, chosen.check, chosen.quiet, chosen.gif, chosen.mp4, chosen.png, chosen.html)
    return not any(others) and chosen.step is None


def _in_window(replays: list[Replay], chosen: argparse.Namespace, console: SafeConsole) -> None:
    """Open the replays in a window. If that is impossible, report why and show them in the terminal."""
    settings, message = Settings.load()
    try:
        window, app = open_window(settings, "add --terminal, which needs no window")
    except ShoverWorldError as reason:
        complain(reason, chosen)
        for replay in replays:
            _in_terminal(replay, chosen, console)
        return
    app.go(window.ViewerScreen(app, ReplayCursor(replays[0]), replays[1:]))
    if message:
        app.say(message)
    app.run()


def _summary(replay: Replay, env: GridEnv) -> str:
    """Return the outcome, the statistics and the player in one line. `env` is the environment at the end of the game.

    If there are several players, the statistics of each player are listed, such as "steps 14 + 16".
    """
    outcome, game = replay.end.outcome or "unfinished", game_of(env)
    shown = {name: f"{value:.10g}" for name, value in replay.end.figures.items()}
    players = 1 if game.ui.multiplayer is None else game.ui.multiplayer.player_count(env)
    if players > 1:
        own = [game.reports.player_figures(env, player) for player in range(players)]
        shown |= {name: " + ".join(f"{figures[name]:.10g}" for figures in own) for name in own[0]}
    figures = [f"{name} {text}" for name, text in shown.items()]
    return ", ".join([outcome, *figures, *([f"played by {replay.player}"] if replay.player else [])])


def _play(replay: Replay, chosen: argparse.Namespace, console: SafeConsole) -> None:
    """Show an accepted replay in the terminal, as the options request."""
    if chosen.step is not None:
        if chosen.step > replay.steps:
            raise ConfigError(f"--step {chosen.step}: {replay.source} has only {count(replay.steps, 'move')}")
        scenes = [scene for step, scene in _scenes(replay) if step == chosen.step]
        show(scenes[-1:], console, 0, Path(replay.source).stem)
    elif console.is_terminal and not chosen.check and not chosen.quiet and not _wants_window(chosen):
        _in_terminal(replay, chosen, console)


def _in_terminal(replay: Replay, chosen: argparse.Namespace, console: SafeConsole) -> None:
    """Play a replay in the terminal. If stdout is not a terminal, only the final board is printed."""
    show((scene for _, scene in _scenes(replay)), console, chosen.speed, Path(replay.source).stem)


def _scenes(replay: Replay) -> Iterator[tuple[int, tuple[GridEnv, State, str]]]:
    """Yield the number of each step, and what to show after that step."""
    for moment in replay.play():
        yield moment.step, (moment.env, moment.state, _remark(moment))


def _save(replays: list[Replay], chosen: argparse.Namespace, console: SafeConsole) -> None:
    """Save the videos and the image that the options request."""
    if chosen.html:
        _save_page(replays[0], chosen, console)
    if not (chosen.gif or chosen.mp4 or chosen.png):
        return
    cursors = [ReplayCursor(replay) for replay in replays]
    for path in filter(None, (chosen.gif, chosen.mp4)):
        made = film.film_of([(cursor.game, cursor.states) for cursor in cursors], path.suffix.lower())
        film.save(made, path)
        if not chosen.quiet:
            console.print(f"Saved {count(made.states, 'position')} to {path}")
    if chosen.png:
        (replay,), (cursor,) = replays, cursors
        last = replay.steps if chosen.step is None else chosen.step
        place = _place(replay, last)
        film.save_png(film.still(cursor.game, cursor.states[place], rulers=True), chosen.png)
        if not chosen.quiet:
            console.print(f"Saved the board after move {last} to {chosen.png}")


def _save_page(replay: Replay, chosen: argparse.Namespace, console: SafeConsole) -> None:
    at = 0 if chosen.step is None else _place(replay, chosen.step)
    write_safely(chosen.html, page_of_replay(replay, at), make_folder=False)
    if not chosen.quiet:
        console.print(f"Saved a page with {count(len(replay.moves), 'move')} to {chosen.html}")


def _place(replay: Replay, step: int) -> int:
    """Return the number of moves, including free moves, up to the last position after this step."""
    return max(place for place, moment in enumerate(replay.play()) if moment.step == step)


def _remark(moment: Moment) -> str:
    return "placed" if moment.move is not None and moment.move.place else moment.env.remark()
