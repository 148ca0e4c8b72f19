"""Who plays: people and agents are given names and seats, before a game for several begins."""

from collections.abc import Callable, Sequence

import pygame
from pygame import Rect

from shoverworld.agents import load
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import Board, KeyHelp
from shoverworld.play.seats import Seat, name_for, seats_for, written

from . import theme
from .app import App, Screen
from .help import EVERYWHERE, HelpScreen
from .keys import named
from .view import BoardView
from .widgets import Button, Choice, Form, Item, Label, TextField

ROW, SPOT = 30, 14
KEYS = (
    KeyHelp(("return",), "start; in the line for a name, add that person"),
    KeyHelp(("a",), "add a person, with the name that is written"),
    KeyHelp(("i",), "add an AI player: the agent that is chosen"),
    KeyHelp(("delete", "backspace"), "take the chosen player off the list"),
    KeyHelp(("tab", "shift+tab"), "to the next part, to the one before"),
    KeyHelp(("escape",), "back to the menu"),
)
HELP = "As many can play as the board has seats for. They move in the order of the list."


class PlayersScreen(Screen):
    """`begin` is called with the seats when all is said, and they are kept in the settings. `seats`: those that are taken
    already; those of last time when they are left out."""

    def __init__(
        self,
        app: App,
        game: Game,
        board: Board,
        begin: Callable[[Sequence[Seat]], object],
        seats: Sequence[Seat] = (),
    ):
        super().__init__(app)
        assert game.ui.multiplayer is not None
        self.game, self.board, self.begin, self.multiplayer = game, board, begin, game.ui.multiplayer
        self.most = game.ui.multiplayer.max_players(board)
        self.seats = list(seats or seats_for(game, board, app.settings.seats))
        self.view = BoardView(game)
        self.title = Label(f"Who plays on {board.title or board.name}?", theme.LARGE)
        self.room = Label(colour=theme.SOFT)
        self.players = Choice([], picked=lambda _: self.start(), row_height=26)
        self.name = TextField(placeholder="a name", done=lambda _: self.add_person())
        agent = app.settings.agent
        names = [*game.agent_names, *([agent] if agent and agent not in game.agent_names else [])]
        place = names.index(agent) if agent in names else 0
        self.agents = Choice(
            [Item(name, name) for name in names], place, changed=self._say_agent, picked=lambda _: self.add_agent()
        )
        self.about = Label("", theme.SMALL, theme.SOFT)
        self.status = Label(colour=theme.WARN)
        self.add = Button("Add", self.add_person, "A")
        self.add_ai = Button("Add AI player", self.add_agent, "I")
        self.remove = Button("Remove", self.take_off, "Del")
        self.buttons = [Button("Start", self.start, "Enter", strong=True), Button("Back", app.pop, "Esc")]
        self.form = Form(
            [
                self.players, self.name, self.add, self.agents, self.add_ai, self.remove, *self.buttons,
                self.title, self.room, self.about, self.status,
            ]
        )  # fmt: skip
        self.form.focus(self.players)
        self.view.show(game.ui.drawing.thumbnail(board))
        self._say_agent(self.agents.value)
        self._list(0)

    def say(self, text: str, tone: str = "warn") -> None:
        self.status.set(text=text, colour=theme.TONES[tone])

    # --- what the buttons do

    def add_person(self) -> None:
        self._add(Seat(name_for(self.seats, "", self.name.text)))

    def add_agent(self) -> None:
        agent = self.agents.value
        load.check(agent, self.game.name)
        self._add(Seat(name_for(self.seats, agent, self.name.text), agent))

    def _add(self, seat: Seat) -> None:
        if len(self.seats) >= self.most:
            seats = "1 seat" if self.most == 1 else f"{self.most} seats"
            self.say(f"There is no seat left: this board has {seats}.", "bad")
            return
        self.seats.append(seat)
        self.name.set(text="", caret=0)
        self._list(len(self.seats) - 1)
        self.say(f"{seat.name} plays.", "good")

    def take_off(self) -> None:
        if self.seats:
            gone = self.seats.pop(self.players.chosen)
            self._list(max(0, self.players.chosen - 1))
            self.say(f"{gone.name} does not play.", "good")

    def start(self) -> None:
        if not self.seats:
            self.say("Somebody has to play: add a person or an AI player.", "bad")
            return
        self.app.settings.seats = written(self.seats)
        self.begin(tuple(self.seats))

    def _say_agent(self, agent: str) -> None:
        self.about.set(text=load.ABOUT.get(agent, "an agent of your own"))

    def _list(self, chosen: int) -> None:
        items = [
            Item(place, f"{place + 1}  {seat.name}", seat.kind, self._spot(place))
            for place, seat in enumerate(self.seats)
        ]
        self.players.fill(items, chosen)
        self.room.set(text=f"{len(self.seats)} of {self.most} seats; the first moves first")

    def _spot(self, place: int) -> pygame.Surface:
        """The colour that a seat has on the board."""
        picture = pygame.Surface((SPOT, SPOT), pygame.SRCALPHA)
        pygame.draw.rect(picture, self.multiplayer.colour(place), picture.get_rect(), border_radius=3)
        return picture

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        try:
            if not self.form.handle(event) and event.type == pygame.KEYDOWN:
                self._key(named(event))
        except ShoverWorldError as reason:
            self.say(str(reason), "bad")

    def _key(self, name: str) -> None:
        commands = {
            "return": self.start, "a": self.add_person, "i": self.add_agent, "delete": self.take_off,
            "backspace": self.take_off, "escape": self.app.pop, "q": self.app.ask_to_quit, "f1": self.help,
            "left": lambda: self.form.step_focus(-1), "right": lambda: self.form.step_focus(1),
        }  # fmt: skip
        if name in commands:
            commands[name]()

    def help(self) -> None:
        self.app.push(HelpScreen(self.app, "Players", HELP, [("Players", KEYS), ("Everywhere", EVERYWHERE)]))

    # --- what is seen

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
        self.room.rect = Rect(side.left, side.top, side.width, line)
        half = (side.width - gap) // 2
        agents = min(len(self.agents.items) * self.agents.row_height + 2, max(50, side.height // 4))
        words = theme.line_height(theme.SMALL) * 2
        below = ROW + gap + agents + 2 + words + gap + ROW + gap
        top = self.room.rect.bottom + 4
        self.players.rect = Rect(side.left, top, side.width, max(40, side.bottom - below - gap - top))
        y = self.players.rect.bottom + gap
        self.name.rect = Rect(side.left, y, side.width - 100 - gap, ROW)
        self.add.rect = Rect(side.right - 100, y, 100, ROW)
        y += ROW + gap
        self.agents.rect = Rect(side.left, y, side.width, agents)
        self.about.rect = Rect(side.left, y + agents + 2, side.width, words)
        y = self.about.rect.bottom + gap
        self.add_ai.rect = Rect(side.left, y, half, ROW)
        self.remove.rect = Rect(side.left + half + gap, y, half, ROW)

    def opened(self) -> None:
        pygame.display.set_caption(f"{self.board.title or self.board.name} - {self.game.title}")

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self.stale:
            surface.fill(theme.GROUND)
            self.view.refresh()
        return [*self.view.draw(surface), *self.form.draw(surface, self.stale)]
