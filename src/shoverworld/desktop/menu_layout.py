"""The keys and the layout of the menu: three columns, or two in a small window."""

from typing import TYPE_CHECKING

from pygame import Rect

from shoverworld.agents.load import entries
from shoverworld.core.ui import KeyHelp

from . import theme
from .widgets import place_in_row

if TYPE_CHECKING:
    from .menu import MenuScreen

KEYS = (
    KeyHelp(("up", "down"), "choose from a list; Page Up, Page Down, Home and End move further"),
    KeyHelp(("tab", "shift+tab"), "move to the next or previous list"),
    KeyHelp(("left", "right"), "move to the previous or next list"),
    KeyHelp(("return",), "play"),
    KeyHelp(("t",), "continue the game that you left last"),
    KeyHelp(("b",), "browse all levels and collections"),
    KeyHelp(("n",), "choose the next unsolved level"),
    KeyHelp(("g",), "choose the next game"),
    KeyHelp(("w",), "watch the agent play"),
    KeyHelp(("r",), "open a replay"),
    KeyHelp(("e",), "edit the level"),
    KeyHelp(("ctrl+v",), "open a level or a replay from the clipboard"),
    KeyHelp(("q", "escape"), "quit; in a text field, Esc only leaves the field"),
)
HELP = (
    "Choose a game, a level, the rules and an agent, then play. You can also drop a file on the window or type its path: "
    "a level file or folder of any game, a replay, or an agent (.py)."
)
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
    """Place the title and the goal, and return the y coordinate below both."""
    several = len(menu.games) > 1  # tabs are needed only for several games
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
    """Place the buttons, with the status line above them, and return the y coordinate above both."""
    least = [theme.width_of(button.text) + 2 * theme.GAP for button in menu.buttons]
    count = len(least) if sum(least) + theme.GAP * (len(least) - 1) <= inner.width else -(-len(least) // 2)
    y = inner.bottom
    for first in reversed(range(0, len(least), count)):
        y -= BUTTON
        place_in_row(menu.buttons[first : first + count], Rect(inner.left, y, inner.width, BUTTON))
        y -= theme.GAP
    tall = theme.line_height() * (2 if inner.height > 400 else 1) + 2
    menu.status.rect = Rect(inner.left, y - tall, inner.width, tall)
    return menu.status.rect.top - 4


def _maps(menu: "MenuScreen", column: Rect) -> None:
    menu.heads["Level"].rect = Rect(column.left, column.top, column.width, HEAD)
    menu.path.rect = Rect(column.left, column.bottom - ROW, column.width, ROW)
    top = column.top + HEAD
    if column.height >= 200:
        menu.collection.rect = Rect(column.left, top, column.width, ROW)
        top += ROW + 4
    else:
        menu.collection.rect = NOWHERE
    menu.maps.rect = Rect(column.left, top, column.width, max(20, column.bottom - ROW - theme.GAP - top))


def _rules(menu: "MenuScreen", column: Rect) -> None:
    """Place the rules, agent, seed and options one below the other; the lists share the remaining space."""
    fixed = HEAD * 3 + 3 * ROW + theme.GAP * 5
    lists = [(menu.heads["Rules"], menu.rules), (menu.heads["Agent"], menu.agents)]
    words = [menu.rules_about, menu.agent_about]
    wanted = [len(choice.items) * choice.row_height + 2 for _, choice in lists]
    about_heights = _about_heights(menu, column.width)
    if column.height - fixed - sum(about_heights) - 4 < sum(wanted):
        about_heights = [0, 0]
    share = min(1.0, max(0, column.height - fixed) / sum(wanted))
    y = column.top
    for (head, choice), tall in zip(lists, wanted, strict=True):
        head.rect = Rect(column.left, y, column.width, HEAD)
        choice.rect = Rect(column.left, y + HEAD, column.width, max(choice.row_height, int(tall * share)))
        y = choice.rect.bottom
        about, room = words.pop(0), about_heights.pop(0)
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


def _about_heights(menu: "MenuScreen", width: int) -> list[int]:
    """Return the maximum heights of the texts below the rules and below the agents."""
    rules = [f"{preset.name}: {preset.about}" for preset in menu.game.presets]
    texts = rules, [entry.about for entry in entries().values()]
    lines = [max(len(theme.wrapped(text, width, theme.SMALL)) for text in some) for some in texts]
    return [count * theme.line_height(theme.SMALL) for count in lines]


def _seen(menu: "MenuScreen", column: Rect) -> None:
    """Place the picture and the description of the level."""
    if not column.width:
        menu.preview.area = menu.about.rect = NOWHERE
        return
    tall = min(column.width, column.height * 55 // 100)
    menu.preview.area = Rect(column.left, column.top + HEAD, column.width, tall)
    top = menu.preview.area.bottom + theme.GAP
    menu.about.rect = Rect(column.left, top, column.width, max(1, column.bottom - top))
