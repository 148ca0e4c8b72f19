"""The window and its loop, which handles events, updates the screen and draws it, thirty times a second by default.

The effect of a key is visible in the frame that handles it. Screens form a stack; the topmost one gets the events. Each
screen reports the areas that it has redrawn, and only these areas are sent to the display.
"""

import gc
import io
import os
from collections.abc import Sequence
from pathlib import Path

import pygame
from pygame import Rect

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.files import write_safely
from shoverworld.play.files import new_path
from shoverworld.play.guard import Guard
from shoverworld.play.records import Records
from shoverworld.play.settings import Settings

from . import theme

LONGEST = 0.25  # maximum time step per frame in seconds, so that nothing jumps after a pause
SMALLEST = (320, 240)  # minimum size of the window in pixels
# A note is shown for NOTE_SECONDS, plus A_LETTER seconds for each character after the first READ_AT_ONCE.
NOTE_SECONDS, READ_AT_ONCE, A_LETTER = 3.0, 60, 0.03
# After these events, the content of the window is undefined, even if the size of the window has not changed.
_DRAWN_ANEW = (
    pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSHOWN, pygame.WINDOWSIZECHANGED, pygame.VIDEORESIZE,
)  # fmt: skip
# Keys that repeat while they are held down.
REPEATING = {"up", "down", "left", "right", "page up", "page down", "home", "end", "backspace", "delete"} | set(
    "wasduy,.+-="
)


class WindowScreen:
    """A screen in the window, such as the menu or a dialog. If `stale` is set, the whole screen must be redrawn."""

    over = False  # whether part of the screen below stays visible

    def __init__(self, app: "App"):
        self.app = app
        self.stale = True

    def lay_out(self, size: tuple[int, int]) -> None:
        """Lay out the screen. Called before the screen is first drawn and whenever the window changes size."""

    def handle(self, event: pygame.event.Event) -> None: ...

    def update(self, seconds: float) -> None: ...

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        """Draw what has changed (everything if `stale`), and return the areas that were drawn."""
        return []

    def note_bottom(self) -> int | None:
        """Return the y coordinate above which notes are shown, so that they do not cover buttons. None stands for
        the bottom of the window."""
        return None

    def closing(self) -> bool:
        """Return whether the window may be closed immediately. If not, ask the player, and call `app.quit()` if the
        player agrees."""
        return True

    def opened(self) -> None:
        """Called when this screen becomes the topmost one."""

    def closed(self) -> None:
        """Stop background work. Called when this screen leaves the stack."""

    def crashed(self) -> None:
        """Save unsaved work if possible. Called when the program ends because of an error."""


