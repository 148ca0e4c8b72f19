"""The layout of a game in the window: the board with its marks, the panel, the log, and the line of text below."""

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.ui import Colour, Mark
from shoverworld.play.commands import buttons
from shoverworld.play.table import GameTable

from . import theme
from .multiplayer import ChoicePad, LogBox
from .panel import Block, Heading, Keys, Line, Panel, Space, Switch, Switches, Words
from .view import BoardView
from .widgets import Label

LINE = 36  # height of the line of text in pixels
LEAST = 7  # minimum cell size in multiplayer games, in pixels; if the board does not fit, only part of it is shown
LOG = 0.17, 48, 132  # the height of the log: fraction of the window, minimum and maximum
CURSOR: Colour = (250, 200, 40)
BUTTONS = ("players", "undo", "hint", "agent", "restart", "random", "next", "levels", "help")  # command names


class MessageLine(Label):
    """A line of text. Long text is written in a smaller font and on two lines."""

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


class TableView:
    """Lays out and draws what a `GameTable` provides. It can be drawn in every frame: only changes are redrawn."""

    def __init__(self, game: Game):
        self.game = game
        self.view, self.panel = BoardView(game, rulers=True, least=LEAST if game.ui.multiplayer else 1), Panel()
        self.line = MessageLine()
        self.log = LogBox()  # only in multiplayer games

    # --- layout

    def lay_out(self, size: tuple[int, int]) -> None:
        """Place the panel beside the board, or below it if the window is taller than it is wide."""
        width, height = size
        self.line.rect = Rect(theme.MARGIN, height - LINE, max(0, width - 2 * theme.MARGIN), LINE)
        area, self.panel.rect = split(Rect(0, 0, width, max(1, height - LINE)), size, (0.32, 0.5))
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

    # --- content

    def show(self, table: GameTable) -> None:
        cell = table.cursor.cell
        cursor = () if cell is None else (Mark("frame", cell, CURSOR),)
        self.view.marks((*table.marks(), *cursor))
        self.line.set(text=table.message.text, colour=theme.TONES[table.message.tone])
        self.log.show(table.log())
        session, hints, on = table.session, table.hints, "".join(sorted(table.overlays))
        texts = hints.text, hints.plan_ahead, table.agent_status
        if table.is_new("panel", session, session.state, session.handler.selected, on, texts):
            self.panel.show(self._blocks(table))

    def _blocks(self, table: GameTable) -> list[Block]:
        board, hints = table.session.board, table.hints
        name = table.position or (board.name if board.name != board.title else "")
        several = int(self.game.ui.multiplayer is not None)  # if so, the buttons are the most important block
        rules = f"{table.session.preset.partition(',')[0]}, changed" if table.changes else table.rules
        blocks: list[Block] = [Heading(table.title, " · ".join(filter(None, (name, rules))))]
        if table.changes:
            blocks.append(Words(table.changes, "Changed rules", "warn", rank=1))
        blocks += [Line(figure, several + (1 if place < 5 else 2)) for place, figure in enumerate(table.figures())]
        blocks += [Line(figure, rank=3) for figure in table.best_results()]
        blocks.append(Space())
        blocks += self._players(table)
        if hints.text:
            blocks.append(Words(hints.text, "Hint", rank=1))
        if table.agent_status:
            blocks.append(Words(table.agent_status, "Agent", rank=1))
        switches = [
            Switch(overlay.key, overlay.name, overlay.key in table.overlays)
            for overlay in self.game.ui.overlays.overlays
        ]
        blocks += [Switches(tuple(switches)), Keys(buttons(BUTTONS, table.offered))]
        if hints.plan_ahead:
            blocks.append(Words(hints.plan_ahead, "Plan ahead", "soft", rank=3))
        if board.about:
            blocks.append(Words(board.about, "About this level", "soft", rank=6))
        return blocks

    def _players(self, table: GameTable) -> list[Block]:
        """Return the standings and the move buttons of a multiplayer game."""
        multiplayer, session = self.game.ui.multiplayer, table.session
        blocks: list[Block] = [Line(figure, rank=2) for figure in table.standings()]
        choices = table.choices()
        if multiplayer is not None and choices:
            pad = ChoicePad(choices, session.waits_for is None, multiplayer.colour(session.place), rank=1)
            blocks += [Space(), pad]
        return blocks


def split(whole: Rect, window: tuple[int, int], below: tuple[float, float]) -> tuple[Rect, Rect]:
    """Return the areas of the board and the panel. `below` contains the usual and the maximum height of a panel below
    the board, as fractions of the window's height."""
    width, height = window
    if width >= 1.05 * height:
        side = min(max(round(width * 0.27), 230), 340, round(width * 0.45))
        board = Rect(whole.left, whole.top, whole.width - side, whole.height)
        return board, Rect(board.right, whole.top, side, whole.height)
    low = min(max(round(height * below[0]), 150), 280, round(height * below[1]))
    board = Rect(whole.left, whole.top, whole.width, whole.height - low)
    return board, Rect(whole.left, board.bottom, whole.width, low)
