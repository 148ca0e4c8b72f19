"""The menu for choosing the game, the level, the rules and the agent. The previous choice is remembered."""

from collections.abc import Sequence
from dataclasses import replace

import pygame
from pygame import Rect

from shoverworld.agents import load
from shoverworld.core.errors import ConfigError, NotAReplay, ShoverWorldError
from shoverworld.core.level_files import about_skipped
from shoverworld.core.replay import Replay
from shoverworld.core.rules_text import asked_rules, rules_in_list, rules_on
from shoverworld.core.ui import Board, count
from shoverworld.games import all_games, game_named
from shoverworld.play import unfinished
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.clipboard import pasted
from shoverworld.play.commands import worded
from shoverworld.play.edit_session import EditSession
from shoverworld.play.guard import thumbnail
from shoverworld.play.levels import LevelList
from shoverworld.play.places import Found
from shoverworld.play.players import Player
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.unfinished import Unfinished

from . import theme
from .app import App, WindowScreen
from .browser import BrowserScreen
from .clipboard import CLIPBOARD
from .dialog import ask_to_continue
from .editor import EditorScreen
from .help import EVERYWHERE, HelpScreen
from .input import commanded, control_name, named
from .lists import ListBox, ListItem
from .menu_layout import HELP, KEYS, lay_out
from .menu_levels import RANDOM, MenuLevels
from .open_file import AskReplay, expanded, levels_at
from .players import PlayersScreen
from .settings_dialog import SettingsDialog
from .start import go, offer, ready
from .table import TableScreen, open_pasted, watch
from .view import BoardView
from .viewer import ViewerScreen
from .widgets import Button, Form, Label, TextField