class App:
    """Opens the window and runs the loop."""

    def __init__(
        self,
        settings: Settings,
        size: tuple[int, int] | None = None,
        fps: int | None = None,
        animation: bool | None = None,
    ):
        self.settings = settings
        self.fps: int = settings.fps if fps is None else fps
        self.animation: bool = settings.animation if animation is None else animation
        self.screens: list[WindowScreen] = []
        self.running = True
        self.guard = Guard(self.say)
        self.has_offered = False  # whether unsaved work from earlier runs has been offered
        self._records: Records | None = None
        self.note, self._note_left, self.note_rect = "", 0.0, Rect(0, 0, 0, 0)
        self._held: set[int] = set()
        self._typed = (
            False  # whether to discard the character from the last key press, so that a new screen does not receive it
        )
        wanted = size or (settings.width, settings.height)
        self.surface = _window((max(wanted[0], SMALLEST[0]), max(wanted[1], SMALLEST[1])))
        self._size = self.surface.get_size()
        self._clock = pygame.time.Clock()

    # --- the stack

    @property
    def screen(self) -> WindowScreen:
        """The topmost screen."""
        return self.screens[-1]

    def go(self, screen: WindowScreen) -> None:
        """Replace all screens with this one."""
        left, self.screens = self.screens, []
        for old in reversed(left):
            old.closed()
        self.push(screen)

    def push(self, screen: WindowScreen) -> None:
        """Put this screen on top."""
        self.screens.append(screen)
        screen.lay_out(self.surface.get_size())
        screen.opened()
        self.refresh()

    def pop(self) -> None:
        """Go back to the screen below. If this is the last screen, the program ends."""
        self.remove(self.screen)

    def remove(self, screen: WindowScreen) -> None:
        """Remove a screen from any position in the stack."""
        was_on_top = screen is self.screen
        self.screens.remove(screen)
        screen.closed()
        if not self.screens:
            self.running = False
            return
        if was_on_top:
            self.screen.opened()
        self.refresh()

    def refresh(self) -> None:
        """Mark all screens to be redrawn completely in this frame."""
        for screen in self.screens:
            screen.stale = True

    def quit(self) -> None:
        """End the program without asking the player."""
        self.running = False

    def ask_to_quit(self) -> None:
        """End the program, unless a screen has to ask the player first."""
        if all(screen.closing() for screen in reversed(list(self.screens))):
            self.quit()

    def say(self, text: str) -> None:
        """Show a note for a few seconds, for example to report where a file was saved."""
        if self.note and not self.note_rect:  # the previous note has not been shown yet
            text = self.note if text in self.note else f"{self.note} {text}"
        elif self.note:
            self.refresh()  # the size of the note changes
        self.note, self._note_left = text, NOTE_SECONDS + A_LETTER * max(0, len(text) - READ_AT_ONCE)
        self.note_rect = Rect(0, 0, 0, 0)

    @property
    def records(self) -> Records:
        """The player's best results, which are read from disk on first use."""
        if self._records is None:
            self._records, message = Records.load()
            if message:
                self.say(message)
        return self._records

    # --- the loop

    def run(self) -> int:
        """Run until the player quits, then save the settings."""
        screen = None
        try:
            while self.running:
                if self.screens and self.screen is not screen:
                    screen = self.screen
                    gc.unfreeze()  # free objects from earlier screens
                    gc.collect()
                    gc.freeze()  # do not scan long-lived objects again, so that no frame is delayed
                self.frame()
                self._clock.tick(self.fps)
        finally:
            self.close()
        return 0

    def frame(self, seconds: float | None = None) -> list[Rect]:
        """Run one iteration of the loop, and return the areas that were redrawn. `seconds` is the time since the last
        frame; by default, it is measured."""
        if seconds is None:
            seconds = min(self._clock.get_time() / 1000 or 1 / self.fps, LONGEST)
        try:
            for event in pygame.event.get():
                self._hear(event)
            if not self.running or not self.screens:
                return []
            self._fit()
            self._pass(seconds)
            return self._show()
        except BaseException:
            for screen in reversed(self.screens):
                screen.crashed()
            raise

    def close(self) -> None:
        """Save the settings and close the window."""
        for screen in reversed(self.screens):
            screen.closed()
        self.screens = []
        if pygame.display.get_init():
            theme.forget()
            pygame.display.quit()
            self.settings.save()  # an error message is ignored, because the window is already closed

    def _hear(self, event: pygame.event.Event) -> None:
        if not self.running:
            return
        if event.type == pygame.QUIT:
            self.ask_to_quit()
        elif event.type in _DRAWN_ANEW:
            self.refresh()
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._held.clear()
            self._tell(event)
        elif event.type == pygame.TEXTINPUT and self._typed:
            self._typed = False
        elif event.type == pygame.KEYUP:
            self._held.discard(event.key)
            self._typed = False
            self._tell(event)
        elif event.type == pygame.KEYDOWN:
            again = event.key in self._held
            self._held.add(event.key)
            if again and pygame.key.name(event.key) not in REPEATING:
                return
            if event.key == pygame.K_F12:
                try:
                    self.screenshot()
                except (OSError, pygame.error) as reason:
                    self.say(f"The screenshot failed: {reason}")
            elif event.key == pygame.K_F11:
                self._toggle_fullscreen()
            else:
                before, self._typed = self.screen, False
                self._tell(event)
                self._typed = self._typed or (bool(self.screens) and self.screen is not before)
        else:
            self._tell(event)

    def drop_letter(self) -> None:
        """Discard the letter of the current key, because the key was a command and must not change a text field."""
        self._typed = True

    def _tell(self, event: pygame.event.Event) -> None:
        try:
            self.screen.handle(event)
        except (ShoverWorldError, OSError) as error:  # the command failed
            self.say(str(error))

    def _pass(self, seconds: float) -> None:
        """Update the note and the topmost screen."""
        if self.note:
            self._note_left -= seconds
            if self._note_left <= 0:
                self.note = ""
                self.refresh()
        try:
            self.screen.update(seconds)
        except (ShoverWorldError, OSError) as error:
            self.say(str(error))

    def _fit(self) -> None:
        """Adapt the screens to the size of the window."""
        size = self.surface.get_size()
        if size == self._size:
            return
        self._size = size
        if not pygame.display.is_fullscreen():
            self.settings.width, self.settings.height = size
        for screen in self.screens:
            screen.lay_out(size)
        self.refresh()

    def _show(self) -> list[Rect]:
        if not self.running or not self.screens:
            return []
        first = len(self.screens) - 1
        if self.screen.stale:
            while first > 0 and self.screens[first].over:
                first -= 1
        whole = self.screen.stale
        drawn: list[Rect] = []
        for screen in self.screens[first:]:
            screen.stale = screen.stale or whole
            drawn += screen.draw(self.surface)
            screen.stale = False
        if whole:
            drawn = [self.surface.get_rect()]
        drawn += self._draw_note(drawn)
        if drawn:
            pygame.display.update(drawn)
        return drawn

    # --- extras

    def screenshot(self) -> Path:
        """Save the content of the window as a PNG file in the `screenshots` folder in `home()`."""
        path = new_path("screenshots", "shoverworld", ".png")
        if self.note:  # hide the current note, so that it is not part of the screenshot
            self.note = ""
            self.refresh()
            self._show()
        picture = io.BytesIO()  # encoded in memory first, because pygame does not report a full disk
        pygame.image.save(self.surface, picture, path.name)
        write_safely(path, picture.getvalue())
        self.say(f"Saved {path}")
        return path

    def _toggle_fullscreen(self) -> None:
        if pygame.display.is_fullscreen():
            size, flags = (self.settings.width, self.settings.height), pygame.RESIZABLE
        else:
            size, flags = pygame.display.get_desktop_sizes()[0], pygame.FULLSCREEN
        try:
            self.surface = pygame.display.set_mode(size, flags)
        except pygame.error as reason:
            self.say(f"Full screen is not available: {reason}")
        self.refresh()

    def _note_bottom(self) -> int:
        below = next((screen for screen in reversed(self.screens) if not screen.over), self.screens[0])
        bottom = below.note_bottom()
        return self.surface.get_height() - 2 if bottom is None else bottom

    def _draw_note(self, drawn: Sequence[Rect]) -> list[Rect]:
        """Draw the note on top of the screens if the note is new or if something behind the note was redrawn."""
        if not self.note or (self.note_rect and self.note_rect.collidelist(list(drawn)) < 0):
            return []
        width = self.surface.get_width() - 4 * theme.MARGIN
        lines = theme.wrapped(self.note, max(width, 40))[:6]
        widest = max(theme.width_of(line) for line in lines)
        rect = Rect(0, theme.MARGIN, widest + 2 * theme.MARGIN, len(lines) * theme.line_height() + 2 * theme.GAP)
        rect.centerx = self.surface.get_width() // 2
        rect.bottom = self._note_bottom()
        rect.top = max(0, rect.top)
        pygame.draw.rect(self.surface, theme.INK, rect, border_radius=6)
        pygame.draw.rect(self.surface, theme.ACCENT, rect, 1, border_radius=6)
        theme.write_lines(self.surface, lines, rect.inflate(-2 * theme.MARGIN, -2 * theme.GAP))
        self.note_rect = rect
        return [rect]


