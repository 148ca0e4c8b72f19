"""Copy levels, moves and replays as text, and detect which of them pasted text contains.

Each game decides what it accepts: `Levels.boards_in` reads levels, and `UI.notation` reads moves.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import combinations
from typing import NamedTuple, Protocol

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.core.replay import Replay
from shoverworld.core.replay_text import TITLE
from shoverworld.core.task import made, recipe_of
from shoverworld.core.ui import Act, Board, Notation, Place, State
from shoverworld.games import all_games

from .files import new_path
from .guard import Guard
from .link_reader import is_link, replay_of_link
from .players import Player
from .session import Session

LONGEST = 4 * 2**20  # maximum length of pasted text, in characters
MOST_MOVES = 20_000  # maximum number of pasted moves
MOST_TYPOS = 2  # maximum number of wrong symbols in text that is still reported as moves with typos
MOST_SUSPECTS = 12  # maximum number of different symbols that may be wrong, which limits the search for typos
SUFFIX = ".txt"  # the suffix of a file in which pasted levels are stored


class IllegalMove(ConfigError):
    """Raised if pasted text contains a move that is not possible on the board."""


class Clipboard(Protocol):
    """A view's clipboard."""

    def put(self, text: str) -> None:
        """Store a string. Raise ShoverWorldError if there is no clipboard."""
        ...

    def get(self) -> str:
        """Return the text in the clipboard, or "" if there is none. Raise ShoverWorldError if it cannot be read."""
        ...


class PastedLevels(NamedTuple):
    """The levels in pasted text. `collection` is the file in which several levels were stored; "" for one level."""

    game: Game
    boards: list[Board]
    collection: str = ""


# --- writing


def level_text(game: Game, board: Board, preset: str) -> str:
    """Return a level in the first format of its game."""
    if game.ui.editor is not None:
        return game.ui.editor.draft_of(board).text(game.levels.formats[0][0], preset)
    env = game.levels.environment(board, preset)
    env.reset(seed=0, options=game.levels.options(board))
    return env.map_text()


