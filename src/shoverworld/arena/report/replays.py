"""One page per student that plays all replays of the student. The player itself is in the page only once."""

from dataclasses import replace

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.replay import Replay
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.web.single_page import page_of_games

from .visibility import GameView, StudentView

TITLE = "Replays"
MOST_MOVES = 20_000  # a longer game would make the page slow to open


def replays_page(view: StudentView) -> tuple[str | None, frozenset[int]]:
    """Return the page with a student's replays and the numbers of the games in it. None if it would be empty.

    A replay that the player cannot show is left out: the replay is too long or invalid, or its game has no web player.
    """
    cursors: dict[str, ReplayCursor] = {}
    for game in view.games:
        cursor = _cursor(game, view.complete)
        if cursor is not None:
            cursors[str(game.number)] = cursor
    if not cursors:
        return None, frozenset()
    try:
        page = page_of_games(cursors, TITLE, links=view.complete)
    except (ShoverWorldError, KeyError):  # a game without a web player, or rules that the player does not know
        cursors = {key: cursor for key, cursor in cursors.items() if _is_playable(cursor)}
        page = page_of_games(cursors, TITLE, links=view.complete) if cursors else None
    return page, frozenset(map(int, cursors))


def _cursor(game: GameView, complete: bool) -> ReplayCursor | None:
    if game.replay is None:
        return None
    try:
        replay = Replay.parse(game.replay)
        if len(replay.moves) > MOST_MOVES:
            return None
        cursor = ReplayCursor(replay)
        return cursor if complete else ReplayCursor(_anonymous(cursor, game))
    except ShoverWorldError:
        return None


def _anonymous(cursor: ReplayCursor, game: GameView) -> Replay:
    """Return a replay that contains nothing but the game: no names, no notes, no seed, no header of the level.

    A public level keeps its name.
    """
    notes = {"map": game.label, "title": game.label}
    return replace(cursor.replay, map=cursor.env.map_text(), seed=None, player="", date="", comment="", notes=notes)


def _is_playable(cursor: ReplayCursor) -> bool:
    try:
        page_of_games({"1": cursor}, TITLE)
    except (ShoverWorldError, KeyError):
        return False
    return True