def _window(size: tuple[int, int]) -> pygame.Surface:
    try:
        _connect()
        _must_be_seen()
        if (
            pygame.display.get_driver() == "x11"
        ):  # send only changed areas: with acceleration, SDL would pass the whole window to OpenGL in each frame
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        pygame.font.init()
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as reason:
        pygame.display.quit()
        raise ShoverWorldError(
            f"no window could be opened ({reason}); play in the terminal instead: shover play --terminal"
        ) from None
    theme.set_caption("Shover-World")
    pygame.key.set_repeat(300, 70)
    pygame.key.start_text_input()
    return surface


def _must_be_seen() -> None:
    """Raise an error if SDL draws to an invisible screen, unless an environment variable selects such a driver."""
    asked = os.environ.get("SDL_VIDEODRIVER") or os.environ.get("SDL_VIDEO_DRIVER")
    if not asked and pygame.display.get_driver() in ("dummy", "offscreen"):
        named = [os.environ[name] for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)]
        if named:
            raise pygame.error(f"the display {' or '.join(named)} does not respond")
        raise pygame.error("neither DISPLAY nor WAYLAND_DISPLAY is set")


def _connect() -> None:
    """Connect to the display. If XDG_RUNTIME_DIR is not set, the Wayland library prints a warning to stderr, even on
    systems without Wayland, so the variable is set to a nonexistent folder while the connection is made."""
    missing = "XDG_RUNTIME_DIR" not in os.environ
    if missing:
        os.environ["XDG_RUNTIME_DIR"] = "/nonexistent"
    try:
        pygame.display.init()
    finally:
        if missing:
            del os.environ["XDG_RUNTIME_DIR"]
