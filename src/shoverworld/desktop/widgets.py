"""Widgets: labels, buttons, text fields, and the form that holds them.

Each widget has a `rect`, handles events (`handle` returns whether it used the event) and draws itself. A `Form` holds
several widgets, gives one of them the focus (Tab), and draws those that have changed (`stale`).
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import pygame
from pygame import Rect

from shoverworld.core.ui import Colour

from . import theme
from .clipboard import CLIPBOARD

Press = Callable[[], Any]


class Widget:
    takes_focus = True

    def __init__(self, ground: Colour = theme.GROUND):
        self.rect = Rect(0, 0, 0, 0)
        self.ground = ground  # the background colour
        self.stale = True
        self.focused = False
        self.enabled = True
        self.hot = False  # whether the pointer is over the widget

    def handle(self, event: pygame.event.Event) -> bool:
        return False

    def draw(self, surface: pygame.Surface) -> None: ...

    def set(self, **changes: Any) -> None:
        """Change attributes. The widget is redrawn if any value has changed."""
        for name, value in changes.items():
            if getattr(self, name) != value:
                setattr(self, name, value)
                self.stale = True

    def _follow_pointer(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEMOTION:
            self.set(hot=self.rect.collidepoint(event.pos))


class Label(Widget):
    """A label, whose text takes several lines if it does not fit on one."""

    takes_focus = False

    def __init__(
        self,
        text: str = "",
        size: int = theme.NORMAL,
        colour: Colour = theme.TEXT,
        align: str = "left",
        ground: Colour = theme.GROUND,
    ):
        super().__init__(ground)
        self.text, self.size, self.colour, self.align = text, size, colour, align

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground, self.rect)
        if self.align == "left" and self.rect.height >= 2 * theme.line_height(self.size):
            lines = theme.wrapped(self.text, self.rect.width, self.size)
            room = self.rect.height // theme.line_height(self.size)
            if len(lines) > room:
                lines[room - 1 :] = [theme.fitted(f"{lines[room - 1]} …", self.rect.width, self.size)]
            theme.write_lines(surface, lines, self.rect, self.size, self.colour)
        else:
            theme.write(surface, self.text, self.rect, self.size, self.colour, self.align)


class Button(Widget):
    """A button, pressed by a click, or by Enter or Space while it has the focus. `key` is shown but not handled."""

    def __init__(self, text: str, press: Press, key: str = "", ground: Colour = theme.GROUND, strong: bool = False):
        super().__init__(ground)
        self.text, self.press, self.key = text, press, key
        self.strong = strong  # whether it is the default button
        self.on = False  # whether a toggle button is switched on
        self.held = False

    def handle(self, event: pygame.event.Event) -> bool:
        self._follow_pointer(event)
        if not self.enabled:
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            self.set(held=True)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held:
            self.set(held=False)
            if self.rect.collidepoint(event.pos):
                self.press()
            return True
        if self.focused and event.type == pygame.KEYDOWN and event.key in _PRESSES:
            self.press()
            return True
        return False

    def width(self) -> int:
        """Return the width that the text needs."""
        key = theme.width_of(self.key, theme.SMALL) + theme.GAP if self.key else 0
        return theme.width_of(self.text) + key + 2 * theme.MARGIN

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground, self.rect)
        colour = theme.HOT if (self.hot and self.enabled) or self.held else theme.RAISED
        if self.strong or self.on:
            colour = theme.STRONG_HOT if self.hot and self.enabled else theme.STRONG
        pygame.draw.rect(surface, colour, self.rect, border_radius=5)
        if self.focused:
            pygame.draw.rect(surface, theme.TEXT, self.rect, 2, border_radius=5)
        inner = self.rect.inflate(-2 * theme.GAP if self.rect.width > 60 else -4, 0)
        if self.key:
            room = theme.width_of(self.key, theme.SMALL)
            if inner.width >= room + theme.GAP + theme.width_of(self.text):
                theme.write(surface, self.key, inner, theme.SMALL, theme.SOFT, "right")
                inner = Rect(inner.left, inner.top, inner.width - room - theme.GAP, inner.height)
        theme.write(surface, self.text, inner, colour=theme.TEXT if self.enabled else theme.LINE, align="middle")


LONGEST = 4096  # maximum number of characters in a text field
_PRESSES = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)


class TextField(Widget):
    """A line of text that can be edited. Enter calls `done`, and every change calls `changed`. `allowed` restricts the
    characters. When the field gets the focus, the whole text is selected, so that typing replaces it; an arrow key or a
    click
    sets the caret."""

    def __init__(
        self,
        text: str = "",
        placeholder: str = "",
        done: Callable[[str], Any] | None = None,
        changed: Callable[[str], Any] | None = None,
        allowed: str | None = None,
        ground: Colour = theme.GROUND,
    ):
        super().__init__(ground)
        self.text, self.placeholder, self.done, self.changed, self.allowed = text, placeholder, done, changed, allowed
        self.caret = len(text)
        self.selected = False  # whether the whole text is selected

    def set(self, **changes: Any) -> None:
        if changes.get("focused", self.focused) != self.focused:
            changes["selected"] = changes["focused"]
        super().set(**changes)

    def handle(self, event: pygame.event.Event) -> bool:
        self._follow_pointer(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            self.set(caret=self._caret_at(event.pos[0]), selected=False)
            return True
        if not self.focused:
            return False
        if event.type == pygame.TEXTINPUT:
            self._put(event.text)
            return True
        return event.type == pygame.KEYDOWN and self._key(event)

    def _key(self, event: pygame.event.Event) -> bool:
        control = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META)
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            if self.done is None:
                return False
            self.done(self.text)
        elif self.selected and event.key in (pygame.K_BACKSPACE, pygame.K_DELETE):
            self._change("", 0)
        elif event.key == pygame.K_BACKSPACE:
            start = 0 if control else max(0, self.caret - 1)
            self._change(self.text[:start] + self.text[self.caret :], start)
        elif event.key == pygame.K_DELETE:
            self._change(self.text[: self.caret] + self.text[self.caret + 1 :], self.caret)
        elif event.key == pygame.K_LEFT:
            self.set(caret=0 if self.selected else max(0, self.caret - 1), selected=False)
        elif event.key == pygame.K_RIGHT:
            self.set(caret=len(self.text) if self.selected else min(len(self.text), self.caret + 1), selected=False)
        elif event.key == pygame.K_HOME:
            self.set(caret=0, selected=False)
        elif event.key == pygame.K_END:
            self.set(caret=len(self.text), selected=False)
        elif control and event.key == pygame.K_a:
            self.set(caret=len(self.text), selected=True)
        elif control and event.key == pygame.K_v:
            self._put(CLIPBOARD.get())
        elif control or event.key in (pygame.K_TAB, pygame.K_ESCAPE, pygame.K_UP, pygame.K_DOWN):
            return False
        else:  # a letter, which arrives as TEXTINPUT and must not trigger one of the screen's commands
            return bool(event.unicode and event.unicode.isprintable())
        return True

    def put(self, text: str) -> None:
        """Replace the content with `text`, as if the user had typed it."""
        self._change(text, len(text))

    def _put(self, typed: str) -> None:
        typed = "".join(c for c in typed if c.isprintable() and (self.allowed is None or c in self.allowed))
        if not typed:
            return
        before, after = ("", "") if self.selected else (self.text[: self.caret], self.text[self.caret :])
        typed = typed[: max(0, LONGEST - len(before) - len(after))]
        self._change(before + typed + after, len(before) + len(typed))

    def _change(self, text: str, caret: int) -> None:
        differs = text != self.text
        self.set(text=text, caret=caret, selected=False)
        if differs and self.changed is not None:
            self.changed(text)

    def _caret_at(self, x: int) -> int:
        wanted, places = x - self._left(), range(len(self.text) + 1)
        after = min(bisect_left(places, wanted, key=self._width_before), places[-1])
        return min(max(0, after - 1), after, key=lambda place: abs(self._width_before(place) - wanted))

    def _width_before(self, place: int) -> int:
        return theme.width_of(self.text[:place])

    def _left(self) -> int:
        """Return the x coordinate at which the text begins. Long text is shifted so that the caret is visible."""
        room = self.rect.width - 2 * theme.GAP
        return self.rect.left + theme.GAP - max(0, self._width_before(self.caret) - room + 2)

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground, self.rect)
        pygame.draw.rect(surface, theme.HOT if self.hot else theme.RAISED, self.rect, border_radius=5)
        pygame.draw.rect(surface, theme.ACCENT if self.focused else theme.LINE, self.rect, 1, border_radius=5)
        clip = surface.get_clip()
        inner = self.rect.inflate(-2 * theme.GAP, -4)
        surface.set_clip(inner.clip(clip))
        if self.text:
            first = self._caret_at(self.rect.left)  # the text before this position is hidden
            picture = theme.written(self.text[first : first + self.rect.width])
            x = self._left() + self._width_before(first)
            if self.selected and self.focused:
                wide = Rect(x, inner.top + 2, picture.get_width(), inner.height - 4)
                pygame.draw.rect(surface, theme.CHOSEN, wide)
            surface.blit(picture, (x, self.rect.centery - picture.get_height() // 2))
        else:
            theme.write(surface, self.placeholder, inner, colour=theme.SOFT)
        if self.focused:
            x = self._left() + self._width_before(self.caret)
            pygame.draw.line(surface, theme.TEXT, (x, inner.top + 2), (x, inner.bottom - 3))
        surface.set_clip(clip)


def place_in_row(buttons: Sequence[Button], row: Rect) -> None:
    """Place buttons side by side. If there is not enough space, the buttons become narrower and lose their keys."""
    wanted = [button.width() for button in buttons]
    free = row.width - theme.GAP * (len(wanted) - 1)
    if sum(wanted) > free:
        wanted = [theme.width_of(button.text) + 2 * theme.GAP for button in buttons]
        spare = (free - sum(wanted)) // len(wanted)
        wanted = [wide + spare if spare >= 0 else free * wide // sum(wanted) for wide in wanted]
    x = row.left
    for button, wide in zip(buttons, wanted, strict=True):
        button.rect = Rect(x, row.top, wide, row.height)
        x += wide + theme.GAP


class Form:
    """A group of widgets, one of which has the focus."""

    def __init__(self, widgets: Sequence[Widget] = ()):
        self.widgets: list[Widget] = list(widgets)
        self.mouse = (-1, -1)

    @property
    def focused(self) -> Widget | None:
        return next((widget for widget in self.widgets if widget.focused), None)

    def focus(self, chosen: Widget | None) -> None:
        for widget in self.widgets:
            widget.set(focused=widget is chosen)

    def step_focus(self, by: int) -> None:
        able = [widget for widget in self.widgets if widget.takes_focus and widget.enabled and widget.rect.width]
        if able:
            now = self.focused
            place = able.index(now) + by if now in able else (0 if by > 0 else -1)
            self.focus(able[place % len(able)])

    def handle(self, event: pygame.event.Event) -> bool:
        """Pass keys to the focused widget and mouse events to all widgets. Tab moves the focus, unless the
        focused widget uses Tab."""
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.mouse = event.pos
            return self._point(event)
        if event.type == pygame.MOUSEWHEEL:
            under = [widget for widget in self.widgets if widget.rect.collidepoint(self.mouse)]
            return any(widget.handle(event) for widget in under)
        now = self.focused
        if now is not None and now.handle(event):
            return True
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB:
            self.step_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            return True
        return False

    def _point(self, event: pygame.event.Event) -> bool:
        used = False
        for widget in list(self.widgets):
            if widget.handle(event):
                used = True
                if event.type == pygame.MOUSEBUTTONDOWN and widget.takes_focus:
                    self.focus(widget)
        return used

    def draw(self, surface: pygame.Surface, whole: bool = False) -> list[Rect]:
        drawn = []
        for widget in self.widgets:
            if (widget.stale or whole) and widget.rect.width > 0 and widget.rect.height > 0:
                widget.draw(surface)
                drawn.append(widget.rect.copy())
            widget.stale = False
        return drawn
