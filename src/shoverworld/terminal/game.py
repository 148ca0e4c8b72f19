"""A person at a terminal: the game, the helpers at hand, and what was said last. Keys in, what to see out."""

import time
from collections.abc import Callable
from datetime import datetime

from rich.text import Text

from shoverworld.core.errors import AgentError, ShoverWorldError
from shoverworld.core.front import Act, Board, Cell, Figure, Intent, Mark, Place, Say
from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.plan import Plan
from shoverworld.play import files
from shoverworld.play.player import AgentPlayer
from shoverworld.play.records import Records, Result
from shoverworld.play.session import Session, Turn
from shoverworld.play.settings import FASTEST, SLOWEST, Settings
from shoverworld.play.thinking import Thinker

from .cells import focus_of
from .help import CURSOR_LINE, KEY_LINE
from .table import Look

THINK = 4.0  # seconds for a hint
PACE = 0.25  # seconds a move of an agent takes at the usual speed
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
STEERING = {"up": 0, "w": 0, "right": 1, "d": 1, "down": 2, "s": 2, "left": 3, "a": 3}
LEAVE = "Leave the game? Y leaves, any other key stays."
OVER = "The game is over: R plays it again, Tab goes on to the next map, U takes the last move back."


class TerminalGame:
    """One person, one game at a time. `press`, `click` and `drag` are what the person does; `update` is called all the time."""

    def __init__(self, session: Session, settings: Settings, records: Records, agent: str, seed: int = 0):
        self.settings, self.records, self.agent, self.seed = settings, records, agent, seed
        self.front = session.front
        self.thinker = Thinker()
        self.overlays = {overlay.key for overlay in self.front.overlays if overlay.key in settings.overlays}
        self.page: int | None = None  # the first line of the help that is seen, while it is
        self.asking = self.leaving = False
        self.player: AgentPlayer | None = None
        self._commands: dict[str, Callable[[], None]] = {
            "u": lambda: self._taken(self.session.undo(), "There is nothing to take back."),
            "y": lambda: self._taken(self.session.redo(), "There is nothing to make again."),
            "r": self._restart, "p": self._hint, "space": self._agent_or_not, "n": self._new,
            "tab": lambda: self._next(1), "shift+tab": lambda: self._next(-1), "k": self._keep,
            "+": lambda: self._faster(2.0), "=": lambda: self._faster(2.0), "-": lambda: self._faster(0.5),
            "f1": self._help, "?": self._help, "q": self._quit, "escape": self._ask, "x": self._point, "return": self._point,
        }  # fmt: skip
        self._sit_down(session)

    def _sit_down(self, session: Session) -> None:
        """Another game."""
        self.close()
        self.session = session
        self.thinker = Thinker()
        self.playing = self.hinting = self.noted = False
        self.cursor: Cell | None = None
        self.toward = 0
        self.plan: Plan | None = None
        self._next_move = 0.0
        self.better = False
        board = session.board
        self.settings.board = "random" if board.seed is not None else board.path or board.name
        self.tell(session.board.about.split("\n")[0] or self.front.goal)
        self._think_if_wanted()

    def close(self) -> None:
        """Nobody thinks any more."""
        self.thinker.close()
        if self.player is not None:
            self.player.close()
            self.player = None

    # --- what the person does

    def press(self, key: str) -> None:
        if self.page is not None:
            self.page = max(0, self.page + (key == "down") - (key == "up")) if key in ("up", "down") else None
        elif self.asking:
            self.asking, self.leaving = False, key == "y"
        elif self.cursor is not None and key in (*STEERING, "return", "x", "escape"):
            self._steer(key)
        elif key in {overlay.key for overlay in self.front.overlays}:
            self._toggle(key)
        else:
            intent = None if self.session.outcome else self.session.hand.press(self.session.state, key)
            if intent is not None:
                self._mine(intent)
            elif key in self._commands:
                self._commands[key]()
            elif self.session.outcome and self.session.hand.press(self.session.state, key) is not None:
                self.tell(OVER)

    def click(self, cell: Cell) -> None:
        if self._at_the_board():
            self._mine(self.session.hand.click(self.session.state, cell))

    def drag(self, cell: Cell, direction: int) -> None:
        if self._at_the_board():
            self._mine(self.session.hand.drag(self.session.state, cell, direction))

    def _at_the_board(self) -> bool:
        if self.page is None and not self.asking and self.session.outcome:
            self.tell(OVER)
        return self.page is None and not self.asking and not self.session.outcome

    def _mine(self, intent: Intent | None) -> None:
        """A move of the person's own; an agent that plays has to wait."""
        self.playing = False
        if isinstance(intent, Say):
            self.tell(intent.text)
        elif intent is not None:
            self._do(intent)

    def _do(self, intent: Act | Place, by: str = "") -> bool:
        try:
            turn = self.session.do(intent, by)
        except ShoverWorldError as reason:
            self.tell(str(reason), "bad")
            return False
        self._changed(turn)
        return True

    def _changed(self, turn: Turn | None) -> None:
        """The game is another: what was thought about it is of no use."""
        self.hinting, self.plan = False, None
        self.thinker.cancel()
        if turn is not None:
            self.tell(turn.why or turn.move.words, "warn" if turn.why else "")
        if self.session.outcome is None:
            self.noted = False
            self._think_if_wanted()
        elif not self.noted:
            self.noted, self.playing, self.cursor = True, False, None
            self.better = self.records.note(self.session)
            self.tell(OVER, "good" if self.session.outcome == "cleared" else "bad")

    def tell(self, text: str, tone: str = "") -> None:
        """What is said last is what is read."""
        self.said, self.tone, self.listening = text, tone, False

    # --- keys of every game

    def _taken(self, turn: Turn | None, nothing: str) -> None:
        self.playing = False
        if turn is None:
            self.tell(nothing)
        else:
            self._changed(turn)

    def _restart(self) -> None:
        self.session.restart()
        self.playing = False
        self._changed(None)
        self.tell("From the beginning. Y makes the moves again.")

    def _hint(self) -> None:
        if self.session.outcome:
            self.tell(OVER)
            return
        self.hinting = self.listening = True  # to the planner, until somebody else says something
        self.session.helped_by("hint")
        if self.thinker.state is not self.session.state or not (self.thinker.busy or self.plan):
            self._think()

    def _agent_or_not(self) -> None:
        if self.session.outcome:
            self.tell(OVER)
            return
        self.playing = not self.playing
        if not self.playing:
            self.tell(f"{self.agent} waits. Space lets it go on.")
            return
        try:
            self.player = self.player or AgentPlayer(self.session, self.agent, self.seed)
            self.tell(f"{self.agent} plays. Space stops it, + and - make it faster and slower.")
        except AgentError as reason:
            self.playing = False
            self.tell(str(reason), "bad")

    def _faster(self, factor: float) -> None:
        self.settings.speed = min(FASTEST, max(SLOWEST, self.settings.speed * factor))
        self.tell(f"Agents play at {self.settings.speed:g} times the usual speed.")

    def _next(self, step: int) -> None:
        boards = self.front.boards()
        names = [board.name for board in boards]
        place = names.index(self.session.board.name) + step if self.session.board.name in names else 0
        self._play_on(boards[place % len(boards)])

    def _new(self) -> None:
        self.settings.seed = (self.settings.seed + 1) % 2**31
        try:
            self._play_on(self.front.random(self.session.preset or self.front.presets[0].name, self.settings.seed))
        except ShoverWorldError as reason:
            self.tell(str(reason), "bad")

    def _play_on(self, board: Board) -> None:
        self._sit_down(Session(self.front, board, seed=self.settings.seed))

    def _keep(self) -> None:
        name = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in self.session.board.name)
        path = files.home() / "replays" / f"{name}-{datetime.now():%Y%m%d-%H%M%S}.replay"
        try:
            replay = self.session.replay(self.settings.player, date=f"{datetime.now():%Y-%m-%d}")
            files.write_safely(path, replay.to_text())
            self.tell(f"Kept as {path}", "good")
        except ShoverWorldError as reason:
            self.tell(str(reason), "bad")

    def _toggle(self, key: str) -> None:
        self.overlays ^= {key}
        overlay = next(overlay for overlay in self.front.overlays if overlay.key == key)
        self.tell(f"{overlay.name}: {overlay.about if key in self.overlays else 'off'}")
        self.settings.overlays = "".join(sorted(self.overlays))
        self._think_if_wanted()

    def _help(self) -> None:
        self.page = 0

    def _ask(self) -> None:
        self.asking = True

    def _quit(self) -> None:
        self.leaving = True

    # --- the cursor

    def _point(self) -> None:
        if not self._at_the_board():
            return
        self.cursor = self.session.hand.selected or focus_of(self.front.scene(self.session.state))

    def _steer(self, key: str) -> None:
        cell = self.cursor or (0, 0)
        if key in STEERING:
            self.toward = STEERING[key]
            rows, cols = self.front.scene(self.session.state).tiles.shape
            row, col = cell[0] + STEPS[self.toward][0], cell[1] + STEPS[self.toward][1]
            self.cursor = min(max(0, row), rows - 1), min(max(0, col), cols - 1)
            return
        self.cursor = None
        if key == "return":
            self.click(cell)

    # --- those who think

    def _think(self) -> None:
        self.plan = None
        self.thinker.ask(self.front, self.session.env, self.session.state, THINK)

    def _think_if_wanted(self) -> None:
        """Some overlays show a plan."""
        wanted = any(overlay.plans and overlay.key in self.overlays for overlay in self.front.overlays)
        if wanted and not self.session.outcome and self.thinker.state is not self.session.state:
            self._think()

    @property
    def lively(self) -> bool:
        """Does something happen without a key?"""
        return self.playing or self.thinker.busy

    def update(self) -> bool:
        """Hear what the planner and the agent have to say; did that change what is to be seen?"""
        return self._hear_planner() | self._hear_agent()

    def _hear_planner(self) -> bool:
        plan = self.thinker.poll() if self.thinker.state is self.session.state else None
        changed = plan is not self.plan
        self.plan = plan
        return changed or self.thinker.busy

    def _hear_agent(self) -> bool:
        if not self.playing or self.player is None or time.monotonic() < self._next_move:
            return False
        try:
            act = self.player.poll()
        except AgentError as reason:
            self.playing = False
            self.player.close()
            self.player = None
            self.tell(f"{self.agent}: {reason}", "bad")
            return True
        if act is not None:
            self._next_move = time.monotonic() + PACE / self.settings.speed
            if self._do(act, self.agent):
                self.player.played()
            else:
                self.playing = False
        return True

    # --- what there is to see

    def look(self) -> Look:
        session, front = self.session, self.front
        scene = front.scene(session.state)
        preview = session.hand.hover(session.state, self.cursor, self.toward) if self.cursor else None
        marks = [*self._overlay_marks(), *session.hand.marks(session.state), *self._hint_marks()]
        said, tone = (preview.text, "") if preview else self._hint_said() or (self.said, self.tone)
        return Look(
            front,
            scene,
            title=" · ".join(
                part for part in (front.title, session.board.title or session.board.name, session.preset) if part
            ),
            figures=self.figures(),
            notes=self._notes(),
            said=LEAVE if self.asking else said,
            tone="warn" if self.asking else tone,
            keys=CURSOR_LINE if self.cursor else KEY_LINE,
            marks=[*marks, *(preview.marks if preview else ())],
            cursor=self.cursor,
        )

    def figures(self) -> list[Figure]:
        session = self.session
        if session.outcome is None:
            return self.front.figures(session.env, session.state, session.hand)
        mine, known = self.records.mine(session.identity), self.records.known(session.identity)
        return [
            *self.front.ending(session.env, session.state),
            Figure("Your best", _told(mine) + (" (new)" if self.better else ""), None, "good" if self.better else ""),
            Figure("Best known", _told(known)),
            *([Figure("With the help of", ", ".join(session.helpers))] if session.helpers else []),
        ]

    def _overlay_marks(self) -> list[Mark]:
        return [
            mark
            for overlay in self.front.overlays
            if overlay.key in self.overlays
            for mark in self.front.marks(overlay.key, self.session.env, self.session.state, self.plan)
        ]

    def _hint_marks(self) -> tuple[Mark, ...]:
        if not self.hinting or self.plan is None or not self.plan.actions:
            return ()
        return self.front.hint(self.session.env, self.session.state, self.plan.actions[0])

    def _hint_said(self) -> tuple[str, str] | None:
        """What the planner says, once it was asked."""
        if not self.hinting or not self.listening:
            return None
        if self.thinker.error:
            return self.thinker.error, "bad"
        if self.plan is not None and self.plan.actions:
            words = self.front.describe(self.session.env, self.session.state, self.plan.actions[0])
            proved = "proved best" if self.plan.proved_optimal else "best so far" if self.thinker.busy else "best found"
            moves = f"{self.plan.steps} {'move' if self.plan.steps == 1 else 'moves'}"
            return f"Hint: {words} ({moves} to go, {proved})", "good"
        if self.thinker.busy:
            return f"Hint: {self.thinker.stage} …", ""
        if self.plan is not None and self.plan.status == "unsolvable":
            return "It is proved that this cannot be won any more. U takes a move back.", "bad"
        return f"No plan found in {THINK:g} s.", "warn"

    def _notes(self) -> list[Text]:
        on = [overlay for overlay in self.front.overlays if overlay.key in self.overlays]
        notes = [Text(f"{overlay.key} {overlay.name}", "dim") for overlay in on]
        if self.playing and self.player is not None:
            notes.append(Text(f"{self.agent} {'thinks …' if self.player.thinking else 'plays'}", "bold"))
        if on and self.thinker.busy and not self.hinting:
            notes.append(Text(f"the planner is {self.thinker.stage.split(' (')[0]} …", "dim"))
        return [Text(), *notes] if notes else []


def direction_between(start: Cell, end: Cell) -> int | None:
    """Which way it is from one cell to another, mostly; None: they are the same."""
    rows, cols = end[0] - start[0], end[1] - start[1]
    if rows == cols == 0:
        return None
    name = ("down" if rows > 0 else "up") if abs(rows) > abs(cols) else ("right" if cols > 0 else "left")
    return DIRECTIONS.index(name)


def _told(result: Result | None) -> str:
    if result is None:
        return "none"
    return f"{result.steps} steps, stamina {result.stamina:g}{', proved' if result.proved else ''}"
