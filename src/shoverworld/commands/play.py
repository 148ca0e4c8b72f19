"""`shover play`: play a game in a window or in the terminal."""

import argparse
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from shoverworld.agents import load
from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.rules_text import rules_on
from shoverworld.core.task import made
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named
from shoverworld.play import unfinished
from shoverworld.play.levels import LevelList, levels_of
from shoverworld.play.places import find
from shoverworld.play.players import parse_players, players_for, players_text
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.registry import Entry, entries
from shoverworld.terminal import play as terminal

from .shared import asked, open_window, without_errors


class Start(NamedTuple):
    """What to open first: `board` if there is one, otherwise the list of levels if `browse` is True, else the menu."""

    game: Game
    collection: str = ""
    board: Board | None = None
    browse: bool = False
    rules: str = ""  # the preset that an environment id uses
    draw: Callable[[int], Board] | None = None  # makes another random level for an environment id


def run(chosen: argparse.Namespace) -> int:
    if chosen.seed is not None:
        whole("seed", chosen.seed, 0, 2**31 - 1)
    settings, message = Settings.load()
    seed = settings.seed if chosen.seed is None else chosen.seed
    start = _start(chosen, settings.game, seed)  # report errors before a window opens
    chosen.rules = asked(chosen, start.game)
    if chosen.agent is not None:
        load.check(chosen.agent, start.game.name)
    players = _players(chosen, start)
    settings.switch(start.game.name)
    if players:
        settings.players = players_text(players)
    if start.collection:
        settings.collection = start.collection
    if chosen.terminal:
        return _in_terminal(chosen, start, settings, seed)
    return _in_window(chosen, start, settings, seed, message)


def _players(chosen: argparse.Namespace, start: Start) -> Any:
    """Return the players given on the command line, or an empty tuple if none are given."""
    if chosen.players is None:
        return ()
    multiplayer = start.game.ui.multiplayer
    if multiplayer is None:
        raise ConfigError(f"--players {chosen.players}: {start.game.title} is a game for one player")
    players = parse_players(chosen.players, start.game.name)
    if start.board is not None:  # raises an error if there are too many players for this level
        multiplayer.environment(start.board, _rules(chosen, start, start.board), len(players))
    return players


# --- what to play


def _start(chosen: argparse.Namespace, last: str, seed: int) -> Start:
    game, what = chosen.game, chosen.what
    if game is not None:
        game_named(game)
    if what in all_games():
        if game not in (None, what):
            raise ConfigError(f"{what} and --game {game}: specify only one game")
        game, what = what, None
    usual = game_named(game or (last if last in all_games() else next(iter(all_games()))))
    if what is None:
        if chosen.level is None:
            return Start(usual)
        what, game = usual.levels.collections()[0].name, usual.name
    if what == "random":
        rules = rules_on(usual, usual.presets[0].name, asked(chosen, usual))
        return Start(usual, board=usual.levels.random(rules, seed))
    entry = next((entry for entry in entries() if what in (entry.id, entry.name)), None)
    if entry is not None:
        return _of_id(entry, game, seed)
    if not os.path.exists(what) and re.search(r"-v\d+$", what):
        raise ConfigError(f"{what}: there is no environment with this id{_similar_ids(what)}")
    found = find(what, game, chosen.level)
    without_errors(found.skipped, chosen)
    packaged = found.collection in [known.name for known in found.game.levels.collections()]
    alone = len(found.boards) == 1 and not packaged  # Tab then opens the packaged levels
    board = found.board if found.place is not None else None
    return Start(found.game, "" if alone else found.collection, board, found.place is None)


def _similar_ids(what: str) -> str:
    near = get_close_matches(what.rpartition("/")[2], [entry.name for entry in entries()], 3, 0.7)
    return f"; did you mean {' or '.join(near)}?" if near else "; `shover envs` lists the ids"


