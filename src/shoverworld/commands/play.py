"""`shover play`: play in a window, or in the terminal."""

import argparse
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple


def add(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="play in a window, or in the terminal",
        description="Without WHAT the menu opens. Which game a file is of is found out. F1 lists all keys.",
    )
    play.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        help="a file or folder of maps or levels, the name of a level or of a collection that comes with the package, "
        'a game (shover, sokoban, race), "random", or an environment id such as shoverworld/Sokoban-small-v0; '
        "levels.txt#12 is the twelfth level",
    )
    play.add_argument("--level", type=int, metavar="N", help="this level of a collection, from 1")
    play.add_argument(
        "--rules",
        help="preset: milestone1, walker, phase2; sokoban, pull, fixed, two; of the race see the menu (default: the level's)",
    )
    play.add_argument("--seed", type=int, help="of a random level, and of what a level leaves open")
    play.add_argument("--agent", help="who plays when you press Space: a name, or path/to/file.py:Class")
    play.add_argument("--game", help="which game (default: that of WHAT, else that of last time)")
    add_shared(play)
    play.set_defaults(run=run)


def add_shared(play: argparse.ArgumentParser) -> None:
    """The options that `shover race` has, too."""
    play.add_argument(
        "--players",
        metavar="WHO,WHO",
        help="in a game for several: human, or an agent's name, or Zoe=greedy to give it a name of its own "
        "(default: you are asked)",
    )
    play.add_argument("--terminal", action="store_true", help="play in this terminal, without a window")
    play.add_argument("--no-animation", action="store_true", help="show every move at once")
    play.add_argument("--fps", type=int, choices=(30, 60), help="frames a second, at the most (default: 30)")


class Start(NamedTuple):
    """What to begin with. `board` None: the menu, or the list of levels when `browse`."""

    game: Any
    collection: str = ""
    board: Any = None
    browse: bool = False
    rules: str = ""  # that an id asks for
    draw: Callable[[int], Any] | None = None  # another random level, of an id


def run(chosen: argparse.Namespace) -> int:
    from shoverworld.core.checks import whole, word
    from shoverworld.play.settings import Settings

    if chosen.seed is not None:
        whole("seed", chosen.seed, 0, 2**31 - 1)
    settings, message = Settings.load()
    seed = settings.seed if chosen.seed is None else chosen.seed
    start = _start(chosen, settings.game, seed)  # what is wrong with it is told before a window opens
    if chosen.rules is not None:
        word("rules", chosen.rules, [preset.name for preset in start.game.presets])
    if chosen.agent is not None:
        from shoverworld.agents import load

        load.check(chosen.agent, start.game.name)
    seats = _seats(chosen, start)
    settings.switch(start.game.name)
    if seats:
        from shoverworld.play.seats import written

        settings.seats = written(seats)
    if start.collection:
        settings.collection = start.collection
    return (
        _in_terminal(chosen, start, settings, seed) if chosen.terminal else _in_window(chosen, start, settings, message)
    )


def _seats(chosen: argparse.Namespace, start: Start) -> Any:
    """Who plays, by the command line; nobody, when it does not say."""
    from shoverworld.core.errors import ConfigError
    from shoverworld.play.seats import parsed

    game = start.game
    if chosen.players is None:
        return ()
    if game.ui.multiplayer is None:
        raise ConfigError(f"--players {chosen.players}: {game.title} is a game for one")
    seats = parsed(chosen.players, game.name)
    if start.board is not None:
        game.ui.multiplayer.environment(
            start.board, chosen.rules or start.board.preset, len(seats)
        )  # are there so many seats?
    return seats


# --- what is meant


def _start(chosen: argparse.Namespace, last: str, seed: int) -> Start:
    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError
    from shoverworld.games import all_games, game_named
    from shoverworld.play.places import find
    from shoverworld.registry import ENTRIES

    game, what = chosen.game, chosen.what
    if game is not None:
        word("game", game, all_games())
    if what in all_games():
        if game not in (None, what):
            raise ConfigError(f"{what} and --game {game}: which of them?")
        game, what = what, None
    usual = game or (last if last in all_games() else next(iter(all_games())))
    if what is None:
        if chosen.level is None:
            return Start(game_named(usual))
        what, game = game_named(usual).levels.collections()[0].name, usual  # the level of the first collection
    if what == "random":
        drawn = game_named(usual)
        return Start(drawn, board=drawn.levels.random(chosen.rules or drawn.presets[0].name, seed))
    entry = next((entry for entry in ENTRIES if what in (entry.id, entry.name)), None)
    if entry is not None:
        return _of_id(entry, game, seed)
    if not os.path.exists(what) and re.search(r"-v\d+$", what):
        raise ConfigError(f"{what}: there is no environment of this id{_like(what)}")
    found = find(what, game, chosen.level)
    packaged = found.collection in [known.name for known in found.game.levels.collections()]
    alone = len(found.boards) == 1 and not packaged  # Tab then leads to the levels of the room
    board = found.board if found.place is not None else None
    return Start(found.game, "" if alone else found.collection, board, found.place is None)


