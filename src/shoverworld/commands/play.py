"""`shover play`: play in a window, or in the terminal."""

import argparse
from typing import Any


def add(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="play in a window, or in the terminal",
        description="Without MAP the menu opens. F1 lists all keys.",
    )
    play.add_argument(
        "map",
        metavar="MAP",
        nargs="?",
        help='a map file, the name of a bundled map, "random", or an environment id such as shoverworld/ShoverSelect-v0',
    )
    play.add_argument("--rules", help="preset: milestone1, walker, phase2 (default: what the map says)")
    play.add_argument("--seed", type=int, help="of a random map, and of what a map leaves open")
    play.add_argument("--agent", help="who plays when you press Space: a name, or path/to/file.py:Class")
    play.add_argument("--terminal", action="store_true", help="play in this terminal, without a window")
    play.add_argument("--no-animation", action="store_true", help="show every move at once")
    play.add_argument("--fps", type=int, choices=(30, 60), help="frames a second, at the most (default: 30)")
    play.add_argument("--game", default="shover", help="which game (default: %(default)s)")
    play.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from shoverworld.core.checks import whole, word
    from shoverworld.play.rooms import front_of
    from shoverworld.play.settings import Settings

    front = front_of(chosen.game)
    if chosen.rules is not None:
        word("rules", chosen.rules, [preset.name for preset in front.presets])
    if chosen.seed is not None:
        whole("seed", chosen.seed, 0, 2**31 - 1)
    if chosen.agent is not None:
        from shoverworld.agents import load

        load.check(chosen.agent)
    settings, message = Settings.load()
    return _in_terminal(chosen, settings) if chosen.terminal else _in_window(chosen, settings, message)


def _in_terminal(chosen: argparse.Namespace, settings: Any) -> int:
    from shoverworld.terminal import play

    seed = settings.seed if chosen.seed is None else chosen.seed
    return play.run(_session(chosen, settings), chosen.agent, seed=seed, rules=chosen.rules)


def _in_window(chosen: argparse.Namespace, settings: Any, message: str | None) -> int:
    from shoverworld.play.rooms import front_of

    from .window import open_window

    if chosen.map is not None:
        _board(chosen, settings)  # what is wrong with it is told before a window opens
    instead = "play in the terminal instead: shover play --terminal"
    app = open_window(settings, instead, fps=chosen.fps, animation=False if chosen.no_animation else None)

    from shoverworld.desktop.menu import MenuScreen
    from shoverworld.desktop.start import go
    from shoverworld.desktop.table import TableScreen

    if chosen.map is None:
        _preselect(chosen, settings)
        app.go(MenuScreen(app, message))
    else:
        if message:
            app.say(message)
        agent = chosen.agent or settings.agent or None
        go(
            app,
            front_of(chosen.game),
            lambda: TableScreen(app, _session(chosen, settings), agent, False, chosen.rules or ""),
        )
    return app.run()


def _preselect(chosen: argparse.Namespace, settings: Any) -> None:
    """What the command line says is chosen in the menu."""
    settings.game = chosen.game
    for name, value in (("preset", chosen.rules), ("seed", chosen.seed), ("agent", chosen.agent)):
        if value is not None:
            setattr(settings, name, value)


def _session(chosen: argparse.Namespace, settings: Any) -> Any:
    from shoverworld.play.rooms import front_of
    from shoverworld.play.session import Session

    board, preset = _board(chosen, settings)
    seed = settings.seed if chosen.seed is None else chosen.seed
    return Session(front_of(chosen.game), board, preset, seed=seed)


def _board(chosen: argparse.Namespace, settings: Any) -> tuple[Any, str]:
    """The board to play on, and by which preset."""
    from shoverworld.play.rooms import front_of
    from shoverworld.registry import ENTRIES

    front, name = front_of(chosen.game), chosen.map
    seed = settings.seed if chosen.seed is None else chosen.seed
    entry = next((entry for entry in ENTRIES if name in (entry.id, entry.name)), None)
    if name == "random" or entry is not None:
        rules = entry.settings.get("rules") if entry is not None and entry.game == chosen.game else None
        preset = chosen.rules or rules or settings.preset or front.presets[0].name
        return front.random(preset, seed), preset
    if name is None:  # in a terminal: the map of last time, or the first
        board = _last(front, settings) or front.boards()[0]
    else:
        board = front.read(name)
    return board, chosen.rules or board.preset


def _last(front: Any, settings: Any) -> Any:
    """The map of last time, when it is still there."""
    from shoverworld.core.errors import ShoverWorldError

    if not settings.board:
        return None
    try:
        return (
            front.random(settings.preset or front.presets[0].name, settings.seed)
            if settings.board == "random"
            else front.read(settings.board)
        )
    except ShoverWorldError:
        return None
