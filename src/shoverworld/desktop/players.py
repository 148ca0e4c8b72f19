"""The screen for choosing the players: people and agents, in the order in which they move."""

from collections.abc import Callable, Sequence

import pygame
from pygame import Rect

from shoverworld.core.game import Game
from shoverworld.core.ui import Board
from shoverworld.play.commands import PLAYERS_HELP, PLAYERS_KEYS, worded
from shoverworld.play.guard import thumbnail
from shoverworld.play.players import Player, PlayersSetup, players_for, players_text

from . import theme
from .app import App, WindowScreen
from .help import EVERYWHERE, HelpScreen
from .input import named
from .lists import ListBox, ListItem
from .view import BoardView
from .widgets import Button, Form, Label, TextField

ROW, SPOT = 30, 14


class PlayersScreen(WindowScreen):
    """The screen for choosing the players. `begin` is called with the chosen players, which are also stored in the
    settings. `players` is the initial choice; the default is the previous choice."""

    def __init__(
        self,
        app: App,
        game: Game,
        board: Board,
        begin: Callable[[Sequence[Player]], object],
        players: Sequence[Player] = (),
    ):
        super().__init__(app)
        self.begin, settings = begin, app.settings
        players = players or players_for(game, board, settings.own(game.name, "players"))
        self.setup = PlayersSetup(game, board, players, settings.own(game.name, "agent"))
        self.view = BoardView(game)
        self.title = Label(self.setup.title, theme.LARGE)
        self.taken = Label(colour=theme.SOFT)
        self.list = ListBox([], changed=self.setup.choose, picked=lambda _: self.start(), row_height=26)
        self.name = TextField(placeholder="name", done=lambda _: self.add_person())
        self.agents = ListBox(
            [ListItem(place, name) for place, name in enumerate(self.setup.agents)],
            self.setup.agent,
            changed=self._choose_agent,
            picked=lambda _: self.add_agent(),
        )
        self.about = Label("", theme.SMALL, theme.SOFT)
        self.status = Label(colour=theme.WARN)
        self.add = Button("Add", self.add_person, "A")
        self.add_ai = Button(f"Add AI {game.player_word}", self.add_agent, "I")
        self.remove = Button("Remove", self.remove_player, "Del")
        self.buttons = [Button("Start", self.start, "Enter", strong=True), Button("Back", app.pop, "Esc")]
        self.form = Form(
            [
                self.list, self.name, self.add, self.agents, self.add_ai, self.remove, *self.buttons,
                self.title, self.taken, self.about, self.status,
            ]
        )  # fmt: skip
        self.form.focus(self.list)
        scene = thumbnail(game, board, app.guard)
        if scene is not None:
            self.view.show(scene)
        self._choose_agent(self.setup.agent)
        self._refresh()

    # --- commands

    def add_person(self) -> None:
        if self.setup.add_person(self.name.text):
            self.name.set(text="", caret=0)
        self._refresh()

    def add_agent(self) -> None:
        if self.setup.add_agent(self.name.text):
            self.name.set(text="", caret=0)
        self._refresh()

    def remove_player(self) -> None:
        self.setup.remove()
        self._refresh()

    def start(self) -> None:
        if self.setup.ready():
            text = players_text(self.setup.players)
            self.app.settings.set_own(self.setup.game.name, "players", text)
            self.begin(tuple(self.setup.players))
        else:
            self._refresh()

    def _choose_agent(self, agent: int) -> None:
        self.setup.agent = agent
        self.about.set(text=self.setup.about_agent)

    def _refresh(self) -> None:
        setup = self.setup
        items = [
            ListItem(place, f"{place + 1}  {player.name}", player.kind, self._spot(place))
            for place, player in enumerate(setup.players)
        ]
        self.list.fill(items, setup.chosen)
        self.taken.set(text=f"{setup.taken}; the first in the list moves first")
        self.status.set(text=setup.message, colour=theme.TONES[setup.tone])

    def _spot(self, place: int) -> pygame.Surface:
        """Return a patch in the colour that a player has on the board."""
        multiplayer = self.setup.game.ui.multiplayer
        assert multiplayer is not None
        picture = pygame.Surface((SPOT, SPOT), pygame.SRCALPHA)
        pygame.draw.rect(picture, multiplayer.colour(place), picture.get_rect(), border_radius=3)
        return picture

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        if self.form.handle(event) or event.type != pygame.KEYDOWN:
            return
        commands = {
            "return": self.start, "a": self.add_person, "i": self.add_agent, "delete": self.remove_player,
            "backspace": self.remove_player, "escape": self.app.pop, "q": self.app.ask_to_quit, "f1": self.help,
            "left": lambda: self.form.step_focus(-1), "right": lambda: self.form.step_focus(1),
        }  # fmt: skip
        name = named(event)
        if name in commands:
            commands[name]()

    def help(self) -> None:
        game = self.setup.game
        title, text = game.words["players"].capitalize(), PLAYERS_HELP.format(**game.words)
        sections = [(title, worded(PLAYERS_KEYS, game)), ("Everywhere", EVERYWHERE)]
        self.app.push(HelpScreen(self.app, title, text, sections))

    # --- drawing

    def lay_out(self, size: tuple[int, int]) -> None:
        width, height = size
        inner = Rect(theme.MARGIN, theme.GAP, max(1, width - 2 * theme.MARGIN), max(1, height - 2 * theme.GAP))
        head, line = theme.line_height(theme.LARGE), theme.line_height()
        self.title.rect = Rect(inner.left, inner.top, inner.width, head)
        bottom = inner.bottom - ROW
        for button, x in zip(self.buttons, (inner.left, inner.left + 170), strict=True):
            button.rect = Rect(x, bottom, 160, ROW)
        self.status.rect = Rect(inner.left, bottom - line - 6, inner.width, line)
        body = Rect(inner.left, self.title.rect.bottom + theme.GAP, inner.width, 1)
        body.height = max(1, self.status.rect.top - theme.GAP - body.top)
        wide = min(max(300, round(inner.width * 0.42)), 460, inner.width)
        self._lay_out_side(Rect(body.left, body.top, wide, body.height))
        left = body.left + wide + theme.MARGIN
        self.view.area = Rect(left, body.top, max(0, body.right - left), body.height)

    def _lay_out_side(self, side: Rect) -> None:
        line, gap = theme.line_height(), theme.GAP
        self.taken.rect = Rect(side.left, side.top, side.width, line)
        half = (side.width - gap) // 2
        agents = min(len(self.agents.items) * self.agents.row_height + 2, max(50, side.height // 4))
        words = theme.line_height(theme.SMALL) * 2
        below = ROW + gap + agents + 2 + words + gap + ROW + gap
        top = self.taken.rect.bottom + 4
        self.list.rect = Rect(side.left, top, side.width, max(40, side.bottom - below - gap - top))
        y = self.list.rect.bottom + gap
        self.name.rect = Rect(side.left, y, side.width - 100 - gap, ROW)
        self.add.rect = Rect(side.right - 100, y, 100, ROW)
        y += ROW + gap
        self.agents.rect = Rect(side.left, y, side.width, agents)
        self.about.rect = Rect(side.left, y + agents + 2, side.width, words)
        y = self.about.rect.bottom + gap
        self.add_ai.rect = Rect(side.left, y, half, ROW)
        self.remove.rect = Rect(side.left + half + gap, y, half, ROW)

    def opened(self) -> None:
        board = self.setup.board
        theme.set_caption(f"{board.title or board.name} - {self.setup.game.title}")

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self.stale:
            surface.fill(theme.GROUND)
            self.view.refresh()
        return [*self.view.draw(surface), *self.form.draw(surface, self.stale)]
