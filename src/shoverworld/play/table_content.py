"""The content of a game table: messages, statistics, marks, the log and the result.

The views only lay out this content.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from shoverworld.core.ui import Cell, Colour, Figure, Mark, MoveButton, Preview, Scene, Score, SpecialMove

from .board import BoardCursor, overlay_marks, shown_overlays, without_covered
from .clipboard import MoveWriter, WrittenMoves
from .guard import Guard
from .hints import Hints
from .labels import LABELS
from .levels import LevelTour
from .pilot import AgentPilot
from .records import Records, standing
from .session import Session
from .settings import Settings

T = TypeVar("T")


class Message(NamedTuple):
    text: str
    tone: str = ""  # one of "", "good", "bad" and "warn"


MESSAGES = {  # maps names to messages and tones; the name of a command in braces is replaced with the command's key
    "over": Message(
        "The game is over. Press {restart} to play again, {next} for the next {level}, or {undo} to undo the last move."
    ),
    "cursor off": Message("The cursor is hidden."),
    "turn": Message("It is {name}'s turn."),
    "turn of stopped": Message("It is {name}'s turn. Press {agent} to let it play."),
    "nothing to undo": Message("There is no move to undo."),
    "nothing to redo": Message("There is no move to redo."),
    "restarted": Message("The game was restarted. Press {redo} to redo the moves."),
    "at the start": Message("This is the start of the game."),
    "speed": Message("The speed is {speed} times normal."),
    "left": Message("You left a game on this {level} after {moves}. Press {continue} to continue it.", "good"),
    "continued": Message("Continuing after {moves}.", "good"),
    "copied": Message("Copied the {what} to the clipboard: {text}", "good"),
    "no moves": Message("There are no moves to copy yet."),
    "pasted": Message("Opened the pasted {level}.", "good"),
    "pasted many": Message("Opened the first of {count} pasted {levels}. They are stored in {path}.", "good"),
    "saved": Message("Saved {path}", "good"),
    "all solved": Message("{title}: {progress}. No un{solved} {levels} are left."),
    "others solved": Message("{title}: {progress}. No other un{solved} {levels} are left."),
}


class LogEntry(NamedTuple):
    """A line in the log: the description of a move, its tone, and the colour of the player who made the move."""

    text: str
    tone: str = ""
    colour: Colour | None = None


class TableContent:
    """The values that a view shows. `message` is the newest message; if `hint_is_newest` is true, the hint is newer
    than this message."""

    pilot: AgentPilot
    tour: LevelTour

    def __init__(self, session: Session, settings: Settings, records: Records, hints: Hints, guard: Guard):
        self.game, self.session = session.game, session
        self.settings, self.records, self.hints, self.guard = settings, records, hints, guard
        self.cursor = BoardCursor()
        self.pointed: tuple[Cell, int | None] | None = None  # the cell under the mouse, and the side that is closest
        self.preview = Preview((), "")
        self.message, self.hint_is_newest = Message(""), False
        self.quiet = False  # whether to keep the newest message instead of replacing it with the preview's description
        self.new_record = False
        self.writer = MoveWriter(guard)
        self.overlays = shown_overlays(self.game, settings)
        self._seen: dict[str, tuple] = {}  # the inputs from which each value was last computed
        self._values: dict[str, Any] = {}

    def is_new(self, name: str, *depends: Any) -> bool:
        """Return whether anything that the value `name` depends on has changed since the last call."""
        before = self._seen.get(name, ())
        self._seen[name] = depends
        return len(before) != len(depends) or not all(map(_same, before, depends))

    def _cached(self, name: str, make: Callable[[], T], *depends: Any) -> T:
        if self.is_new(name, *depends):
            self._values[name] = make()
        return self._values[name]

    # --- text

    @property
    def title(self) -> str:
        return self.session.board.title or self.session.board.name

    @property
    def rules(self) -> str:
        """The current rules, followed by the rules that the level was made for if the two differ."""
        made_for, preset = self.session.board.preset, self.session.preset
        if made_for and preset and made_for != preset:
            return LABELS["made for"].format(rules=preset, own=made_for)
        return preset

    @property
    def changes(self) -> str:
        """The rules of this game that differ from its preset, such as "initial_force=30, edge=lava"; may be ""."""
        return self.session.preset.partition(",")[2].strip()

    @property
    def position(self) -> str:
        """The position of the level in the collection ("Lessons, 3 of 16"); "" if the level is not in the
        collection."""
        return self.tour.levels.position(self.session.board)

    @property
    def agent_status(self) -> str:
        return self.pilot.status()

    @property
    def is_unfinished(self) -> bool:
        """Whether moves would be lost if the player left now."""
        return self.session.outcome is None and self.session.moves > 0

    @property
    def is_active(self) -> bool:
        """Whether the content can change without a key press: an agent, the planner or a walk is active."""
        waits = self.hints.looking_ahead and self.hints.plan is None
        return self.pilot.on or self.hints.thinking or self.on_the_way or waits

    @property
    def on_the_way(self) -> bool:
        return False

    @property
    def news(self) -> tuple:
        """Everything that can change without a key press. A view redraws the table when this value has changed."""
        hints = self.hints
        return id(self.session.state), hints.plan, hints.text, hints.plan_ahead, self.agent_status, self.message

    # --- the board

    @property
    def scene(self) -> Scene:
        return self.game.ui.drawing.scene(self.session.state)

    @property
    def looked_at(self) -> tuple[Cell, int | None] | None:
        """The cell that the preview describes, and the side of the cell nearest to the mouse; None if there is no
        cell."""
        if self.session.outcome is not None:
            return None
        return self.pointed if self.cursor.cell is None else (self.cursor.cell, None)

    def marks(self) -> tuple[Mark, ...]:
        """Return all marks that are drawn over the board, except the cursor. The most important marks come last."""
        session, state, plan = self.session, self.session.state, self.hints.plan
        selected, on = session.handler.selected, "".join(sorted(self.overlays))

        def make() -> tuple[Mark, ...]:
            lying = self._cached(
                "lying",
                lambda: overlay_marks(self.game, on, session.env, session.states, plan, self.guard),
                session,
                state,
                plan,
                on,
            )
            selection = session.handler.marks(state) if session.waits_for is None else ()
            marks = [*lying, *self.preview.marks]
            hint = without_covered(self.hints.marks, marks)
            return (*marks, *selection, *hint)

        depends = session, state, plan, selected, self.looked_at, self.hints.asked, on
        return self._cached("marks", make, *depends)

    # --- statistics

    def figures(self) -> list[Figure]:
        session, state = self.session, self.session.state
        return self._cached(
            "figures",
            lambda: self.game.ui.texts.figures(session.env, state, session.handler),
            session,
            state,
            session.handler.selected,
        )

    def specials(self) -> tuple[SpecialMove, ...]:
        """Return the special moves that the player can make now."""
        session = self.session
        if session.waits_for is not None:
            return ()
        return self._cached(
            "specials", lambda: self.game.ui.controls.specials(session.env, session.state), session, session.state
        )

    def standings(self) -> list[Figure]:
        """Return one line for each player, or no lines if there are fewer than two players."""
        multiplayer, session = self.game.ui.multiplayer, self.session
        if multiplayer is None or len(session.players) < 2:
            return []
        return multiplayer.standings(session.env, session.state, [player.name for player in session.players])

    def best_results(self) -> list[Figure]:
        """Return lines about the player's best result on this board, the best known result, and the help that the
        player had. Lines without content are left out."""
        best, known = self.records.best(self.session.identity), self.session.best_known
        found = [Figure(LABELS["best"], best.words)] if best else []
        found += [Figure(standing(known), known.words)] if known else []
        return found + self.assistance()

    def assistance(self) -> list[Figure]:
        """Return the lines about the agent that played and about the help that the player had."""
        session, by = self.session, self.session.played_by
        lines = [Figure(LABELS["played by"], by)] if by else []
        help = [name for name in session.helpers if name != by]
        if not help:
            return lines
        return [*lines, Figure(LABELS["help"], LABELS["no record"].format(help=", ".join(help)), tone="warn")]

    def ending(self) -> list[Figure]:
        """Return the lines for the result: first the outcome, then statistics and records."""
        session, records, levels = self.session, self.records, self.tour.levels
        lines = list(self.game.ui.texts.ending(session.env, session.state))
        lines[1:1] = self.standings()
        lines += self.assistance()
        best, known = records.best(session.identity), session.best_known
        if best and self.new_record:
            lines.append(Figure(LABELS["best"], LABELS["new record"].format(best=best.words), tone="good"))
        elif best:
            lines.append(Figure(LABELS["best"], best.words))
        if known:
            lines.append(_compared(known, session.score, alone=not session.helpers))
        if session.score is not None and levels.place_of(session.board) is not None:
            lines.append(Figure(levels.title, levels.progress, tone="good" if levels.solved == len(levels) else ""))
        if records.problem:
            lines.append(Figure(LABELS["not saved"], records.problem, tone="bad"))
        return lines

    def moves(self) -> WrittenMoves | None:
        """Return the moves in the game's notation; None if the game has no notation."""
        session = self.session
        undone = len(session.undone)  # all moves may have been made and undone since the last call
        return self._cached("moves", lambda: self.writer.written(session), session, session.state, undone)

    # --- several players

    def choices(self) -> tuple[MoveButton, ...]:
        """Return one button for each move, three to a row, or no buttons if the game does not use them."""
        multiplayer, session = self.game.ui.multiplayer, self.session
        return () if multiplayer is None else multiplayer.move_buttons(session.env, session.state)

    def log(self) -> list[LogEntry]:
        """Return one line for each move in a multiplayer game, or no lines in a single-player game."""
        return self._cached("log", self._log, self.session, self.session.state)

    def _log(self) -> list[LogEntry]:
        multiplayer, entries = self.game.ui.multiplayer, []
        if multiplayer is None:
            return []
        for number, turn in enumerate(self.session.turns, 1):
            tone = "bad" if turn.why else "good" if turn.move.kind == "finish" else ""
            colour = multiplayer.colour(multiplayer.player_to_move(self.session.env, turn.before))
            entries.append(LogEntry(f"{number}  {turn.move.words}", tone, colour))
        return entries


def _compared(known: Score, score: Score | None, alone: bool) -> Figure:
    """Return the line about the best known result, with praise if the player reached it without help."""
    text = LABELS["proved"].format(known=known.words) if known.proved else known.words
    if not alone or score is None or score.numbers[0] > known.numbers[0]:
        return Figure(standing(known), text)
    if score.numbers[0] < known.numbers[0]:
        praise = "better"
    else:
        praise = "perfect" if known.proved else "matched"
    return Figure(standing(known), LABELS[praise].format(known=text), tone="good")


def _same(one: Any, other: Any) -> bool:
    """Compare strings, numbers and plain tuples such as cells by value. Compare everything else by identity, including
    states, even if they are named tuples."""
    plain = type(one) in (str, int, bool, tuple) and type(one) is type(other)
    return one is other or (plain and one == other)
