"""What is seen of a table: the board with its marks, the panel, and the line of words below."""

from collections.abc import Set
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.ui import Cell, Figure, Mark, Preview
from shoverworld.play.advice import Advice
from shoverworld.play.session import Session

from . import theme
from .log import Entry, Log
from .pad import Pad
from .panel import Block, Heading, Keys, Line, Panel, Space, Switch, Switches, Words
from .table_keys import BUTTONS
from .view import BoardView
from .widgets import Label

LINE = 36  # pixels, of the words below
LEAST = 7  # pixels of a cell in games for several, whose boards may be large: a part of them is shown
LOG = 0.17, 48, 132  # the height of a log: its share of the window, at least and at most
CURSOR = (250, 200, 40)


class WordLine(Label):
    """Words that are made smaller, and laid in two lines, when they are many."""

    def draw(self, surface: pygame.Surface) -> None:
        if theme.width_of(self.text) <= self.rect.width:
            super().draw(surface)
            return
        surface.fill(self.ground, self.rect)
        tall = theme.line_height(theme.SMALL)
        lines = theme.wrapped(self.text, self.rect.width, theme.SMALL)
        if len(lines) > 2:
            lines = [lines[0], theme.fitted(" ".join(lines[1:]), self.rect.width, theme.SMALL)]
        middle = Rect(self.rect.left, 0, self.rect.width, tall * len(lines))
        middle.centery = self.rect.centery
        theme.write_lines(surface, lines, middle, theme.SMALL, self.colour)


