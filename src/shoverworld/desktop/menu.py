"""The menu: what to play, by which rules, with whom. It remembers the last choice."""

from collections.abc import Sequence
from dataclasses import replace

import pygame
from pygame import Rect

from shoverworld.agents import load
from shoverworld.core.errors import NotAReplay, ShoverWorldError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named
from shoverworld.play.places import Found
from shoverworld.play.seats import Seat
from shoverworld.play.session import Session
from shoverworld.play.settings import FRAMES
from shoverworld.play.shelf import Shelf

from . import theme
from .app import App, Screen
from .ask_replay import AskReplay
from .catalogue import RANDOM, Catalogue
from .help import EVERYWHERE, HelpScreen
from .keys import named
from .menu_keys import HELP, KEYS
from .opening import expanded, levels_at
from .recovery import offer
from .start import go, ready
from .view import BoardView
from .widgets import Button, Choice, Form, Item, Label, TextField

MOST_SEED = 2**31 - 1


class MenuScreen(Screen):
    """`message`: what has to be said at the start, such as that a file was set aside."""

    def __init__(self, app: App, message: str | None = None):
        super().__init__(app)
        settings = app.settings
        if settings.game not in all_games():
            settings.game = next(iter(all_games()))
        self.game = game_named(settings.game)
        self.catalogue = Catalogue(self.game, app.records)
        self.preview = BoardView(self.game)
        self.title = Label(self.game.title, theme.HUGE)
        self.goal = Label(self.game.goal, colour=theme.SOFT)
        self.games = [Button(game_named(game).title, lambda game=game: self.choose_game(game)) for game in all_games()]
        for game, tab in zip(all_games(), self.games, strict=True):
            tab.set(on=game == self.game.name)
        self.shelf = Button("", self.browse, "B")
        self.maps = Choice([], changed=self._choose_map, picked=lambda _: self.play(), row_height=58)
        self.rules = Choice(
            self._rules_items(), changed=self._choose_rules, picked=lambda _: self.play(), row_height=26
        )
        self.agents = Choice([], changed=self._choose_agent, picked=lambda _: self.play(), row_height=26)
        self.path = TextField(
            placeholder="path of levels, a replay or an agent (or drop it here)", done=self._open_typed
        )
        self.seed = TextField(
            str(settings.seed), changed=self._choose_seed, done=lambda _: self.play(), allowed="0123456789"
        )
        self.animation = Button("", self._toggle_animation)
        self.fps = Button("", self._toggle_fps)
        self.about = Label(colour=theme.SOFT)
        self.rules_about, self.agent_about = Label("", theme.SMALL, theme.SOFT), Label("", theme.SMALL, theme.SOFT)
        self.status = Label(colour=theme.WARN)
        self.buttons = [
            Button("Play", self.play, "Enter", strong=True),
            Button("Watch agent", self.watch, "W"),
            Button("Replay", self.ask_replay, "R"),
            Button("Edit", self.edit, "E"),
            Button("Keys", self.help, "F1"),
            Button("Quit", app.ask_to_quit, "Q"),
        ]
        self.heads = {name: Label(name, theme.SMALL, theme.SOFT) for name in ("Level", "Rules", "Agent", "Seed")}
        self.form = Form(
            [
                self.maps, self.path, self.rules, self.agents, self.seed, self.animation, self.fps, self.shelf,
                *self.games, *self.buttons, self.title, self.goal, self.about, self.status, *self.heads.values(),
                self.rules_about, self.agent_about,
            ]
        )  # fmt: skip
        self.drawing = False  # a random level waits for what draws it
        self.form.focus(self.maps)
        self._say_options()
        self.rules.choose(next((n for n, item in enumerate(self.rules.items) if item.value == settings.preset), 0))
        self._open_collection(settings.collection)
        self._list_agents(settings.agent)
        self._list_maps(settings.board)
        if message:
            self.say(message)
        ready(self.game)  # it begins to get ready now

    def opened(self) -> None:
        pygame.display.set_caption(self.game.title)
        self._tell_seed(self.app.settings.seed)
        self._list_maps(self.app.settings.board)
        offer(self.app)

    def say(self, text: str, tone: str = "warn") -> None:
        self.status.set(text=text, colour=theme.TONES[tone])

    # --- lists

    def _rules_items(self) -> list[Item]:
        asked = Item("", "as the level asks")
        return [asked, *(Item(preset.name, preset.name) for preset in self.game.presets)]

    def _list_agents(self, chosen: str) -> None:
        names = list(self.game.agent_names)
        if chosen and chosen not in names:
            names.append(chosen)  # a file of the player's own
        place = names.index(chosen) if chosen in names else 0
        self.agents.fill([Item(name, name) for name in names], place)
        if self.maps.items:
            self._describe()

    def _list_maps(self, chosen: str) -> None:
        """The levels, with the records under the rules that are chosen."""
        if chosen and chosen != RANDOM and chosen not in self.catalogue.names():
            try:
                self.catalogue.add(self.game.levels.read(chosen))
            except ShoverWorldError as reason:  # the file of last time is gone, or no level any more
                self.say(str(reason))
        names = self.catalogue.names()
        self.maps.fill(self.catalogue.items(self.rules.value), names.index(chosen) if chosen in names else 1)
        shelf = self.catalogue.shelf
        self.shelf.set(text=f"{shelf.title} · {shelf.progress}")
        self._show_map()

    def _open_collection(self, name: str) -> None:
        """The collection of last time, if it is still there."""
        if name:
            try:
                self.catalogue.open(name)
            except ShoverWorldError as reason:
                self.say(str(reason))

    def choose_game(self, game: str) -> None:
        """Another game, as it was left."""
        if game != self.game.name:
            self._remember()
            self.app.settings.switch(game)
            self.app.go(MenuScreen(self.app))

    def _next_game(self) -> None:
        games = list(all_games())
        self.choose_game(games[(games.index(self.game.name) + 1) % len(games)])

    def browse(self) -> None:
        """All levels of the collection, in pictures."""
        from .browser import BrowserScreen

        shelf = self.catalogue.shelf
        place = shelf.keys.index(self.maps.value) if self.maps.value in shelf.keys else None
        self.app.push(BrowserScreen(self.app, shelf, place, self._play_from))

    def _play_from(self, shelf: Shelf, place: int) -> None:
        """A level was chosen in the browser."""
        self._take(shelf.name, shelf.keys[place])
        self.play()

    def _take(self, collection: str, key: str) -> None:
        settings = self.app.settings
        self.catalogue.open(collection)
        settings.collection, settings.board = self.catalogue.shelf.name, key
        self._list_maps(key)

    def next_unsolved(self) -> None:
        shelf = self.catalogue.shelf
        place = shelf.next_unsolved(shelf.keys.index(self.maps.value) if self.maps.value in shelf.keys else None)
        if place is None:
            self.say("All levels of this collection are solved.", "good")
        else:
            self._take(shelf.name, shelf.keys[place])

    def _choose_map(self, name: str) -> None:
        self.app.settings.board = name
        self.say("")
        self._show_map()

    def _choose_rules(self, preset: str) -> None:
        self.app.settings.preset = preset
        self.say("")
        self._list_maps(self.maps.value)

    def _choose_agent(self, agent: str) -> None:
        self.app.settings.agent = agent
        self._describe()

    def _describe(self) -> None:
        """The rules and the agent that are chosen, in words."""
        usual = self.game.presets[0].name if self.maps.value == RANDOM else ""
        rules = self.rules.value or usual or self._board().preset
        about = next((preset.about for preset in self.game.presets if preset.name == rules), "")
        self.rules_about.set(text=about if self.rules.value else f"{rules}: {about}")
        self.agent_about.set(text=load.ABOUT.get(self.agents.value, "an agent of your own"))

    def _tell_seed(self, seed: int) -> None:
        self.seed.set(text=str(seed), caret=len(str(seed)))

    def _choose_seed(self, text: str) -> None:
        if text and text != str(int(text)):  # zeros before it
            self._tell_seed(int(text))
        self.app.settings.seed = self._seed()
        if self.maps.value == RANDOM:
            self._show_map()

    def _seed(self) -> int:
        return min(int(self.seed.text or "0"), MOST_SEED)

    def _toggle_animation(self) -> None:
        self.app.animation = self.app.settings.animation = not self.app.animation
        self._say_options()

    def _toggle_fps(self) -> None:
        place = (FRAMES.index(self.app.fps) + 1) % len(FRAMES) if self.app.fps in FRAMES else 0
        self.app.fps = self.app.settings.fps = FRAMES[place]
        self._say_options()

    def _say_options(self) -> None:
        self.animation.set(text=f"Animation: {'on' if self.app.animation else 'off'}", on=self.app.animation)
        self.fps.set(text=f"{self.app.fps} frames a second")

    # --- the board that is chosen

    @property
    def preset(self) -> str:
        return self.rules.value or self._board().preset

    def _board(self) -> Board:
        return self.catalogue.board(self.maps.value, self.rules.value or self.game.presets[0].name, self._seed())

    def update(self, seconds: float) -> None:
        if self.drawing and ready(self.game):
            self._show_map()

    def _show_map(self) -> None:
        self.drawing = self.maps.value == RANDOM and not ready(self.game)
        if self.drawing:  # what draws a level is still being compiled
            self.about.set(text="Getting ready …")
            return
        board = self._board()
        shown = replace(board, preset=self.rules.value or board.preset)
        self.preview.show(self.game.ui.drawing.thumbnail(shown))
        self._describe()
        self.about.set(text="\n".join(filter(None, (board.title or board.name, *self._records(board), board.about))))

    def _records(self, board: Board) -> list[str]:
        return self.catalogue.told(board, self.rules.value or board.preset)

    # --- what the buttons do

    def _keep(self) -> None:
        """Remember the choice, also when the program should be killed later."""
        settings = self.app.settings
        self._remember()
        if trouble := settings.save():
            self.app.say(trouble)

    def play(self) -> None:
        if self.game.ui.multiplayer is None or self.drawing:
            self._begin(watch=False)
            return
        from .players import PlayersScreen

        self._keep()
        self.app.push(PlayersScreen(self.app, self.game, self._board(), lambda seats: self._begin(False, seats)))

    def watch(self) -> None:
        load.check(self.agents.value)
        self._begin(watch=True)

    def _begin(self, watch: bool, seats: Sequence[Seat] = ()) -> None:
        from .table import TableScreen

        self._keep()
        rules, agent, shelf, seed = self.rules.value, self.agents.value, self.catalogue.shelf, self._seed()

        def table() -> TableScreen:
            board = self._board()
            session = Session(self.game, board, rules or board.preset, seed=seed, seats=seats)
            return TableScreen(self.app, session, agent, watch, rules, shelf)

        go(self.app, self.game, table)

    def edit(self) -> None:
        from shoverworld.play.drawing import Drawing

        from .editor import EditorScreen

        self._keep()
        self.app.push(EditorScreen(self.app, Drawing.of(self.game, self._board(), self.preset)))

    def ask_replay(self) -> None:
        self.app.push(AskReplay(self.app, self._open_replay))

    def _open_replay(self, path: str) -> None:
        from shoverworld.play.cursor import Cursor

        from .viewer import ViewerScreen

        self.app.push(ViewerScreen(self.app, Cursor(Replay.read(expanded(path)))))

    def _open_typed(self, path: str) -> None:
        if path.strip():
            self.open_file(path)
            self.path.set(text="", caret=0)

    def open_file(self, path: str) -> None:
        """Levels of any game, a replay or an agent; an error when it is none of them."""
        path = expanded(path)
        if load.agent_file(path) is not None:
            load.check(path)
            self.app.settings.agent = path
            self._list_agents(path)
            self.say(f"The agent {path} is chosen.", "good")
            return
        try:
            self._open_replay(path)
        except NotAReplay:
            self._open_levels(path)

    def _open_levels(self, path: str) -> None:
        """Those of another game lead to it."""
        found = levels_at(path, self.game.name)
        self.choose_game(found.game.name)
        menu = self.app.screen  # that of the game
        assert isinstance(menu, MenuScreen)
        menu.take(found)

    def take(self, found: Found) -> None:
        """One level is added to the list; several are a collection."""
        packaged = [known.name for known in self.game.levels.collections()]
        if len(found.boards) == 1 and found.collection not in packaged:
            key = self.app.settings.board = self.catalogue.add(found.board)
            self._list_maps(key)
            self.say(f"{found.board.path or found.board.name} is chosen.", "good")
        else:
            self.catalogue.open(found.collection)
            shelf = self.catalogue.shelf
            place = found.place if found.place is not None else shelf.next_unsolved() or 0
            self._take(found.collection, shelf.keys[place])
            self.say(f"{shelf.title}: {len(shelf)} levels. B shows them all.", "good")

    def help(self) -> None:
        self.app.push(HelpScreen(self.app, self.game.title, HELP, [("The menu", KEYS), ("Everywhere", EVERYWHERE)]))

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        try:
            if event.type == pygame.DROPFILE:
                self.open_file(event.file)
            elif not self.form.handle(event) and event.type == pygame.KEYDOWN:
                self._key(event)
        except (ShoverWorldError, OSError) as reason:
            self.say(str(reason), "bad")

    def _key(self, event: pygame.event.Event) -> None:
        commands = {
            "return": self.play, "w": self.watch, "r": self.ask_replay, "e": self.edit, "f1": self.help,
            "b": self.browse, "n": self.next_unsolved, "g": self._next_game,
            "q": self.app.ask_to_quit, "escape": self.app.ask_to_quit,
            "left": lambda: self.form.step_focus(-1), "right": lambda: self.form.step_focus(1),
            "up": lambda: self.form.step_focus(-1), "down": lambda: self.form.step_focus(1),
        }  # fmt: skip
        command = commands.get(named(event))
        if command is not None and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            command()

    def closed(self) -> None:
        self._remember()

    def _remember(self) -> None:
        settings = self.app.settings
        if settings.game != self.game.name:
            return  # another one was chosen
        settings.preset, settings.agent = self.rules.value, self.agents.value
        settings.board, settings.seed = self.maps.value, self._seed()
        settings.collection = self.catalogue.shelf.name

    # --- what is seen

    def note_bottom(self) -> int:
        return self.status.rect.bottom

    def lay_out(self, size: tuple[int, int]) -> None:
        from .menu_layout import lay_out

        lay_out(self, size)

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self.stale:
            surface.fill(theme.GROUND)
            self.preview.refresh()
        return self.form.draw(surface, self.stale) + self.preview.draw(surface)