class WrittenMoves(NamedTuple):
    """The moves before and after the current position, in the game's notation."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    separator: str


class MoveWriter:
    """Writes a game's moves in the game's notation. The symbol for each move is cached."""

    def __init__(self, guard: Guard):
        self.guard = guard
        self._written: dict[int, tuple[State, str]] = {}  # keyed by the id of the stored state after the move

    def written(self, session: Session) -> WrittenMoves | None:
        """Return the moves in a game, followed by the undone moves; None if the game has no notation."""
        if session.game.ui.notation is None:
            return None
        before, after = ([self._symbol(session, *move) for move in moves] for moves in (session.done, session.undone))
        return WrittenMoves(tuple(before), tuple(after), session.game.ui.notation.separator)

    def _symbol(self, session: Session, intent: Act | Place, before: State, after: State) -> str:
        if id(after) not in self._written:
            symbol = symbol_of(session, intent, before, self.guard)
            if len(self._written) > MOST_MOVES:
                self._written.clear()
            self._written[id(after)] = after, symbol
        return self._written[id(after)][1]


def symbol_of(session: Session, intent: Act | Place, state: State, guard: Guard) -> str:
    notation = session.game.ui.notation
    assert notation is not None
    return guard("the list of moves", lambda: notation.symbol(session.env, state, intent), "")


# --- reading


def replay_of_moves(
    game: Game,
    board: Board,
    text: str,
    preset: str | None = None,
    seed: int | None = None,
    env: GridEnv | None = None,
    players: Sequence[Player] = (),
) -> Replay:
    """Return a replay of moves on a board. Raise ConfigError if the text contains no moves or an impossible move. For
    the other arguments, see `Session`."""
    notation = game.ui.notation
    symbols = None if notation is None else notation.split(text)
    if typos := "" if symbols is not None else typos_in(text, game):
        raise ConfigError(typos)
    if notation is None or symbols is None:
        expected = f"; expected {notation.about}" if notation else ""
        raise ConfigError(f"{_short(text)} contains no moves for {game.title}{expected}")
    if len(symbols) > MOST_MOVES:
        raise ConfigError(f"the text contains {len(symbols):,} moves; expected at most {MOST_MOVES:,}")
    session = Session(game, board, preset, seed, env, players)
    for number, symbol in enumerate(symbols, 1):
        if session.outcome is not None:
            over = f"the game is over ({session.outcome}) after move {number - 1} of {len(symbols)}"
            raise IllegalMove(f"{board.name}: {over}")
        try:
            session.do(notation.intent(session.env, session.state, symbol))
        except ShoverWorldError as reason:
            raise IllegalMove(f"{board.name}: move {number} is {symbol!r}: {reason}") from None
    return session.replay()


def pasted(text: str, game: Game, play: Callable[[str], Replay] | None = None) -> Replay | PastedLevels:
    """Return what pasted text contains: a replay, a link, moves, or levels for any game. Raise an error if it contains none of
    these. `game`: the game to try first. `play`: a function that plays moves; None if there is no board to play on."""
    if not text.strip():
        raise ConfigError("the clipboard contains no text")
    if len(text) > LONGEST:
        raise ConfigError(f"the pasted text is too long: {len(text):,} characters; expected at most {LONGEST:,}")
    if text.lstrip().startswith(TITLE):
        return Replay.parse(text.lstrip(), "pasted replay")
    if is_link(text):
        return replay_of_link(text)
    if play is not None and game.ui.notation is not None and game.ui.notation.split(text) is not None:
        return play(text)
    try:
        return levels_in(text, game)
    except ShoverWorldError:
        if play is not None and (typos := typos_in(text, game)):
            raise ConfigError(typos) from None
        raise


def typos_in(text: str, game: Game) -> str:
    """Return a description of the one or two symbols that prevent a string from being read as moves for a game, or ""
    if the string does not resemble moves."""
    notation = game.ui.notation
    if notation is None or len(text) > MOST_MOVES:
        return ""
    symbols = text.split() if notation.separator else list("".join(text.split()))
    suspects = [symbol for symbol in dict.fromkeys(symbols) if not _is_moves(symbol, notation)]
    if len(suspects) > MOST_SUSPECTS:
        return ""
    for wrong in (*((one,) for one in suspects), *combinations(suspects, 2)):
        places = [at for at, symbol in enumerate(symbols, 1) if symbol in wrong]
        rest = [symbol for symbol in symbols if symbol not in wrong]
        if len(places) <= MOST_TYPOS < len(rest) and _is_moves(notation.separator.join(rest), notation):
            kind = "move" if notation.separator else "letter"
            found = " and ".join(f"{kind} {at} is {symbols[at - 1]!r}" for at in places)
            return f"{_short(text)} is not a list of moves for {game.title}: {found}; expected {notation.about}"
    return ""


def _is_moves(text: str, notation: Notation) -> bool:
    try:
        return notation.split(text) is not None
    except ShoverWorldError:
        return False


def moves_in(text: str, session: Session) -> Replay:
    """Return a replay of moves from the start of a game in progress."""
    env = made(recipe_of(session.env))
    return replay_of_moves(session.game, session.board, text, session.preset, session.seed, env, session.players)


def levels_in(text: str, game: Game) -> PastedLevels:
    """Return the levels in a string: levels for `game` if possible, otherwise for any game. Several levels are stored
    in a file, so that they form a collection."""
    head = text.encode("utf-8", "replace")
    scores = {one: one.levels.recognises(head, SUFFIX) for one in all_games().values()}
    errors = []
    for one in sorted(scores, key=lambda one: (-scores[one], one is not game)):
        name = f"pasted-{blake2b(head, digest_size=3).hexdigest()}"
        try:
            boards = one.levels.boards_in(text, name)
        except ShoverWorldError as reason:
            errors.append(f"for {one.title}: {str(reason).removeprefix(name).lstrip(':, ')}")
            continue
        if len(boards) == 1:
            return PastedLevels(one, boards)
        path = new_path("pasted", one.name, SUFFIX)
        write_safely(path, text)
        return PastedLevels(one, one.levels.boards(str(path)), str(path))
    raise ConfigError(f"{_short(text)} contains neither a level nor moves ({'; '.join(errors)})")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"{line[:30]!r}…" if len(line) > 30 else repr(line)
