"""A person at a terminal: the game, the helpers at hand, and what was said last. Keys in, what to see out."""

from collections.abc import Callable
from datetime import datetime

from rich.text import Text

from shoverworld.core.errors import AgentError, ShoverWorldError
from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.ui import Act, Board, Cell, Figure, Intent, Mark, Place, Say, Walk
from shoverworld.play.advice import Advice
from shoverworld.play.aim import STEERING, Aim
from shoverworld.play.crew import pilot_for
from shoverworld.play.files import write_safely
from shoverworld.play.records import Records, standing
from shoverworld.play.saving import replay_path
from shoverworld.play.session import Session, Turn
from shoverworld.play.settings import FASTEST, SLOWEST, Settings
from shoverworld.play.shelf import Shelf

from . import company
from .help import COMPANY_LINE, CURSOR_LINE, KEY_LINE, for_keys
from .journey import Journey
from .table import Look

LEAVE = "Leave the game? Y leaves, any other key stays."
OVER = "The game is over: R plays it again, Tab goes on to the next level, U takes the last move back."


class TerminalGame(Journey):
    """One person, one game at a time. `press`, `click` and `drag` are what the person does; `update` is called all the time.

    `agent`: who plays when it is let. `rules`: the preset that was asked for, whatever the levels say. `shelf`: the
    collection that Tab goes through; the first of the room when it is left out.
    """

    def __init__(
        self,
        session: Session,
        settings: Settings,
        records: Records,
        agent: str,
        seed: int = 0,
        rules: str | None = None,
        shelf: Shelf | None = None,
        draw: Callable[[int], Board] | None = None,
    ):
        super().__init__(session.game, settings, records, shelf, rules, draw)
        self.advice = Advice(session)
        self.agent, self.seed = agent, seed
        self.pilot = pilot_for(session, agent, seed)
        self.page: int | None = None  # the first line of the help that is seen, while it is
        self.asking = self.leaving = False
        self._commands: dict[str, Callable[[], None]] = {
            "u": lambda: self._back(self.session.undo(), "There is nothing to take back."),
            "y": lambda: self._back(self.session.redo(), "There is nothing to make again."),
            "r": self._restart, "p": self._hint, "space": self._let_play, "n": self._new_map,
            "tab": lambda: self._next_map(1), "shift+tab": lambda: self._next_map(-1), "k": self._save,
            "+": lambda: self._faster(2.0), "=": lambda: self._faster(2.0), "-": lambda: self._faster(0.5),
            "l": self.browse, "j": self._next_unsolved, "f1": self._help, "?": self._help, "q": self._quit, "escape": self._ask, "x": self._point, "return": self._point,
            "o": self.ask_players, "page up": lambda: self._scroll(5), "page down": lambda: self._scroll(-5),
        }  # fmt: skip
        self._sit_down(session)

    def _sit_down(self, session: Session) -> None:
        """Play this game from now on."""
        self.session = session
        self.advice.take_over(session)
        self.pilot = pilot_for(session, self.agent, self.seed, self.pilot)
        self.advice.looking_ahead = self._wants_plan()
        self.noted = self.better = False
        self.back = 0  # lines that the log is scrolled up
        self.aim = Aim()
        self.toward = 0
        self._arrived(session.board)
        self.tell(" ".join(session.board.about.split()) or self.game.goal)

    def close(self) -> None:
        """Nobody thinks any more."""
        self.advice.close()
        self.pilot.close()

    # --- what the person does

    def press(self, key: str) -> None:
        if self.levels is not None:
            self._choose_level(key)
        elif self.players is not None:
            self._choose_players(key)
        elif self.page is not None:
            self.page = max(0, self.page + (key == "down") - (key == "up")) if key in ("up", "down") else None
        elif self.asking:
            self.asking, self.leaving = False, key == "y"
        elif self.cursor is not None and key in (*STEERING, "return", "x", "escape"):
            self._steer(key)
        elif key in {overlay.key for overlay in self.game.ui.overlays.overlays}:
            self._toggle(key)
        elif key in self._commands:
            self._commands[key]()
        elif (intent := self.session.handler.press(self.session.state, key)) is not None:
            self._mine(intent)

    @property
    def _at_the_table(self) -> bool:
        return self.levels is None and self.players is None and self.page is None and not self.asking

    def click(self, cell: Cell) -> None:
        if self._at_the_table:
            self._mine(self.session.handler.click(self.session.state, cell))

    def drag(self, cell: Cell, direction: int) -> None:
        if self._at_the_table:
            self._mine(self.session.handler.drag(self.session.state, cell, direction))

    def _mine(self, intent: Intent | None) -> None:
        """A move of the person's own; an agent that plays has to wait."""
        self.pilot.give_way()
        if self.session.outcome is not None:
            self.tell(OVER)
        elif isinstance(intent, Say):
            self.tell(for_keys(intent.text))
        elif intent is not None and (other := self.session.waits_for) is not None:
            self.tell(f"It is the turn of {other.name}{'' if self.pilot.on else ': Space lets it play'}.")
        elif isinstance(intent, Walk):
            for place, action in enumerate(intent.actions):
                if not self._do(Act(action), follows=place > 0) or self.session.outcome is not None:
                    return
        elif intent is not None:
            self._do(intent)

    def _do(self, intent: Act | Place, by: str = "", follows: bool = False) -> bool:
        """Make a move. False: it could not be made, or had no effect."""
        try:
            turn = self.session.do(intent, by, follows)
        except ShoverWorldError as reason:
            self.pilot.give_way()
            self.tell(str(reason), "bad")
            return False
        self._changed(turn, intent)
        return not turn.why

    def _changed(self, turn: Turn | None, intent: Act | Place | None = None) -> None:
        """The game is another than before."""
        self.advice.changed(intent)
        if turn is not None:
            words = turn.move.words if self.session.seats else turn.why or turn.move.words
            self.tell(words, "warn" if turn.why else "")
        if self.session.outcome is None:
            self.noted = self.better = False
        elif not self.noted:
            self.pilot.give_way()
            self.noted = True
            self.aim.end()
            self.better = self.records.note(self.session)
            self.tell(OVER, "good" if self.session.score is not None else "bad")

    def tell(self, text: str, tone: str = "") -> None:
        """What is said last is what is read."""
        self.said, self.tone, self.listening = text, tone, False
        self.heard = False

    # --- keys of every game

    def _back(self, turn: Turn | None, nothing: str) -> None:
        self.pilot.give_way()
        if turn is None:
            self.tell(nothing)
        else:
            self._changed(turn)

    def _restart(self) -> None:
        self.pilot.give_way()
        moves = self.session.moves
        self.session.restart()
        self._changed(None)
        self.tell("From the beginning. Y makes the moves again." if moves else "This is the beginning.")

    def _hint(self) -> None:
        if self.session.outcome is not None:
            self.tell(OVER)
            return
        self.pilot.give_way()
        self.advice.ask()
        self.listening, self.heard = True, False  # to the planner, until somebody else says something

    def _let_play(self) -> None:
        if self.session.outcome is not None:
            self.tell(OVER)
        elif self.pilot.on:
            self.pilot.stop()
            self.tell(self.pilot.words())
        else:
            try:
                self.pilot.start()
                self.tell(self.pilot.words().replace("−", "-"))
            except AgentError as reason:
                self.tell(str(reason), "bad")

    def _faster(self, factor: float) -> None:
        self.settings.speed = min(FASTEST, max(SLOWEST, self.settings.speed * factor))
        self.tell(f"The agent plays at {self.settings.speed:g} times the usual speed.")

    def _save(self) -> None:
        try:
            path = replay_path(self.session)
            replay = self.session.replay(self.settings.player, date=f"{datetime.now():%Y-%m-%d}")
            write_safely(path, replay.to_text())
            self.tell(f"Saved {path}", "good")
        except ShoverWorldError as reason:
            self.tell(str(reason), "bad")

    def _toggle(self, key: str) -> None:
        self.overlays ^= {key}
        self.settings.overlays = "".join(sorted(self.overlays))
        self.advice.looking_ahead = self._wants_plan()
        overlay = next(overlay for overlay in self.game.ui.overlays.overlays if overlay.key == key)
        self.tell(f"{overlay.name}: {overlay.about if key in self.overlays else 'off'}")

    def _wants_plan(self) -> bool:
        return any(overlay.plans and overlay.key in self.overlays for overlay in self.game.ui.overlays.overlays)

    def _scroll(self, lines: int) -> None:
        """Through the log."""
        self.back = min(max(0, self.back + lines), max(0, self.session.moves - 1))

    def _help(self) -> None:
        self.pilot.give_way()
        self.page = 0

    def _ask(self) -> None:
        self.pilot.give_way()
        self.asking = True

    def _quit(self) -> None:
        self.leaving = True

    # --- the cursor

    @property
    def cursor(self) -> Cell | None:
        return self.aim.cell

    def _point(self) -> None:
        if self.session.outcome is not None:
            self.tell(OVER)
        else:
            self.heard = True
            self.aim.begin(self.game.ui.drawing.scene(self.session.state), self.session.handler.selected)

    def _steer(self, key: str) -> None:
        cell = self.cursor or (0, 0)
        if self.aim.steer(key, self.game.ui.drawing.scene(self.session.state)):
            self.toward, self.heard = STEERING[key], True
            return
        self.aim.end()
        if key == "return":
            self.click(cell)

    # --- time

    @property
    def lively(self) -> bool:
        """Does something happen without a key?"""
        return self.pilot.on or self.advice.thinking or (self.advice.looking_ahead and self.advice.plan is None)

    @property
    def news(self) -> tuple:
        """All that can change without a key: another picture is due when this is another."""
        advice = self.advice
        return id(self.session.state), advice.plan, advice.text, advice.line, self.pilot.text(1.0), self.said

    def update(self, seconds: float) -> None:
        """Hear what the planner and the agent have to say."""
        self.advice.update(seconds)
        try:
            act = self.pilot.update(seconds, self.settings.speed)
        except AgentError as reason:
            self.tell(f"{self.pilot.agent}: {reason}", "bad")
            return
        if act is not None:
            self._do(act, self.pilot.helper)
            self.pilot.played()

    # --- what there is to see

    def look(self) -> Look:
        session, game, board = self.session, self.game, self.session.board
        preview = session.handler.hover(session.state, self.cursor, self.toward) if self.cursor else None
        mine = session.handler.marks(session.state) if session.waits_for is None else ()
        marks = [*company.ways(session), *self._overlay_marks(), *mine, *self.advice.marks]
        said, tone = (f"Hint: {self.advice.text}", "good") if self.listening else (self.said, self.tone)
        if preview and self.heard:  # what is said stays until the cursor moves
            said, tone = for_keys(preview.text), ""
        if self.asking:
            said, tone = LEAVE, "warn"
        return Look(
            game,
            game.ui.drawing.scene(session.state),
            title=" · ".join(filter(None, (game.title, board.title or board.name, session.preset, self._where()))),
            figures=self._figures(),
            notes=[*company.buttons(session), *self._notes()],
            log=company.log(session),
            back=self.back,
            said=said,
            tone=tone,
            keys=CURSOR_LINE if self.cursor else COMPANY_LINE if self.session.seats else KEY_LINE,
            marks=[*marks, *(preview.marks if preview else ())],
            cursor=self.cursor,
        )

    def _where(self) -> str:
        """Which level of the collection it is; "" when it is of none."""
        place = self.shelf.place_of(self.session.board)
        return "" if place is None else f"{self.shelf.title}, {place + 1} of {len(self.shelf)}"

    def _figures(self) -> list[Figure]:
        session = self.session
        if session.outcome is None:
            return [
                *self.game.ui.texts.figures(session.env, session.state, session.handler),
                *company.standings(session),
            ]
        mine, known = self.records.mine(session.identity), session.best_known
        here = self.shelf.place_of(session.board) is not None and session.score is not None
        figures = [
            *self.game.ui.texts.ending(session.env, session.state),
            *company.standings(session),
            Figure(
                "Your best",
                (mine.words if mine else "none") + (" (new)" if self.better else ""),
                tone="good" if self.better else "",
            ),
            Figure(standing(known) if known else "Best known", known.words if known else "none"),
        ]
        if here:
            figures.append(Figure(self.shelf.title, self.shelf.progress))
        if session.helpers:
            figures.append(Figure("With help of", ", ".join(session.helpers), tone="warn"))
        if self.records.trouble:
            figures.append(Figure("Not kept", self.records.trouble, tone="bad"))
        return figures

    def _overlay_marks(self) -> list[Mark]:
        env, state = self.session.env, self.session.state
        on = [overlay for overlay in self.game.ui.overlays.overlays if overlay.key in self.overlays]
        return [
            mark
            for overlay in on
            for mark in self.game.ui.overlays.marks(
                overlay.key, env, state, self.advice.plan if overlay.plans else None
            )
        ]

    def _notes(self) -> list[Text]:
        """Under the figures: what is laid over the board, and what helpers do."""
        notes = [Text(f"{o.key} {o.name}", "dim") for o in self.game.ui.overlays.overlays if o.key in self.overlays]
        if self.advice.line:
            notes.append(Text(f"  {self.advice.line}", "dim"))
        if playing := self.pilot.text(self.settings.speed):
            notes.append(Text(playing, "bold"))
        return [Text(), *notes] if notes else []


def direction_between(start: Cell, end: Cell) -> int | None:
    """Which way it is from one cell to another, mostly; None: they are the same."""
    rows, cols = end[0] - start[0], end[1] - start[1]
    if rows == cols == 0:
        return None
    name = ("down" if rows > 0 else "up") if abs(rows) > abs(cols) else ("right" if cols > 0 else "left")
    return DIRECTIONS.index(name)