class MenuScreen(WindowScreen):
    """The screen on which the player chooses a game. `message` is shown when the screen opens, for example to report
    that a file was renamed."""

    def __init__(self, app: App, message: str | None = None):
        super().__init__(app)
        settings = app.settings
        if settings.game not in all_games():
            settings.game = next(iter(all_games()))
        self.game = game_named(settings.game)
        self.levels = MenuLevels(self.game, app.records, app.guard)
        self.preview = BoardView(self.game)
        self.title = Label(self.game.title, theme.HUGE)
        self.goal = Label(self.game.goal, colour=theme.SOFT)
        self.games = [Button(game_named(game).title, lambda game=game: self.choose_game(game)) for game in all_games()]
        for game, tab in zip(all_games(), self.games, strict=True):
            tab.set(on=game == self.game.name)
        self.collection = Button("", self.browse, "B")
        self.maps = ListBox([], changed=self._choose_map, picked=lambda _: self.play(), row_height=58)
        self.rules = ListBox(
            self._rules_items(), changed=self._choose_rules, picked=lambda _: self.play(), row_height=26
        )
        self.agents = ListBox([], changed=self._choose_agent, picked=lambda _: self.play(), row_height=26)
        self.path = TextField(
            placeholder=f"path of a {self.game.level_word}, replay or agent file (or drop it here)",
            done=self._open_typed,
        )
        self.level_title, self.about = Label(size=theme.LARGE), Label(colour=theme.SOFT)
        self.rules_about, self.agent_about = Label("", theme.SMALL, theme.SOFT), Label("", theme.SMALL, theme.SOFT)
        self.status = Label(colour=theme.WARN)
        self.left = unfinished.latest(self.game)
        self.buttons = [
            Button("Play", self.play, "Enter", strong=True),
            *([Button("Continue", self.resume, "T")] if self.left else []),
            Button("Watch agent", self.watch, "W"),
            Button("Replay", self.ask_replay, "R"),
            Button("Edit", self.edit, "E"),
            Button("Settings", self.change_settings, "S"),
            Button("Keys", self.help, "F1"),
            Button("Quit", app.ask_to_quit, "Q"),
        ]
        self.heads = {name: Label(name, theme.SMALL, theme.SOFT) for name in ("Level", "Rules", "Agent")}
        self.heads["Level"].set(text=self.game.level_word.capitalize())
        self.form = Form(
            [
                self.maps, self.path, self.rules, self.agents, self.collection,
                *self.games, *self.buttons, self.title, self.goal, self.level_title, self.about, self.status,
                *self.heads.values(),
                self.rules_about, self.agent_about,
            ]
        )  # fmt: skip
        self.waiting = False  # whether the picture of a random level is delayed until the game is compiled
        self.form.focus(self.maps)
        self.rules.choose(next((n for n, item in enumerate(self.rules.items) if item.value == self._saved_rules()), 0))
        self._open_collection(settings.collection)
        self._list_agents(settings.agent)
        self._list_maps(settings.board)
        if self.left is not None:
            self.say(f"Press T to continue {self.left.title} ({self.left.moves} so far).", "good")
        if message:
            self.say(message)
        ready(self.game)  # start the compilation

    def opened(self) -> None:
        theme.set_caption(self.game.title)
        self._list_maps(self.app.settings.board)
        offer(self.app)

    def say(self, text: str, tone: str = "warn") -> None:
        self.status.set(text=text, colour=theme.TONES[tone])

    # --- lists

    def _rules_items(self) -> list[ListItem]:
        names = [preset.name for preset in self.game.presets]
        if (chosen := self._saved_rules()) and chosen not in names:
            names.append(chosen)  # modified rules from the command line
        return [ListItem("", f"the rules of the {self.game.level_word}"), *(ListItem(name, name) for name in names)]

    def _saved_rules(self) -> str:
        """Return the rules in the settings, or "" if this version of the game does not have these rules."""
        try:
            return asked_rules(self.game, self.app.settings.preset)
        except ConfigError:
            return ""

    def _list_agents(self, chosen: str) -> None:
        names = list(self.game.agent_names)
        if chosen and chosen not in names:
            names.append(chosen)  # one of the player's own files
        place = names.index(chosen) if chosen in names else 0
        self.agents.fill([ListItem(name, name) for name in names], place)
        if self.maps.items:
            self._describe()

    def _list_maps(self, chosen: str) -> None:
        """List the levels with the player's results under the chosen rules."""
        if chosen and chosen != RANDOM and chosen not in self.levels.names():
            try:
                self.levels.add(self.game.levels.read(chosen))
            except ShoverWorldError as reason:  # the file no longer exists or no longer contains a level
                self.say(str(reason))
        names = self.levels.names()
        self.maps.fill(
            self.levels.items(self.rules.value, self.app.settings.seed), names.index(chosen) if chosen in names else 1
        )
        levels = self.levels.list
        self.collection.set(text=f"{levels.title} · {levels.progress}")
        self._show_map()

    def _open_collection(self, name: str) -> None:
        """Open the most recently used collection if it still exists."""
        if name:
            try:
                self.levels.open(name)
            except ShoverWorldError as reason:
                self.say(str(reason))

    def choose_game(self, game: str) -> None:
        """Switch to the menu for another game."""
        if game != self.game.name:
            self._remember()
            self.app.settings.switch(game)
            self.app.go(MenuScreen(self.app))

    def _next_game(self) -> None:
        games = list(all_games())
        self.choose_game(games[(games.index(self.game.name) + 1) % len(games)])

    def browse(self) -> None:
        """Show all levels in the collection as pictures."""
        levels = self.levels.list
        place = levels.keys.index(self.maps.value) if self.maps.value in levels.keys else None
        self.app.push(BrowserScreen(self.app, LevelBrowser(levels, place, self.app.guard), self._play_from))

    def _play_from(self, levels: LevelList, place: int) -> None:
        """Play a level that was chosen in the browser."""
        self._take(levels.name, levels.keys[place])
        self.play()

    def _take(self, collection: str, key: str) -> None:
        settings = self.app.settings
        self.levels.open(collection)
        settings.collection, settings.board = self.levels.list.name, key
        self._list_maps(key)

    def next_unsolved(self) -> None:
        levels = self.levels.list
        place = levels.next_unsolved(levels.keys.index(self.maps.value) if self.maps.value in levels.keys else None)
        if place is None:
            self.say("All {levels} in this collection are {solved}.".format(**self.game.words), "good")
        else:
            self._take(levels.name, levels.keys[place])

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
        """Describe the chosen rules and the chosen agent."""
        own = self.game.presets[0].name if self.maps.value == RANDOM else self._board().preset
        rules = rules_in_list(self.game, own, self.rules.value)
        about = next((preset.about for preset in self.game.presets if preset.name == rules.partition(",")[0]), "")
        self.rules_about.set(text=about if self.rules.value == rules else f"{rules}: {about}")
        self.agent_about.set(text=load.about(self.agents.value, self.game.name))

    def change_settings(self) -> None:
        self.app.push(SettingsDialog(self.app))

    # --- the chosen board

    @property
    def preset(self) -> str:
        return rules_in_list(self.game, self._board().preset, self.rules.value)

    def _board(self) -> Board:
        usual = rules_in_list(self.game, self.game.presets[0].name, self.rules.value)
        return self.levels.board(self.maps.value, usual, self.app.settings.seed)

    def update(self, seconds: float) -> None:
        if self.waiting and ready(self.game):
            self._show_map()

    def _show_map(self) -> None:
        self.waiting = self.maps.value == RANDOM and not ready(self.game)
        if self.waiting:
            self.level_title.set(text="Getting ready …")
            return
        board = self._board()
        shown = replace(board, preset=rules_in_list(self.game, board.preset, self.rules.value))
        scene = thumbnail(self.game, shown, self.app.guard)
        if scene is not None:
            self.preview.show(scene)
        self._describe()
        self.level_title.set(text=board.title or board.name)
        self.about.set(text="\n".join(filter(None, (*self._records(board), board.about))))

    def _records(self, board: Board) -> list[str]:
        return self.levels.results(board, rules_in_list(self.game, board.preset, self.rules.value))

    # --- commands

    def _keep(self) -> None:
        """Save the choice now, because the program may be killed later."""
        settings = self.app.settings
        self._remember()
        if trouble := settings.save():
            self.app.say(trouble)

    def play(self) -> None:
        if self.game.ui.multiplayer is None or self.waiting:
            self._begin(watch=False)
            return
        self._keep()
        left = unfinished.left_on(self.game, self._board(), self.preset)
        if left is None:
            self._ask_players()
        else:
            ask_to_continue(self.app, left, lambda: self._resume(left), self._ask_players)

    def _ask_players(self) -> None:
        self.app.push(PlayersScreen(self.app, self.game, self._board(), lambda players: self._begin(False, players)))

    def watch(self) -> None:
        load.check(self.agents.value)
        self._begin(watch=True)

    def _begin(self, watch: bool, players: Sequence[Player] = ()) -> None:
        self._keep()
        rules, agent, levels, seed = self.rules.value, self.agents.value, self.levels.list, self.app.settings.seed
        if self.maps.value != RANDOM:
            rules_on(self.game, self._board().preset, rules)  # raises an error if these rules do not suit the level

        def table() -> TableScreen:
            board = self._board()
            session = Session(self.game, board, rules_on(self.game, board.preset, rules), seed=seed, players=players)
            return TableScreen(self.app, session, agent, watch, rules, levels)

        go(self.app, self.game, table)

    def resume(self) -> None:
        """Continue the game that the player left most recently."""
        if self.left is not None:
            self._resume(self.left)

    def _resume(self, left: Unfinished) -> None:
        self._keep()
        rules, agent, levels = self.rules.value, self.agents.value, self.levels.list
        go(self.app, self.game, lambda: TableScreen(self.app, left.resume(), agent, False, rules, levels))

    def paste(self) -> None:
        """Open the level or the replay in the clipboard."""
        found = pasted(CLIPBOARD.get(), self.game)
        if isinstance(found, Replay):
            watch(self.app, found)
        else:
            open_pasted(self.app, found)

    def edit(self) -> None:
        self._keep()
        self.app.push(EditorScreen(self.app, EditSession.of(self.game, self._board(), self.preset)))

    def ask_replay(self) -> None:
        self.app.push(AskReplay(self.app, self._open_replay))

    def _open_replay(self, path: str) -> None:
        self.app.push(ViewerScreen(self.app, ReplayCursor(Replay.read(expanded(path)))))

    def _open_typed(self, path: str) -> None:
        if path.strip():
            self.open_file(path)
            self.path.set(text="", caret=0)

    def open_file(self, path: str) -> None:
        """Open levels for any game, a replay or an agent. Raise an error if the file contains none of these."""
        path = expanded(path)
        if load.agent_file(path) is not None:
            load.check(path)
            self.app.settings.agent = path
            self._list_agents(path)
            self.say(f"Chosen agent: {path}", "good")
            return
        try:
            self._open_replay(path)
        except NotAReplay:
            self._open_levels(path)

    def _open_levels(self, path: str) -> None:
        """Open levels; if they belong to another game, open the menu for that game."""
        found = levels_at(path, self.game.name)
        self.choose_game(found.game.name)
        menu = self.app.screen  # the menu for that game
        assert isinstance(menu, MenuScreen)
        menu.take(found)

    def take(self, found: Found) -> None:
        """Add a single level to the list; open several levels as a collection."""
        packaged = [known.name for known in self.game.levels.collections()]
        if len(found.boards) == 1 and found.collection not in packaged:
            key = self.app.settings.board = self.levels.add(found.board)
            self._list_maps(key)
            text = f"Chosen {self.game.level_word}: {found.board.path or found.board.name}"
        else:
            self.levels.open(found.collection)
            levels = self.levels.list
            place = found.place if found.place is not None else levels.next_unsolved() or 0
            self._take(found.collection, levels.keys[place])
            text = f"{levels.title}: {count(len(levels), self.game.level_word)}. Press B to see them all."
        skipped = about_skipped(found.skipped)
        self.say(f"{skipped} · {text}" if skipped else text, "warn" if skipped else "good")

    def help(self) -> None:
        sections = [("Menu", worded(KEYS, self.game)), ("Everywhere", EVERYWHERE)]
        self.app.push(HelpScreen(self.app, self.game.title, HELP.format(**self.game.words), sections))

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
        if named(event) == "escape" and isinstance(self.form.focused, TextField):
            self.form.focus(self.maps)  # Esc only leaves the field
            return
        commands = {
            "return": self.play, "t": self.resume, "w": self.watch, "r": self.ask_replay, "e": self.edit, "f1": self.help,
            "b": self.browse, "n": self.next_unsolved, "g": self._next_game, "s": self.change_settings,
            "q": self.app.ask_to_quit, "escape": self.app.ask_to_quit,
            "left": lambda: self.form.step_focus(-1), "right": lambda: self.form.step_focus(1),
            "up": lambda: self.form.step_focus(-1), "down": lambda: self.form.step_focus(1),
        }  # fmt: skip
        command = commands.get(named(event))
        if control_name(event) == "ctrl+v":
            self.paste()
        elif command is not None and not commanded(event):
            command()

    def closed(self) -> None:
        self._remember()

    def _remember(self) -> None:
        settings = self.app.settings
        if settings.game != self.game.name:
            return  # another game was chosen
        settings.preset, settings.agent = self.rules.value, self.agents.value
        settings.board = self.maps.value
        settings.collection = self.levels.list.name

    # --- drawing

    def note_bottom(self) -> int:
        return self.status.rect.bottom

    def lay_out(self, size: tuple[int, int]) -> None:
        lay_out(self, size)

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        if self.stale:
            surface.fill(theme.GROUND)
            self.preview.refresh()
        return self.form.draw(surface, self.stale) + self.preview.draw(surface)