def _of_id(entry: Entry, asked: str | None, seed: int) -> Start:
    """Return the start of a game on the level that `reset(seed=seed)` draws in this environment."""
    game = entry.game
    if asked not in (None, game.name):
        raise ConfigError(f"{entry.id} belongs to {game.name}, not to {asked}")
    rules = entry.env_id.settings.get("rules")
    if rules in [preset.name for preset in game.presets]:
        return Start(game, board=game.levels.random(rules, seed), rules=rules)
    env = made((entry.id, {}))

    def draw(seed: int) -> Board:
        env.reset(seed=seed)
        board = game.levels.board_of(env)
        preset = board.preset or game.presets[0].name
        return replace(board, name=f"{entry.name}-{seed}", title=f"{entry.name}, seed {seed}", preset=preset, seed=seed)

    return Start(game, board=draw(seed), draw=draw)


def _rules(chosen: argparse.Namespace, start: Start, board: Board) -> str:
    """Return the rules for the first game: those of the environment id or the level, unless others are requested."""
    return rules_on(start.game, start.rules or board.preset, chosen.rules)


# --- where to play


def _in_terminal(chosen: argparse.Namespace, start: Start, settings: Any, seed: int) -> int:
    records, _ = Records.load()
    start = start if start.collection or start.board else start._replace(collection=_last_collection(start, settings))
    levels = LevelList(start.game, start.collection, records, chosen.rules)
    left = None if start.board or start.browse or chosen.what or chosen.rules else unfinished.latest(start.game)
    board, rules = start.board, ""
    if left is not None:  # the table offers to continue this game
        with suppress(ShoverWorldError):
            board, rules = left.start()
    board = board or (None if start.browse else _last_board(start.game, levels, settings, seed))
    if board is None:
        board = levels.boards[levels.next_unsolved() or 0]
    players = players_for(start.game, board, settings.players)
    session = Session(start.game, board, rules or _rules(chosen, start, board), seed=seed, players=players)
    asks = chosen.players is None
    return terminal.run(session, chosen.agent, settings, seed, chosen.rules, levels, start.browse, start.draw, asks)


def _last_collection(start: Start, settings: Any) -> str:
    """Return the most recently used collection, if it still exists."""
    try:
        return settings.collection if settings.collection and levels_of(start.game, settings.collection) else ""
    except ShoverWorldError:
        return ""


def _last_board(game: Game, levels: LevelList, settings: Any, seed: int) -> Board | None:
    """Return the most recently played level, if it still exists."""
    if settings.board in levels.keys:
        return levels.boards[levels.keys.index(settings.board)]
    if not settings.board:
        return None
    try:
        if settings.board == "random":
            return game.levels.random(settings.preset or game.presets[0].name, seed)
        return game.levels.read(settings.board)
    except ShoverWorldError:
        return None


def _in_window(chosen: argparse.Namespace, start: Start, settings: Any, seed: int, message: str | None) -> int:
    instead = "play in the terminal instead: shover play --terminal"
    animation = False if chosen.no_animation else None
    window, app = open_window(settings, instead, fps=chosen.fps, animation=animation)
    board = start.board
    if board is None:
        for name, value in (("preset", chosen.rules), ("seed", chosen.seed), ("agent", chosen.agent)):
            if value not in (None, ""):  # values given on the command line are selected in the menu
                setattr(settings, name, value)
        menu = window.MenuScreen(app, message)
        app.go(menu)
        if start.browse:
            menu.browse()
        return app.run()
    if message:
        app.say(message)
    agent = chosen.agent or settings.agent or None
    preset = _rules(chosen, start, board)

    def table() -> Any:
        players = players_for(start.game, board, settings.players)
        session = Session(start.game, board, preset, seed=seed, players=players)
        levels = LevelList(start.game, start.collection, app.records, chosen.rules)
        screen = window.TableScreen(app, session, agent, False, chosen.rules, levels, start.draw)
        screen.asks_first = chosen.players is None
        return screen

    window.go(app, start.game, table)
    return app.run()