def _like(what: str) -> str:
    """A question after ids that are like this one."""
    from difflib import get_close_matches

    from shoverworld.registry import ENTRIES

    name = what.rpartition("/")[2]
    near = get_close_matches(name, [entry.name for entry in ENTRIES], 3, 0.7)
    return f"; did you mean {' or '.join(near)}?" if near else "; shover envs lists them"


def _of_id(entry: Any, asked: str | None, seed: int) -> Start:
    """The game that this environment begins with on `reset(seed=seed)`."""
    from dataclasses import replace

    from shoverworld.agents.games import made
    from shoverworld.core.errors import ConfigError
    from shoverworld.games import game_named

    if asked not in (None, entry.game):
        raise ConfigError(f"{entry.id} is of {entry.game}, not of {asked}")
    game = game_named(entry.game)
    rules = entry.settings.get("rules")
    if rules in [preset.name for preset in game.presets]:
        return Start(game, board=game.levels.random(rules, seed), rules=rules)
    env = made((entry.id, {}))

    def draw(seed: int) -> Any:
        env.reset(seed=seed)
        board = game.levels.board_of(env)  # type: ignore[arg-type]
        preset = board.preset or game.presets[0].name
        return replace(board, name=f"{entry.name}-{seed}", title=f"{entry.name}, seed {seed}", preset=preset, seed=seed)

    return Start(game, board=draw(seed), draw=draw)


def _shelf(start: Start, records: Any, rules: str | None) -> Any:
    from shoverworld.play.shelf import Shelf

    return Shelf(start.game, start.collection, records, rules or "")


# --- where


def _in_terminal(chosen: argparse.Namespace, start: Start, settings: Any, seed: int) -> int:
    from shoverworld.play.records import Records
    from shoverworld.play.seats import seats_for
    from shoverworld.play.session import Session
    from shoverworld.terminal import play

    records, _ = Records.load()
    start = start if start.collection or start.board else start._replace(collection=_last_collection(start, settings))
    shelf = _shelf(start, records, chosen.rules)
    board = start.board or (None if start.browse else _last(start.game, shelf, settings, seed))
    if board is None:
        board = shelf.boards[shelf.next_unsolved() or 0]
    seats = seats_for(start.game, board, settings.seats)
    session = Session(start.game, board, chosen.rules or start.rules or board.preset, seed=seed, seats=seats)
    asks = chosen.players is None
    return play.run(session, chosen.agent, settings, seed, chosen.rules, shelf, start.browse, start.draw, asks)


def _last_collection(start: Start, settings: Any) -> str:
    """That of last time, when it is still there."""
    from shoverworld.core.errors import ShoverWorldError
    from shoverworld.play.shelf import boards_of

    try:
        return settings.collection if settings.collection and boards_of(start.game, settings.collection) else ""
    except ShoverWorldError:
        return ""


def _last(game: Any, shelf: Any, settings: Any, seed: int) -> Any:
    """The level of last time, when it is still there."""
    from shoverworld.core.errors import ShoverWorldError

    if settings.board in shelf.keys:
        return shelf.boards[shelf.keys.index(settings.board)]
    if not settings.board:
        return None
    try:
        if settings.board == "random":
            return game.levels.random(settings.preset or game.presets[0].name, seed)
        return game.levels.read(settings.board)
    except ShoverWorldError:
        return None


def _in_window(chosen: argparse.Namespace, start: Start, settings: Any, message: str | None) -> int:
    from .window import open_window

    seed = settings.seed if chosen.seed is None else chosen.seed
    instead = "play in the terminal instead: shover play --terminal"
    app = open_window(settings, instead, fps=chosen.fps, animation=False if chosen.no_animation else None)

    from shoverworld.desktop.menu import MenuScreen
    from shoverworld.desktop.start import go
    from shoverworld.desktop.table import TableScreen
    from shoverworld.play.seats import seats_for
    from shoverworld.play.session import Session

    if start.board is None:
        _preselect(chosen, settings)
        menu = MenuScreen(app, message)
        app.go(menu)
        if start.browse:
            menu.browse()
        return app.run()
    if message:
        app.say(message)
    agent, board = chosen.agent or settings.agent or None, start.board
    preset = chosen.rules or start.rules or board.preset

    def table() -> TableScreen:
        seats = seats_for(start.game, board, settings.seats)
        session = Session(start.game, board, preset, seed=seed, seats=seats)
        shelf = _shelf(start, app.records, chosen.rules)
        screen = TableScreen(app, session, agent, False, chosen.rules or "", shelf, start.draw)
        screen.asks_first = chosen.players is None
        return screen

    go(app, start.game, table)
    return app.run()


def _preselect(chosen: argparse.Namespace, settings: Any) -> None:
    """What the command line says is chosen in the menu."""
    for name, value in (("preset", chosen.rules), ("seed", chosen.seed), ("agent", chosen.agent)):
        if value is not None:
            setattr(settings, name, value)
