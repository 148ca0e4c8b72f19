"""The replay viewer: play, pause or step through a replay, save it as a video, or continue the game."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.links import link_to
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Figure, KeyHelp, Motion, count
from shoverworld.play import film
from shoverworld.play.board import keep_overlays, overlay_marks, shown_overlays
from shoverworld.play.commands import command_named, overlay_keys
from shoverworld.play.files import new_path
from shoverworld.play.links import position_of_cursor
from shoverworld.play.replay_cursor import ReplayCursor

from . import theme, transport
from .app import App, WindowScreen
from .clipboard import CLIPBOARD
from .dialog import Ask
from .figures import figure_blocks
from .help import EVERYWHERE, HelpScreen
from .input import named
from .markers import MARKERS, Legend
from .move_list import MoveList
from .panel import Block, Heading, Keys, Line, Panel, Space, Switch, Switches, Words
from .table_view import LEAST, split
from .transport import Transport
from .view import BoardView

STEP_SECONDS = 0.45  # duration of a move at normal speed
FAR = 10  # moves skipped by Page Up and Page Down
AHEAD = 16  # moves shown by the plan overlay
KEYS = (
    KeyHelp(("space",), "play or pause; at the end, play again"),
    KeyHelp(("right", "left"), "go one move forward or back"),
    KeyHelp(("page down", "page up"), f"go {FAR} moves forward or back"),
    KeyHelp(("down", "up"), "go to the next or previous marker"),
    KeyHelp(("home", "end"), "go to the start or the end"),
    KeyHelp(("+", "-"), "change the speed"),
    KeyHelp(("e",), "export: choose GIF, MP4 or PNG"),
    KeyHelp(("g",), "save an animated GIF"),
    KeyHelp(("v",), "save an MP4 video (needs ffmpeg)"),
    KeyHelp(("s",), "save a picture (PNG) of this position"),
    KeyHelp(("c", "ctrl+c"), "copy the moves as text"),
    KeyHelp(command_named("copy link").keys, command_named("copy link").help),
    KeyHelp(("t",), "continue the game from here"),
    KeyHelp(("tab",), "open the next file"),
    KeyHelp(("escape", "q"), "cancel saving, or go back"),
)


class ViewerScreen(WindowScreen):
    """Shows a replay. `more` contains other replays, which the player can open with Tab."""

    def __init__(self, app: App, cursor: ReplayCursor, more: Sequence[Replay] = ()):
        super().__init__(app)
        self.replays, self.which = [cursor.replay, *more], 0
        self.export: film.FilmExport | None = None
        self.panel = Panel()
        self._size = app.surface.get_size()
        self._open(cursor)

    def _open(self, cursor: ReplayCursor) -> None:
        self.cursor, self.game = cursor, cursor.game
        self.overlays = shown_overlays(self.game, self.app.settings)
        self.playing, self._due = False, 0.0
        self.view = BoardView(self.game, rulers=True, least=LEAST if self.game.ui.multiplayer else 1)
        presses = {
            "start": lambda: self._jump(0),
            "back": lambda: self._jump(self.cursor.place - 1),
            "play": self.toggle,
            "forward": self._step,
            "end": lambda: self._jump(self.cursor.last),
        }
        self.transport = Transport(
            cursor.last,
            cursor.markers,
            self._jump,
            presses,
            lambda: self._faster(0.5),
            lambda: self._faster(2.0),
            self.ask_format,
        )
        self._show(None)
        self.lay_out(self._size)
        theme.set_caption(f"{self.name} - {self.game.title}")

    @property
    def name(self) -> str:
        """The name of the file, or the name of the map if the replay is not in a file."""
        source = Path(self.cursor.replay.source)
        return source.stem if source.is_file() else self.cursor.map_name or source.stem

    @property
    def title(self) -> str:
        return self.cursor.title or self.name

    def lay_out(self, size: tuple[int, int]) -> None:
        self._size, (width, height) = size, size
        room, self.panel.rect = split(Rect(0, 0, width, height), size, (0.3, 0.45), self.view.shape, transport.HEIGHT)
        self.transport.lay_out(Rect(0, room.bottom - transport.HEIGHT, room.width, transport.HEIGHT))
        room.height = max(1, room.height - transport.HEIGHT)
        self.view.area = room.inflate(-2 * theme.GAP, -2 * theme.GAP)
        self.stale = self.panel.stale = True
        self._refresh()

    def note_bottom(self) -> int:
        return self.view.area.bottom

    # --- positions

    def toggle(self) -> None:
        """Play or pause."""
        if not self.playing and self.cursor.place == self.cursor.last:
            self._jump(0)
        self.playing, self._due = not self.playing, STEP_SECONDS / 2
        self._refresh()

    def _jump(self, place: int) -> None:
        self.playing = False
        self._go(place)

    def _step(self) -> None:
        """Go one move forward, and animate the move."""
        self.playing = False
        self._go(self.cursor.place + 1, motion=True)

    def _go(self, place: int, motion: bool = False) -> None:
        before, old = self.cursor.place, self.cursor.state
        self.cursor.go(place)
        if self.cursor.place != before:
            moves = motion and self.app.animation
            self._show(self.game.ui.drawing.motion(old, self.cursor.state) if moves else None)
        self._refresh()

    def _show(self, motion: Motion | None) -> None:
        self.view.show(self.game.ui.drawing.scene(self.cursor.state), motion)
        self._mark()

    def _mark(self) -> None:
        cursor = self.cursor
        states = cursor.states[: cursor.place + 1]
        marks = overlay_marks(self.game, self.overlays, cursor.env, states, cursor.ahead(AHEAD), self.app.guard)
        self.view.marks(marks)

    def _next_mark(self, by: int) -> None:
        places = sorted({place for place, _ in self.cursor.markers} | {0, self.cursor.last}, reverse=by < 0)
        self._jump(next((place for place in places if (place - self.cursor.place) * by > 0), self.cursor.place))

    def _faster(self, times: float) -> None:
        self.app.settings.change_speed(times)
        self._refresh()

    def update(self, seconds: float) -> None:
        speed = self.app.settings.speed
        self.view.speed = max(1.0, speed)
        self.view.update(seconds)
        if self.playing:
            self._due += seconds * speed
            moves = int(self._due / STEP_SECONDS)
            if moves:
                self._due -= moves * STEP_SECONDS
                self._go(self.cursor.place + moves, motion=moves == 1)
                if self.cursor.place == self.cursor.last:
                    self.playing = False
                self._refresh()
        self._poll_export()

    # --- text

    def _refresh(self) -> None:
        self.transport.show(self.cursor.place, self.playing, self.app.settings.speed)
        self.panel.show(self._blocks())

    def _blocks(self) -> list[Block]:
        cursor, replay = self.cursor, self.cursor.replay
        about = [f"{self.which + 1} of {len(self.replays)}"] if len(self.replays) > 1 else []
        about += [self.name] if self.name != self.title else ["a replay"]
        blocks: list[Block] = [Heading(self.title, ", ".join(about))]
        if self.export is not None:
            share = self.export.share
            blocks.append(Line(Figure("Saving", f"{self.export.path.name} {share:.0%}", share), 0))
            blocks.append(Words("Press Esc to cancel.", tone="soft", rank=0))
        figures = self.game.ui.texts.figures(cursor.env, cursor.state, None)
        blocks += figure_blocks(figures)
        if self.game.ui.multiplayer is not None and len(cursor.players) > 1:
            names = [player.name for player in cursor.players]
            blocks += [
                Line(figure, 2) for figure in self.game.ui.multiplayer.standings(cursor.env, cursor.state, names)
            ]
        blocks += [Space(), *(Line(figure, 3) for figure in self._game())]
        turn = cursor.turn
        if turn is None:
            blocks += [Space(), Words(replay.comment or "The start of the game.", tone="soft", rank=2)]
        else:
            said = turn.move.words[:1].upper() + turn.move.words[1:]
            blocks += [Space(), Words(said, f"Move {cursor.place}", "warn" if turn.why else "", 1)]
        if (moves := cursor.written(self.app.guard)) is not None and any((*moves.before, *moves.after)):
            blocks += [Space(), MoveList(moves)]
        overlays = self.game.ui.overlays.overlays
        switches = [Switch(overlay.key, overlay.name, overlay.key in self.overlays) for overlay in overlays]
        marked = {kind for _, kind in cursor.markers}
        legend = Legend(tuple(kind for kind in MARKERS if kind in marked))
        return [*blocks, Space(), Switches(tuple(switches)), Keys(self._other_keys()), legend]

    def _game(self) -> list[Figure]:
        """Return a summary of the whole game: the rules, the player and the result."""
        cursor, replay = self.cursor, self.cursor.replay
        figures = [Figure("Rules", cursor.board.preset)]
        figures += [Figure("Played by", replay.player)] if replay.player else []
        figures += [Figure("Help from", replay.notes["help"])] if "help" in replay.notes else []
        figures += [Figure("Date", replay.date)] if replay.date else []
        tone = "good" if cursor.score is not None else "bad" if cursor.outcome else ""
        if len(cursor.players) > 1:  # each player has their own steps
            made = count(replay.steps, "move")
        else:
            made = count(int(replay.end.figures.get("steps", replay.steps)), "step")
        return [*figures, Figure("Result", f"{cursor.outcome or 'not over'}, {made}", tone=tone)]

    def _other_keys(self) -> tuple[tuple[str, str], ...]:
        more = [("tab", "next file")] if len(self.replays) > 1 else []
        return (("t", "continue the game"), *more, ("f1", "help"))

    # --- saving

    def ask_format(self) -> None:
        """Ask for the export format."""
        self.playing = False
        self._refresh()
        formats: list[tuple[str, Callable[[], object] | None]] = [("GIF", lambda: self._save_film(".gif"))]
        if film.ffmpeg() is not None:
            formats.append(("MP4", lambda: self._save_film(".mp4")))
        formats += [("PNG", self._save_picture), ("Cancel", None)]
        text = "GIF and MP4 show the whole game. PNG shows this position."
        self.app.push(Ask(self.app, "Export", text, formats))

    def _save_film(self, ending: str) -> None:
        if self.export is not None:
            self.app.say(f"{self.export.path.name} is still being saved. Press Esc to cancel.")
            return
        if ending == ".mp4" and film.ffmpeg() is None:
            self.app.say("MP4 needs ffmpeg, which is not installed or not in PATH. Press G to save a GIF.")
            return
        what = film.film_of([(self.game, self.cursor.states)], ending, 960 if ending == ".mp4" else 640)
        self.export = film.FilmExport(what, self._path(ending))
        self._refresh()

    def _poll_export(self) -> None:
        export = self.export
        if export is None:
            return
        if export.over:
            self.export = None
            what = f"Saved {export.path}" if not export.cancelled else f"Saving {export.path.name} was cancelled."
            self.app.say(export.error or what)
        self._refresh()

    def _save_picture(self) -> None:
        picture = film.still(self.game, self.cursor.state, rulers=True)
        path = self._path(".png", f"-{self.cursor.place}")
        self.app.say(f"Saved {film.save_png(picture, path)}")

    def _path(self, ending: str, place: str = "") -> Path:
        """Return a new path next to the replay, or in the player's folder if the replay is not in a file or its
        folder is read-only."""
        source = Path(self.cursor.replay.source).absolute()
        if not source.is_file() or not os.access(source.parent, os.W_OK):
            return new_path("films", f"{self.name}{place}", ending)
        path, number = source.with_name(f"{self.name}{place}{ending}"), 1
        while path.exists():
            number += 1
            path = source.with_name(f"{self.name}{place}-{number}{ending}")
        return path

    # --- events

    def handle(self, event: pygame.event.Event) -> None:
        if (key := self.panel.pressed(event)) is not None:
            self._key(key)
        elif self.transport.handle(event):
            if self.transport.timeline.held and self.playing:
                self.toggle()
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self._jump(self.cursor.place - event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.view.area.collidepoint(event.pos):
            self.toggle()
        elif event.type == pygame.KEYDOWN:
            self._key(named(event))

    def _key(self, name: str) -> None:
        place = self.cursor.place
        actions = {
            "space": self.toggle,
            "return": self.toggle,
            "right": self._step,
            "left": lambda: self._jump(place - 1),
            "page down": lambda: self._jump(place + FAR),
            "page up": lambda: self._jump(place - FAR),
            "down": lambda: self._next_mark(1),
            "up": lambda: self._next_mark(-1),
            "home": lambda: self._jump(0),
            "end": lambda: self._jump(self.cursor.last),
            "+": lambda: self._faster(2.0),
            "-": lambda: self._faster(0.5),
            "e": self.ask_format,
            "g": lambda: self._save_film(".gif"),
            "v": lambda: self._save_film(".mp4"),
            "s": self._save_picture,
            "c": self.copy_moves,
            command_named("copy link").keys[0]: self.copy_link,
            "t": self.take_over,
            "tab": self._next_file,
            "f1": self._help,
            "escape": self._leave,
            "q": self._leave,
        }
        if name in actions:
            actions[name]()
        elif any(overlay.key == name for overlay in self.game.ui.overlays.overlays):
            self.overlays ^= {name}
            keep_overlays(self.game, self.app.settings, self.overlays)
            self._mark()
            self._refresh()

    def copy_moves(self) -> None:
        moves = self.cursor.written(self.app.guard)
        symbols = () if moves is None else tuple(filter(None, (*moves.before, *moves.after)))
        if moves is None or not symbols:
            self.app.say("There are no moves to copy.")
            return
        CLIPBOARD.put(moves.separator.join(symbols))
        self.app.say(f"Copied {count(len(symbols), 'move')} to the clipboard.")

    def copy_link(self) -> None:
        try:
            link = link_to(position_of_cursor(self.cursor), self.cursor.place)
            CLIPBOARD.put(link)
        except ShoverWorldError as reason:
            self.app.say(str(reason))
        else:
            self.app.say(f"Copied a link to move {self.cursor.place} to the clipboard.")

    def take_over(self) -> None:
        """Continue the game from here. Esc goes back to the replay."""
        from .table import ContinuedTable

        self.playing = False
        self._refresh()
        self.app.push(ContinuedTable(self.app, self.cursor.session()))

    def _next_file(self) -> None:
        if len(self.replays) < 2:
            self.app.say("Only one file is open. To open several, run `shover replay *.replay`.")
            return
        self.which = (self.which + 1) % len(self.replays)
        self._open(ReplayCursor(self.replays[self.which]))

    def _help(self) -> None:
        text = (
            "Click or drag on the timeline to jump to a move. Click the board to play or pause. "
            "Markers on the timeline: "
            + ", ".join(f"{marker.shape}: {marker.name}" for marker in MARKERS.values())
            + "."
        )
        sections = [("Replay", KEYS), ("Overlays", overlay_keys(self.game)), ("Everywhere", EVERYWHERE)]
        self.playing = False
        self._refresh()
        self.app.push(HelpScreen(self.app, "Watching a replay", text, sections))

    def _leave(self) -> None:
        if self.export is not None:
            self.export.cancel()
        else:
            self.app.pop()

    def opened(self) -> None:
        self._mark()
        self._refresh()

    def closed(self) -> None:
        if self.export is not None:
            self.export.close()

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        whole = self.stale
        if whole:
            surface.fill(theme.GROUND)
            self.view.refresh()
            self.panel.stale = True
        return [*self.view.draw(surface), *self.panel.draw(surface), *self.transport.draw(surface, whole)]
