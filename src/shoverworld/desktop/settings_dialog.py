"""The settings that rarely change: the seed for random levels, animation and the frame rate."""

from pygame import Rect

from shoverworld.play.settings import FRAMES

from . import theme
from .app import App
from .dialog import Ask
from .widgets import Button, Label, TextField, Widget

MOST_SEED = 2**31 - 1
ROW = 32  # height in pixels
FIELD = 170  # width of the widgets on the right


class SettingsDialog(Ask):
    """A dialog over the menu. Every change takes effect at once."""

    def __init__(self, app: App):
        super().__init__(app, "Settings", "", [("Done", None)])
        self.seed = TextField(
            str(app.settings.seed),
            changed=self._choose_seed,
            done=lambda _: self.answer(None),
            allowed="0123456789",
            ground=theme.PANEL,
        )
        self.animation = Button("", self._toggle_animation, ground=theme.PANEL)
        self.fps = Button("", self._toggle_fps, ground=theme.PANEL)
        names = ("Seed for random levels", "Animation", "Frame rate")
        self.labels = [Label(name, colour=theme.SOFT, ground=theme.PANEL) for name in names]
        self.fields: list[Widget] = [self.seed, self.animation, self.fps]
        self.form.widgets[:0] = [*self.labels, *self.fields]
        self.form.focus(self.seed)
        self._say()

    def _choose_seed(self, text: str) -> None:
        if text and text != str(int(text)):  # remove leading zeros
            self.seed.set(text=str(int(text)), caret=len(str(int(text))))
        self.app.settings.seed = min(int(text or "0"), MOST_SEED)

    def _toggle_animation(self) -> None:
        self.app.animation = self.app.settings.animation = not self.app.animation
        self._say()

    def _toggle_fps(self) -> None:
        place = (FRAMES.index(self.app.fps) + 1) % len(FRAMES) if self.app.fps in FRAMES else 0
        self.app.fps = self.app.settings.fps = FRAMES[place]
        self._say()

    def _say(self) -> None:
        self.animation.set(text="on" if self.app.animation else "off", on=self.app.animation)
        self.fps.set(text=f"{self.app.fps} per second")

    def _button_rows(self, width: int) -> list[list[Button]]:
        """Return only the row of answer buttons, because the other buttons are placed beside their labels."""
        return [list(self.form.widgets[len(self.labels) + len(self.fields) :])]  # type: ignore[arg-type]

    def _extra_height(self) -> int:
        return len(self.fields) * (ROW + theme.GAP)

    def lay_out(self, size: tuple[int, int]) -> None:
        super().lay_out(size)
        inner = self.rect.inflate(-2 * theme.MARGIN, -2 * theme.MARGIN)
        wide = min(FIELD, inner.width // 2)
        y = inner.top + theme.line_height(theme.LARGE) + theme.MARGIN
        for label, field in zip(self.labels, self.fields, strict=True):
            label.rect = Rect(inner.left, y, inner.width - wide - theme.GAP, ROW)
            field.rect = Rect(inner.right - wide, y, wide, ROW)
            y += ROW + theme.GAP