class Sight:
    """Asked to look in every frame, it works out anew only what depends on something that has changed."""

    def __init__(self, game: Game):
        self.game = game
        self.view, self.panel = BoardView(game, rulers=True, least=LEAST if game.ui.multiplayer else 1), Panel()
        self.line = WordLine()
        self.log = Log()  # in games for several
        self.preview = Preview((), "")
        self.level = ""  # which of a collection
        self.best: list[Figure] = []  # the scores on this board
        self.quiet = False  # something else was said in this frame: what the pointer is on can wait until it moves
        self._seen: dict[str, tuple] = {}  # by what: what it was made from

    def say(self, text: str, tone: str = "") -> None:
        self.line.set(text=text, colour=theme.TONES[tone])

    # --- where

    def lay_out(self, size: tuple[int, int]) -> None:
        """The panel beside the board, or below it in a window that is higher than wide."""
        width, height = size
        self.line.rect = Rect(theme.MARGIN, height - LINE, max(0, width - 2 * theme.MARGIN), LINE)
        room = max(1, height - LINE)
        if width >= 1.05 * height:
            beside = min(max(round(width * 0.27), 230), 340, round(width * 0.45))
            self.panel.rect = Rect(width - beside, 0, beside, room)
            area = Rect(0, 0, width - beside, room)
        else:
            below = min(max(round(height * 0.32), 150), 280, round(height * 0.5))
            self.panel.rect = Rect(0, room - below, width, below)
            area = Rect(0, 0, width, room - below)
        if self.game.ui.multiplayer is not None:
            tall = min(max(round(height * LOG[0]), LOG[1]), LOG[2], area.height // 3)
            self.log.rect = Rect(area.left, area.bottom - tall, area.width, tall)
            area.height -= tall
        self.view.area = area.inflate(-2 * theme.GAP, -2 * theme.GAP)

    def draw(self, surface: pygame.Surface, whole: bool) -> list[Rect]:
        if whole:
            surface.fill(theme.GROUND)
            self.view.refresh()
            self.panel.stale = self.line.stale = self.log.stale = True
        drawn = self.view.draw(surface) + self.panel.draw(surface)
        for part in (self.line, self.log):
            if part.stale and part.rect.width:
                part.draw(surface)
                part.stale = False
                drawn.append(part.rect.copy())
        return drawn

    # --- what

    def look(
        self,
        session: Session,
        advice: Advice,
        playing: str,
        overlays: Set[str],
        place: tuple[Cell, int | None] | None,
        cursor: Cell | None = None,
    ) -> None:
        """`playing`: what the agent does, in words. `place`: the cell that is pointed at, and the way that is meant.
        `cursor`: the cell of the keys' own pointer."""
        state, plan, selected = session.state, advice.plan, session.handler.selected
        if session.outcome is not None:
            place = None
        elif cursor is not None:
            place = cursor, None
        if self._new("preview", state, place, selected):
            self.preview = session.handler.hover(state, *place) if place else Preview((), "")
            if place and not self.quiet:
                self.say(self.preview.text)
        self.quiet = False
        on = "".join(sorted(overlays))
        if self._new("marks", state, plan, selected, place, cursor, advice.hinting, on):
            if self._new("lying", session, state, plan, on):  # what the pointer has no part in
                self._lying = [*self._ways(session), *self._overlay_marks(session, advice, overlays)]
            marks = [*self._lying, *self.preview.marks]
            pointed = {(mark.cell, mark.direction) for mark in marks if mark.kind == "arrow"}
            hinted = [
                mark for mark in advice.marks if mark.kind != "arrow" or (mark.cell, mark.direction) not in pointed
            ]
            if session.waits_for is None:
                marks += session.handler.marks(state)  # over what is pointed at: it must be seen what is selected
            if cursor is not None:
                marks.append(Mark("frame", cursor, CURSOR))
            self.view.marks([*marks, *hinted])
        if self._new("figures", session, state, selected):
            self._figures = self.game.ui.texts.figures(session.env, state, session.handler)
            self.log.show(log_of(session))
        hint, ahead = advice.text, advice.line
        if self._new("panel", session, state, selected, hint, ahead, playing, on):
            self.panel.show(self._blocks(session, self._figures, hint, ahead, playing, overlays))

    def _new(self, what: str, *depends: Any) -> bool:
        """Has something changed that this depends on? Words and numbers are compared, everything else is itself or not."""
        before = self._seen.get(what, ())
        self._seen[what] = depends
        return len(before) != len(depends) or not all(map(_same, before, depends))

    def _ways(self, session: Session) -> list[Mark]:
        return [] if self.game.ui.multiplayer is None else self.game.ui.multiplayer.trails(session.env, session.states)

    def _overlay_marks(self, session: Session, advice: Advice, overlays: Set[str]) -> list[Mark]:
        marks: list[Mark] = []
        for overlay in self.game.ui.overlays.overlays:
            if overlay.key in overlays:
                plan = advice.plan if overlay.plans else None
                marks += self.game.ui.overlays.marks(overlay.key, session.env, session.state, plan)
        return marks

    def _blocks(
        self, session: Session, figures: list[Figure], hint: str, ahead: str, playing: str, overlays: Set[str]
    ) -> list[Block]:
        board = session.board
        rules = session.preset
        if board.preset and rules and board.preset != rules:
            rules += f" (made for {board.preset})"
        below = " · ".join(filter(None, (self.level or (board.name if board.name != board.title else ""), rules)))
        blocks: list[Block] = [Heading(board.title or board.name, below)]
        several = int(self.game.ui.multiplayer is not None)  # then the buttons are what matters most
        blocks += [Line(figure, rank=several + (1 if place < 5 else 2)) for place, figure in enumerate(figures)]
        blocks += [Line(figure, rank=3) for figure in self.best]
        blocks.append(Space())
        blocks += self._company(session)
        if hint:
            blocks.append(Words(hint, "Hint", rank=1))
        if playing:
            blocks.append(Words(playing, "Agent", rank=1))
        switches = [
            Switch(overlay.key, overlay.name, overlay.key in overlays) for overlay in self.game.ui.overlays.overlays
        ]
        blocks.append(Switches(tuple(switches)))
        blocks.append(Keys(BUTTONS if self.game.ui.multiplayer is None else (("o", "players"), *BUTTONS)))
        if ahead:
            blocks.append(Words(ahead, "Plan ahead", "soft", rank=3))
        if board.about:
            blocks.append(Words(board.about, "About this level", "soft", rank=6))
        return blocks

    def _company(self, session: Session) -> list[Block]:
        """The buttons for the moves, and how all stand, in a game for several."""
        multiplayer = self.game.ui.multiplayer
        if multiplayer is None:
            return []
        names = [seat.name for seat in session.seats]
        standings = multiplayer.standings(session.env, session.state, names) if len(names) > 1 else []
        blocks: list[Block] = [Line(figure, rank=2) for figure in standings]
        choices = multiplayer.move_buttons(session.env, session.state)
        if choices:
            blocks += [Space(), Pad(choices, session.waits_for is None, multiplayer.colour(session.place), rank=1)]
        return blocks


def log_of(session: Session) -> list[Entry]:
    """A line a move, in a game for several."""
    multiplayer = session.game.ui.multiplayer
    if multiplayer is None:
        return []
    entries = []
    for number, turn in enumerate(session.turns, 1):
        tone = "bad" if turn.why else "good" if turn.move.kind == "finish" else ""
        colour = multiplayer.colour(multiplayer.player_to_move(session.env, turn.before))
        entries.append(Entry(f"{number}  {turn.move.words}", tone, colour))
    return entries


def _same(one: Any, other: Any) -> bool:
    plain = type(one) in (str, int, bool, tuple) and type(one) is type(other)  # a state may be some kind of tuple, too
    return one is other or (plain and one == other)
