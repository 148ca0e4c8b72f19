"""The table: a board that is played on, the panel beside it, a line of words below."""

from collections.abc import Callable
from datetime import datetime

import pygame
from pygame import Rect

from shoverworld.core.errors import AgentError, ShoverWorldError
from shoverworld.core.ui import Act, Board, Figure, Intent, Place, Say, Walk
from shoverworld.play.advice import Advice
from shoverworld.play.aim import Aim
from shoverworld.play.crew import pilot_for
from shoverworld.play.files import write_safely
from shoverworld.play.records import standing
from shoverworld.play.saving import replay_path
from shoverworld.play.session import Session, Turn
from shoverworld.play.settings import FASTEST, SLOWEST
from shoverworld.play.shelf import Shelf

from .app import App
from .dialog import Ask
from .ending import EndingScreen
from .help import EVERYWHERE, HelpScreen
from .journey import Journey
from .keys import named, shifted
from .pointer import Pointer
from .sight import Sight
from .table_keys import sections

WALKING = 4.0  # times as quick as a move of its own is a step of a walk


class TableScreen(Journey):
    """`agent`: who plays when asked to (Space); with `watch`, at once. `watch` is meant when an agent is given.
    `rules`: the preset for all levels that Tab leads to; each has its own when it is left out. `shelf`: the collection
    that Tab goes through, the first of the room when it is left out. `draw`: makes a random level from a seed; that of
    the room for the preset when it is left out."""

    def __init__(
        self,
        app: App,
        session: Session,
        agent: str | None = None,
        watch: bool | None = None,
        rules: str = "",
        shelf: Shelf | None = None,
        draw: Callable[[int], Board] | None = None,
    ):
        super().__init__(app, session.game, shelf, rules, draw)
        self.sight = Sight(self.game)
        self.view = self.sight.view
        self.pointer, self.aim = Pointer(self.view), Aim()
        self.advice = Advice(session)
        self.agent = agent or app.settings.agent or self.game.agent_names[0]
        self.pilot = pilot_for(session, self.agent, app.settings.seed)
        self.overlays = {
            overlay.key for overlay in self.game.ui.overlays.overlays if overlay.key in app.settings.overlays
        }
        self.way: list[Act] = []  # what is left of a walk
        self.noted: object = None  # the state at which an ending was noted
        self.commands: dict[str, Callable[[], object]] = {
            "u": self.undo, "shift+u": self.redo, "y": self.redo, "r": self.restart, "x": self.toggle_cursor,
            "tab": lambda: self.next_map(1), "shift+tab": lambda: self.next_map(-1), "n": self.new_map,
            "l": self.browse, "j": self.next_unsolved,
            "p": self.hint, "space": self.let_play, "+": lambda: self.faster(2.0), "-": lambda: self.faster(0.5),
            "m": self.toggle_animation, "k": self.save_replay, "f2": self.save_replay, "v": self.watch_replay,
            "e": self.edit, "escape": self.leave, "q": app.ask_to_quit, "f1": self.help,
        }  # fmt: skip
        for overlay in self.game.ui.overlays.overlays:
            self.commands[overlay.key] = lambda key=overlay.key: self.toggle_overlay(key)
        self.asks_first = False  # who plays is asked before anything else
        if self.game.ui.multiplayer is not None:
            self.commands["o"] = self.ask_players
        self._sit_down(session)
        if agent is not None if watch is None else watch:
            self.let_play()

    def _sit_down(self, session: Session) -> None:
        """Play this game from now on."""
        self.session, self.way = session, []
        self.advice.take_over(session)
        self.pilot = pilot_for(session, self.agent, self.app.settings.seed, self.pilot)
        self.pointer.leave()
        self.aim.end()
        self.sight.level = self._arrived(session)
        self.sight.best = self._best()
        self.view.show(self.game.ui.drawing.scene(session.state))
        self.advice.looking_ahead = self._wants_plan()
        self.say(self.game.goal)
        self._entitle()

    def _best(self) -> list[Figure]:
        """The player's own best here, and what is known to be possible."""
        mine, known = self.app.records.mine(self.session.identity), self.session.best_known
        return [
            *([Figure("Your best", mine.words)] if mine else []),
            *([Figure(standing(known), known.words)] if known else []),
        ]

    # --- what the player does

    def handle(self, event: pygame.event.Event) -> None:
        if self.way and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self._arrive()
        if event.type == pygame.KEYDOWN:
            self._key(event)
            return
        if (key := self.sight.panel.pressed(event)) is not None:
            if key in self.commands:
                self.commands[key]()
            else:
                self._mine(self.session.handler.press(self.session.state, key))
            return
        if self.sight.log.handle(event):
            return
        gesture = self.pointer.handle(event)
        if gesture is not None:
            cell, direction = gesture
            hand, state = self.session.handler, self.session.state
            self.pilot.give_way()
            self.aim.end()
            self._intend(hand.click(state, cell) if direction is None else hand.drag(state, cell, direction))

    def _key(self, event: pygame.event.Event) -> None:
        name = named(event)
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return
        if shifted(event) and f"shift+{name}" in self.commands:
            name = f"shift+{name}"
        if self.aim.cell is not None and self._steer(name):
            return
        if name in self.commands:
            self.commands[name]()
            return
        hand, state = self.session.handler, self.session.state
        intent = hand.press(state, f"shift+{name}") if shifted(event) else None
        intent = hand.press(state, name) if intent is None else intent
        if intent is not None:
            self._mine(intent)

    def _mine(self, intent: Intent | None) -> None:
        self.pilot.give_way()
        self.pointer.rest()
        self._intend(intent)

    def toggle_cursor(self) -> None:
        if self.session.outcome is not None:
            self.say("The game is over.")
        elif self.aim.cell is not None:
            self.aim.end()
            self.say("The cursor is gone.")
        else:
            self.pilot.give_way()
            self.pointer.rest()
            self.aim.begin(self.game.ui.drawing.scene(self.session.state), self.session.handler.selected)

    def _steer(self, key: str) -> bool:
        """The cursor hears this key."""
        cell = self.aim.cell
        if cell is None or key not in ("return", "escape"):
            return self.aim.steer(key, self.game.ui.drawing.scene(self.session.state))
        if key == "escape":
            self.toggle_cursor()
        else:
            self.aim.end()
            self._intend(self.session.handler.click(self.session.state, cell))
        return True

    def _intend(self, intent: Intent | None) -> None:
        self.sight.quiet = True
        if intent is not None and not isinstance(intent, Say) and (other := self.session.waits_for) is not None:
            intent = Say(f"It is the turn of {other.name}{'' if self.pilot.on else ': Space lets it play'}.")
        if isinstance(intent, Say):
            self.say(intent.text)
        elif isinstance(intent, Walk):
            self.pointer.rest()
            self.way = [Act(action) for action in intent.actions]
            self._go_on(first=True)
        elif intent is not None:
            self.pointer.rest()
            self.play(intent)

    def play(self, intent: Act | Place, by: str = "", follows: bool = False) -> bool:
        """Make a move, and show it. False: it could not be made, or had no effect."""
        try:
            turn = self.session.do(intent, by, follows)
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")
            return False
        self._changed(turn, intent)
        return not turn.why

    def _go_on(self, first: bool = False) -> None:
        """The next step of a walk; all of it, when nothing is animated."""
        while self.way:
            if not self.play(self.way.pop(0), follows=not first) or self.session.outcome is not None:
                self.way.clear()
            first = False
            if self.app.animation:
                self.view.speed = WALKING
                return

    def _arrive(self) -> None:
        """What is left of a walk is made at once: something else comes now."""
        while self.way:
            if not self.play(self.way.pop(0), follows=True) or self.session.outcome is not None:
                self.way.clear()
        self.view.finish()

    def _changed(self, turn: Turn | None, intent: Act | Place | None = None) -> None:
        """The game is another than before."""
        self.advice.changed(intent)
        state = self.session.state
        motion = None
        if turn is not None and self.app.animation:
            motion = self.game.ui.drawing.motion(turn.before, turn.after)
        self.view.speed = max(1.0, self.app.settings.speed) if self.pilot.on else 1.0
        self.view.following = self.session.waits_for is None
        self.view.show(self.game.ui.drawing.scene(state), motion)
        if turn is not None:
            words = turn.move.words
            self.say(f"{words[:1].upper()}{words[1:]}", "bad" if turn.why else "")
        if self.session.outcome is None:
            self.noted = None
        else:
            self.pilot.give_way()

    def undo(self) -> None:
        self._back(self.session.undo(), "There is nothing to take back.")

    def redo(self) -> None:
        self._back(self.session.redo(), "There is nothing to make again.")

    def _back(self, turn: Turn | None, nothing: str) -> None:
        self.pilot.give_way()
        self.pointer.rest()
        if turn is None:
            self.say(nothing)
        else:
            self._changed(turn)

    def restart(self) -> None:
        self.pilot.give_way()
        self.pointer.rest()
        moves = self.session.moves
        self.session.restart()
        self._changed(None)
        self.say("From the beginning. Y makes the moves again." if moves else "This is the beginning.")

    # --- helpers

    def hint(self) -> None:
        if self.session.outcome is not None:
            self.say("The game is over: there is nothing to be done but U, which takes the last move back.")
            return
        self.pilot.give_way()
        self.advice.ask()

    def let_play(self) -> None:
        if self.session.outcome is not None:
            self.say("The game is over.")
        elif self.pilot.on:
            self.pilot.stop()
        else:
            self.pointer.leave()
            self.pilot.start()
        if self.session.outcome is None:
            self.say(self.pilot.words())

    def faster(self, factor: float) -> None:
        settings = self.app.settings
        settings.speed = min(FASTEST, max(SLOWEST, settings.speed * factor))
        self.say(f"The agent plays at {settings.speed:g} times the usual speed.")

    def toggle_overlay(self, key: str) -> None:
        self.overlays ^= {key}
        self.app.settings.overlays = "".join(sorted(self.overlays))
        self.advice.looking_ahead = self._wants_plan()
        overlay = next(overlay for overlay in self.game.ui.overlays.overlays if overlay.key == key)
        on = key in self.overlays
        self.say(f"{overlay.name[:1].upper()}{overlay.name[1:]}: {overlay.about if on else 'off'}")

    def _wants_plan(self) -> bool:
        return any(overlay.plans and overlay.key in self.overlays for overlay in self.game.ui.overlays.overlays)

    def toggle_animation(self) -> None:
        self.app.animation = self.app.settings.animation = not self.app.animation
        self.view.finish()
        self.say(f"Animation: {'on' if self.app.animation else 'off'}")

    # --- ways out

    def save_replay(self) -> None:
        path = replay_path(self.session)
        replay = self.session.replay(self.app.settings.player, date=f"{datetime.now():%Y-%m-%d}")
        write_safely(path, replay.to_text())
        self.app.say(f"Saved {path}")

    def help(self) -> None:
        self.pilot.give_way()
        self.app.push(
            HelpScreen(self.app, self.game.title, self.game.goal, [*sections(self.game), ("Everywhere", EVERYWHERE)])
        )

    def leave(self) -> None:
        """Back to where we came from, or to the menu."""
        if self._is_worth_a_question():
            self.pilot.give_way()
            buttons = [("Leave", self._out), ("Save a replay and leave", self._save_and_out), ("Stay", None)]
            self.app.push(Ask(self.app, "Leave this game?", "It is not over yet.", buttons, default=2))
        else:
            self._out()

    def _is_worth_a_question(self) -> bool:
        first = self.app.screens[0] is self  # else the screen below has what is worth keeping
        return first and self.session.outcome is None and self.session.moves > 0

    def _save_and_out(self) -> None:
        self.save_replay()
        self._out()

    def _out(self) -> None:
        if self.app.screens[0] is self:
            from .menu import MenuScreen

            self.app.go(MenuScreen(self.app))
            return
        while self.app.screen is not self:  # the ending lies over it
            self.app.pop()
        self.app.pop()

    def closed(self) -> None:
        self.advice.close()
        self.pilot.close()

    # --- time

    def update(self, seconds: float) -> None:
        self._let_agent_play(seconds)
        if self.way and not self.view.moving:
            self._go_on()
        self.advice.update(seconds)
        self.view.update(seconds)
        playing = self.pilot.text(self.app.settings.speed)
        over = self.session.outcome is not None
        if over:
            self.aim.end()
        self.sight.look(self.session, self.advice, playing, self.overlays, self.pointer.place, self.aim.cell)
        if over and not self.view.moving and self.noted is not self.session.state and self.app.screen is self:
            self.noted = self.session.state
            better = self.app.records.note(self.session)
            self.sight.best = self._best()
            self.app.push(EndingScreen(self, better))

    def opened(self) -> None:
        self.pointer.leave()
        if self.asks_first:
            self.asks_first = False
            if self.game.ui.multiplayer is not None:
                self.ask_players()
        self._remember(self.shelf.place_of(self.session.board))
        self._entitle()

    def _entitle(self) -> None:
        board = self.session.board
        pygame.display.set_caption(f"{board.title or board.name} - {self.game.title}")

    def _let_agent_play(self, seconds: float) -> None:
        try:
            act = self.pilot.update(seconds, self.app.settings.speed)
        except AgentError as reason:
            self.say(f"{self.pilot.agent}: {reason}", "bad")
            return
        if act is not None:
            self.play(act, self.pilot.helper)
            self.pilot.played()

    # --- what is seen

    def say(self, text: str, tone: str = "") -> None:
        self.sight.say(text, tone)

    def lay_out(self, size: tuple[int, int]) -> None:
        self.sight.lay_out(size)

    def note_bottom(self) -> int:
        return self.sight.line.rect.bottom - 2

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        return self.sight.draw(surface, self.stale)
