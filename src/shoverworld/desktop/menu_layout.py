"""Where things are in the menu: three columns, two in a small window."""

from typing import TYPE_CHECKING

from pygame import Rect

from shoverworld.agents.load import ABOUT

from . import theme
from .widgets import Button

if TYPE_CHECKING:
    from .menu import MenuScreen

HEAD, ROW, BUTTON = 18, 30, 34  # heights in pixels
NOWHERE = Rect(0, 0, 0, 0)


def lay_out(menu: "MenuScreen", size: tuple[int, int]) -> None:
    width, height = size
    inner = Rect(theme.MARGIN, theme.GAP, max(1, width - 2 * theme.MARGIN), max(1, height - 2 * theme.GAP))
    top = _header(menu, inner)
    bottom = _footer(menu, inner)
    body = Rect(inner.left, top, inner.width, max(1, bottom - top))
    gap = theme.MARGIN
    if width >= 900:
        maps = Rect(body.left, body.top, round((body.width - 2 * gap) * 0.42), body.height)
        rules = Rect(maps.right + gap, body.top, round((body.width - 2 * gap) * 0.24), body.height)
        seen = Rect(rules.right + gap, body.top, body.right - rules.right - gap, body.height)
    else:
        maps = Rect(body.left, body.top, round((body.width - gap) * 0.58), body.height)
        rules = Rect(maps.right + gap, body.top, body.right - maps.right - gap, body.height)
        seen = NOWHERE
    _maps(menu, maps)
    _rules(menu, rules)
    _seen(menu, seen)
    for choice in (menu.maps, menu.rules, menu.agents):
        choice.reveal()


def _header(menu: "MenuScreen", inner: Rect) -> int:
    """The title; below it the goal, where there is room. Returns where the rest begins."""
    several = len(menu.games) > 1  # one game alone needs no choice
    room = max(theme.line_height(theme.HUGE), BUTTON if several else 0)
    if inner.height < 300:
        menu.title.rect, menu.goal.rect = NOWHERE, NOWHERE
        for tab in menu.games:
            tab.rect = NOWHERE
        return inner.top
    x = inner.right
    for tab in reversed(menu.games):
        wide = tab.width() if several else 0
        x -= wide
        tab.rect = Rect(x, inner.top, wide, BUTTON) if wide else NOWHERE
        x -= theme.GAP if wide else 0
    menu.title.rect = Rect(inner.left, inner.top, max(0, x - inner.left), room)
    if inner.height < 460:
        menu.goal.rect = NOWHERE
        return menu.title.rect.bottom + theme.GAP
    menu.goal.rect = Rect(inner.left, menu.title.rect.bottom, inner.width, theme.line_height())
    return menu.goal.rect.bottom + theme.GAP


def _footer(menu: "MenuScreen", inner: Rect) -> int:
    """The buttons in a row, and the line above them. Returns where the rest ends."""
    least = [theme.width_of(button.text) + 2 * theme.GAP for button in menu.buttons]
    count = len(least) if sum(least) + theme.GAP * (len(least) - 1) <= inner.width else len(least) // 2
    y = inner.bottom
    for first in reversed(range(0, len(least), count)):
        y -= BUTTON
        _row(menu.buttons[first : first + count], inner, y)
        y -= theme.GAP
    tall = theme.line_height() * (2 if inner.height > 400 else 1) + 2
    menu.status.rect = Rect(inner.left, y - tall, inner.width, tall)
    return menu.status.rect.top - 4


def _row(buttons: list[Button], inner: Rect, y: int) -> None:
    wanted = [button.width() for button in buttons]
    free = inner.width - theme.GAP * (len(wanted) - 1)
    if sum(wanted) > free:
        wanted = [free * wide // sum(wanted) for wide in wanted]
    x = inner.left
    for button, wide in zip(buttons, wanted, strict=True):
        button.rect = Rect(x, y, wide, BUTTON)
        x += wide + theme.GAP


def _maps(menu: "MenuScreen", column: Rect) -> None:
    menu.heads["Level"].rect = Rect(column.left, column.top, column.width, HEAD)
    menu.path.rect = Rect(column.left, column.bottom - ROW, column.width, ROW)
    top = column.top + HEAD
    if column.height >= 200:
        menu.shelf.rect = Rect(column.left, top, column.width, ROW)
        top += ROW + 4
    else:
        menu.shelf.rect = NOWHERE
    menu.maps.rect = Rect(column.left, top, column.width, max(20, column.bottom - ROW - theme.GAP - top))


def _rules(menu: "MenuScreen", column: Rect) -> None:
    """Rules, agent, seed and options, one below the other; the lists share what is left."""
    fixed = HEAD * 3 + 3 * ROW + theme.GAP * 5
    lists = [(menu.heads["Rules"], menu.rules), (menu.heads["Agent"], menu.agents)]
    words = [menu.rules_about, menu.agent_about]
    wanted = [len(choice.items) * choice.row_height + 2 for _, choice in lists]
    told = _words(menu, column.width)  # where there is room for them
    if column.height - fixed - sum(told) - 4 < sum(wanted):
        told = [0, 0]
    share = min(1.0, max(0, column.height - fixed) / sum(wanted))
    y = column.top
    for (head, choice), tall in zip(lists, wanted, strict=True):
        head.rect = Rect(column.left, y, column.width, HEAD)
        choice.rect = Rect(column.left, y + HEAD, column.width, max(choice.row_height, int(tall * share)))
        y = choice.rect.bottom
        about, room = words.pop(0), told.pop(0)
        about.rect = Rect(column.left, y + 2, column.width, room) if room else NOWHERE
        y += room + 2 if room else 0
        y += theme.GAP
    menu.heads["Seed"].rect = Rect(column.left, y, column.width, HEAD)
    y += HEAD
    for widget in (menu.seed, menu.animation, menu.fps):
        fits = y + ROW <= column.bottom
        widget.rect = Rect(column.left, y, column.width, ROW) if fits else NOWHERE
        y += ROW + theme.GAP
    if not menu.seed.rect.width:
        menu.heads["Seed"].rect = NOWHERE


def _words(menu: "MenuScreen", width: int) -> list[int]:
    """How high the words under the rules and under the agents are at most."""
    rules = [f"{preset.name}: {preset.about}" for preset in menu.game.presets]
    texts = rules, list(ABOUT.values())
    lines = [max(len(theme.wrapped(text, width, theme.SMALL)) for text in some) for some in texts]
    return [count * theme.line_height(theme.SMALL) for count in lines]


def _seen(menu: "MenuScreen", column: Rect) -> None:
    """The level, and what it is about."""
    if not column.width:
        menu.preview.area = menu.about.rect = NOWHERE
        return
    tall = min(column.width, column.height * 55 // 100)
    menu.preview.area = Rect(column.left, column.top + HEAD, column.width, tall)
    top = menu.preview.area.bottom + theme.GAP
    menu.about.rect = Rect(column.left, top, column.width, max(1, column.bottom - top))
