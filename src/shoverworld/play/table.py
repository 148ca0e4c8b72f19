"""A game table without a screen: one game in progress, the player's actions, and the content to display.

A view passes keys, clicks, drags and the elapsed time to the table, and lays out the content that the table provides:
messages, statistics, marks and the log. Commands that need a screen (help, the level browser, leaving) are supplied by
the view; see play/commands.py.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from shoverworld.core.errors import AgentError, ShoverWorldError
from shoverworld.core.ui import Act, Board, Cell, Intent, Place, Preview, Say, Walk

from . import unfinished
from .board import BoardCursor, keep_overlays
from .commands import COMMANDS, bindings
from .files import new_path
from .levels import LevelList
from .records import Records
from .session import Session, Turn
from .settings import Settings, changed_speed
from .table_clipboard import ClipboardTable

ONLY_FOR_SEVERAL = ("players", "scroll up", "scroll down")  # commands that only multiplayer games offer


class GameTable(ClipboardTable):
    """A game table. Call `press`, `click`, `drag` and `point` for the player's input, and `update` in every frame.

    `agent`: the agent that the `agent` command starts. `rules`: the preset for every level; if "", each level has its
    own preset. `levels`: the collection whose levels the `next` command opens, by default the first collection.
    `make_random`: a function that makes a random level from a seed. `remembers`: whether to store the current level in
    the settings. `adapt`: a function that rephrases the messages from the input handler. `introduces`: whether the
    first message is about the level and not about the game. `keeps`: whether `close` stores unfinished games, and
    whether such games are offered. `on_change` is called after every change to the game, with the move if any.
    """

    def __init__(
        self,
        session: Session,
        settings: Settings,
        records: Records,
        agent: str = "",
        rules: str = "",
        levels: LevelList | None = None,
        make_random: Callable[[int], Board] | None = None,
        seed: int | None = None,
        remembers: bool = True,
        adapt: Callable[[str], str] = str,
        introduces: bool = False,
        keeps: bool = True,
    ):
        super().__init__(session, settings, records, agent, rules, levels, make_random, seed, remembers, keeps)
        self.adapt, self.introduces = adapt, introduces
        self.on_change: Callable[[Turn | None], Any] | None = None
        self.stepwise = False  # walks advance step by step (`walk_on`) instead of all at once
        self.walking = False  # whether the current change is a step of a walk
        self.way: list[Act] = []  # the remaining steps of a walk
        self._pointer: Cell | None = None
        self._ignored: Cell | None = None  # no preview is shown until the pointer has left this cell
        self._noted: object = None  # the final state whose result was recorded
        self.actions: dict[str, Callable[[], Any]] = {
            "undo": self.undo, "redo": self.redo, "restart": self.restart, "cursor": self.toggle_cursor,
            "continue": self.continue_unfinished, "next": lambda: self.next_level(1), "previous": lambda: self.next_level(-1),
            "unsolved": self.next_unsolved, "random": self.random_level, "hint": self.ask_hint,
            "agent": self.toggle_agent, "faster": lambda: self.change_speed(2.0),
            "slower": lambda: self.change_speed(0.5), "save": self.save, "copy": self.copy_level,
            "copy moves": self.copy_moves, "copy link": self.copy_link, "paste": self.paste_clipboard,
        }  # fmt: skip
        self.begin(session)

    def begin(self, session: Session) -> None:
        """Play the game in `session` from now on."""
        super().begin(session)
        self.way = []
        self.point(None)
        self.cursor = BoardCursor()
        about = " ".join(session.board.about.split()) if self.introduces else ""
        self.say(about or self.game.goal)
        if self.unfinished is not None:
            self.tell("left", moves=self.unfinished.moves)
        self._note_ending()

    def offer(self, actions: Mapping[str, Callable[[], Any]]) -> None:
        """Add commands that the view carries out, keyed by their names in play/commands.py."""
        self.actions.update(actions)

    def close(self) -> str:
        """Stop the planner and the agents, and store unfinished games. Return an error message if a game cannot be
        stored, otherwise ""."""
        self.hints.close()
        self.pilot.close()
        return self.keep_unfinished()

    # --- keys

    @property
    def offered(self) -> list[str]:
        """The names of the commands that can be used in this game."""
        missing = () if self.game.ui.multiplayer else ONLY_FOR_SEVERAL
        missing = missing if self.game.ui.editor else (*missing, "edit")
        missing = (*missing, *self.not_copied)
        missing = missing if self.unfinished is not None and not self.session.moves else (*missing, "continue")
        return [command.name for command in COMMANDS if command.name in self.actions and command.name not in missing]

    @property
    def keys(self) -> dict[str, str]:
        """Maps each key to the name of its command, or to "overlay" if the key turns an overlay on or off."""
        return {**bindings(self.offered), **{overlay.key: "overlay" for overlay in self.game.ui.overlays.overlays}}

    def press(self, key: str, shift: bool = False) -> bool:
        """Handle a key, given its name ("u", "shift+tab"). Return False if the key has no meaning here."""
        self.finish_walk()
        keys, ask = self.keys, self.session.ask
        if shift and f"shift+{key}" in keys:
            key = f"shift+{key}"
        if self.cursor.cell is not None and self._steer(key):
            return True
        if key in keys:
            self.toggle_overlay(key) if keys[key] == "overlay" else self.actions[keys[key]]()
            return True
        intent = ask(lambda handler, state: handler.press(state, f"shift+{key}")) if shift else None
        intent = ask(lambda handler, state: handler.press(state, key)) if intent is None else intent
        if intent is None:
            return False
        self.pilot.give_way()
        self._rest()
        self._intend(intent)
        return True

    # --- the mouse

    def click(self, cell: Cell) -> None:
        self._gesture(lambda handler, state: handler.click(state, cell))

    def drag(self, cell: Cell, direction: int) -> None:
        self._gesture(lambda handler, state: handler.drag(state, cell, direction))

    def _gesture(self, ask: Callable[[Any, Any], Intent | None]) -> None:
        self.finish_walk()
        self.pilot.give_way()
        self.cursor.hide()
        self._intend(self.session.ask(ask))

    def point(self, cell: Cell | None, side: int | None = None, dragging: bool = False) -> None:
        """Record that the mouse is over `cell`, nearest to its side `side`. If `dragging` is true, the mouse
        is dragging the cell in the direction `side`. If `cell` is None, the mouse is not over the board."""
        self._pointer = cell
        if cell != self._ignored or dragging:
            self._ignored = None
        pointed = None if cell is None or self._ignored is not None else (cell, side)
        self.quiet = self.quiet and pointed == self.pointed
        self.pointed = pointed

    def _rest(self) -> None:
        """After a move, show no preview of the cell under the pointer until the pointer moves to another cell."""
        self.pointed, self._ignored = None, self._pointer

    # --- the cursor

    def toggle_cursor(self) -> None:
        if self.session.outcome is not None:
            self.tell("over")
        elif self.cursor.cell is not None:
            self.cursor.hide()
            self.tell("cursor off")
        else:
            self.pilot.give_way()
            self._rest()
            self.cursor.show(self.scene, self.session.handler.selected)
            self.quiet = False

    def _steer(self, key: str) -> bool:
        """Let the cursor handle this key. Return False if the key is not meant for the cursor."""
        cell = self.cursor.cell
        if cell is None or key not in ("return", "escape"):
            moved = self.cursor.steer(key, self.scene)
            self.quiet = self.quiet and not moved
            return moved
        if key == "escape":
            self.toggle_cursor()
        else:
            self.click(cell)
        return True

    # --- moves

    def _intend(self, intent: Intent | None) -> None:
        self.quiet = True
        if intent is None:
            return
        if self.session.outcome is not None:
            self.tell("over")
        elif isinstance(intent, Say):
            self.say(self.adapt(intent.text))
        elif (other := self.session.waits_for) is not None:
            self.tell("turn" if self.pilot.on else "turn of stopped", name=other.name)
        elif isinstance(intent, Walk):
            self._rest()
            self.way = [Act(action) for action in intent.actions]
            self.walk_on(first=True)
        else:
            self._rest()
            self.play(intent)

    def play(self, intent: Act | Place, by: str = "", follows: bool = False) -> bool:
        """Make a move. Return False if the move was rejected or invalid."""
        try:
            turn = self.session.do(intent, by, follows)
        except ShoverWorldError as reason:
            self.pilot.give_way()
            self.say(str(reason), "bad")
            return False
        self._changed(turn, intent)
        return not turn.why

    @property
    def on_the_way(self) -> bool:
        """Whether a walk is in progress and has steps left."""
        return bool(self.way)

    def walk_on(self, first: bool = False) -> None:
        """Take the next step of a walk and, unless `stepwise` is true, all steps after it."""
        while self.way:
            self.walking = True
            if not self.play(self.way.pop(0), follows=not first) or self.session.outcome is not None:
                self.way.clear()
            self.walking = first = False
            if self.stepwise:
                return

    def finish_walk(self) -> None:
        """Take all remaining steps of a walk at once."""
        stepwise, self.stepwise = self.stepwise, False
        self.walk_on()
        self.stepwise = stepwise

    def _changed(self, turn: Turn | None, intent: Act | Place | None = None) -> None:
        self.hints.changed(intent)
        if self.on_change is not None:
            self.on_change(turn)
        if turn is not None:
            words = turn.move.words
            self.say(f"{words[:1].upper()}{words[1:]}", "bad" if turn.why else "")
        if self.session.outcome is not None:
            self.pilot.give_way()
        self._note_ending()

    def _note_ending(self) -> None:
        """Record the result if the game is over, but only once for each ending."""
        if self.session.outcome is None:
            self._noted, self.new_record = None, False
        elif self._noted is not self.session.state:
            self._noted = self.session.state
            self.new_record = self.records.note(self.session)
            if self.keeps:
                unfinished.drop(self.session)
            self.cursor.hide()
            self.tell("over", "good" if self.session.score is not None else "bad")

    def undo(self) -> None:
        self._step_back(self.session.undo(), "nothing to undo")

    def redo(self) -> None:
        self._step_back(self.session.redo(), "nothing to redo")

    def _step_back(self, turn: Turn | None, nothing: str) -> None:
        self.pilot.give_way()
        self._rest()
        if turn is None:
            self.tell(nothing)
        else:
            self._changed(turn)

    def restart(self) -> None:
        self.pilot.give_way()
        self._rest()
        moves = self.session.moves
        self.stop_helping()
        self.session.restart()
        self._changed(None)
        self.tell("restarted" if moves else "at the start")

    # --- helpers

    def ask_hint(self) -> None:
        if self.session.outcome is not None:
            self.tell("over")
            return
        self.pilot.give_way()
        self.hints.ask()
        self.hint_is_newest = True

    def toggle_agent(self) -> None:
        if self.session.outcome is not None:
            self.tell("over")
            return
        if self.pilot.on:
            self.pilot.stop()
        else:
            self.point(None)
            try:
                self.pilot.start()
            except AgentError as reason:
                self.say(str(reason), "bad")
                return
        self.say(self.pilot.message())

    def change_speed(self, factor: float) -> None:
        self.pilot.speed = changed_speed(self.pilot.speed, factor)
        self.tell("speed", speed=f"{self.pilot.speed:g}")

    def toggle_overlay(self, key: str) -> None:
        self.overlays ^= {key}
        keep_overlays(self.game, self.settings, self.overlays)
        self.hints.looking_ahead = self._wants_plan()
        overlay = next(overlay for overlay in self.game.ui.overlays.overlays if overlay.key == key)
        about = overlay.about if key in self.overlays else "off"
        self.say(f"{overlay.name[:1].upper()}{overlay.name[1:]}: {about}")

    def _wants_plan(self) -> bool:
        return any(overlay.plans and overlay.key in self.overlays for overlay in self.game.ui.overlays.overlays)

    # --- files

    def save_replay(self) -> Path:
        """Save a replay of the game so far, and return its path. Raise SaveError if the replay cannot be saved."""
        path = new_path("replays", self.session.board.name, ".replay")
        replay = self.session.replay(self.settings.player, date=f"{datetime.now():%Y-%m-%d}")
        replay.write(path)
        return path

    def save(self) -> None:
        try:
            self.tell("saved", path=str(self.save_replay()))
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")

    # --- time

    def update(self, seconds: float) -> None:
        """Let the agent play, adopt new plans, and preview the cell under the pointer or the cursor."""
        self._let_agent_play(seconds)
        self.hints.update(seconds)
        self._look()

    def _let_agent_play(self, seconds: float) -> None:
        try:
            act = self.pilot.update(seconds)
        except AgentError as reason:
            self.say(f"{self.pilot.agent}: {reason}", "bad")
            return
        if act is not None:
            self.play(act, self.pilot.helper)
            self.pilot.played()

    def _look(self) -> None:
        """Preview the cell that the player points at. The description in the preview becomes the newest message, unless
        another message has just been shown."""
        state, handler, place = self.session.state, self.session.handler, self.looked_at
        if self.is_new("preview", state, place, handler.selected):
            nothing = Preview((), "")
            self.preview = (
                self.guard("the preview", lambda: handler.hover(state, *place), nothing) if place else nothing
            )
            if place and not self.quiet:
                self.say(self.adapt(self.preview.text))
        self.quiet = False
