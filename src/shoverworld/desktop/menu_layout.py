"""The keys and the layout of the menu: the levels on the left; on the right, a picture of the chosen level above its
description, the rules and the agents."""

from typing import TYPE_CHECKING

from pygame import Rect

from shoverworld.agents.load import entries
from shoverworld.core.ui import KeyHelp

from . import theme
from .widgets import place_in_row

if TYPE_CHECKING:
    from .lists import ListBox
    from .menu import MenuScreen

KEYS = (
    KeyHelp(("up", "down"), "choose from a list; Page Up, Page Down, Home and End move in larger steps"),
    KeyHelp(("tab", "shift+tab"), "move to the next or previous list"),
    KeyHelp(("left", "right"), "move to the previous or next list"),
    KeyHelp(("return",), "play"),
    KeyHelp(("t",), "continue your most recent unfinished game"),
    KeyHelp(("b",), "browse all {levels} and collections"),
    KeyHelp(("n",), "choose the next un{solved} {level}"),
    KeyHelp(("g",), "choose the next game"),
    KeyHelp(("w",), "watch the agent play"),
    KeyHelp(("r",), "open a replay"),
    KeyHelp(("e",), "edit the {level}"),
    KeyHelp(("ctrl+v",), "open a {level} or a replay from the clipboard"),
    KeyHelp(("s",), "change the seed, the animation and the frame rate"),
    KeyHelp(("q", "escape"), "quit; in a text field, Esc only leaves the field"),
)
HELP = (
    "Choose a game, a {level}, the rules and an agent, then play. You can also drop a file on the window or type its "
    "path: a level file or a folder of levels for any game, a replay, or an agent (.py)."
)
HEAD, ROW, BUTTON = 18, 30, 34  # heights in pixels
WIDE, ROOMY = 1000, 720  # in wider windows, the list of levels takes a smaller share of the width
SEEN = 180, 110  # minimum size of the level's picture
BESIDE = 300  # minimum width for the rules and the agents side by side
COLUMN = 230  # maximum width of each of these two lists
ABOUT = 700  # minimum width for the description beside the rules and the agents
NOWHERE = Rect(0, 0, 0, 0)


def lay_out(menu: "MenuScreen", size: tuple[int, int]) -> None:
    width, height = size
    inner = Rect(theme.MARGIN, theme.GAP, max(1, width - 2 * theme.MARGIN), max(1, height - 2 * theme.GAP))
    top = _header(menu, inner)
    bottom = _footer(menu, inner)
    body = Rect(inner.left, top, inner.width, max(1, bottom - top))
    left = round((body.width - theme.MARGIN) * (0.36 if width >= WIDE else 0.46 if width >= ROOMY else 0.58))
    right = Rect(body.left + left + theme.MARGIN, body.top, body.width - left - theme.MARGIN, body.height)
    _maps(menu, Rect(body.left, body.top, left, body.height))
    _choices(menu, _seen(menu, right))
    for choice in (menu.maps, menu.rules, menu.agents):
        choice.reveal()


def _header(menu: "MenuScreen", inner: Rect) -> int:
    """Place the title and the goal, and return the y coordinate below both."""
    several = len(menu.games) > 1  # tabs are needed only if there are several games
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
    menu.goal.rect = Rect(inner.left, menu.title.rect.bottom + 4, inner.width, theme.line_height())
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


def _seen(menu: "MenuScreen", area: Rect) -> Rect:
    """Place the picture of the level at the top and its description below, and return the rest of the area. If there is
    not enough space, show neither and return the whole area."""
    stacked = area.width < BESIDE
    wide = area.width if stacked else min(COLUMN, (area.width - theme.MARGIN) // 2)
    parts = zip((menu.rules, menu.agents), _about_heights(menu, wide), strict=True)
    heights = [_list_height(choice) + text + 2 for choice, text in parts]
    low = sum(heights) + theme.GAP if stacked else max(heights)
    tall = area.height - low - theme.MARGIN
    if area.width < SEEN[0] or tall < SEEN[1]:
        menu.preview.area = menu.level_title.rect = menu.about.rect = NOWHERE
        return area
    rest = Rect(area.left, area.bottom - low, area.width, low)
    if area.width >= ABOUT:  # the description fits beside the lists
        menu.preview.area = Rect(area.left, area.top, area.width, tall)
        beside = Rect(area.left, rest.top, area.width - 2 * (wide + theme.MARGIN), low)
        _describe(menu, beside)
        return Rect(beside.right + theme.MARGIN, rest.top, area.right - beside.right - theme.MARGIN, low)
    head, line = theme.line_height(theme.LARGE), theme.line_height()
    words = max(0, min(head + 5 * line, tall - SEEN[1] - 4))
    menu.preview.area = Rect(area.left, area.top, area.width, tall - words - (4 if words else 0))
    _describe(menu, Rect(area.left, menu.preview.area.bottom + 4, area.width, words))
    return rest


def _describe(menu: "MenuScreen", area: Rect) -> None:
    """Place the title and the description of the level."""
    head = min(area.height, theme.line_height(theme.LARGE))
    menu.level_title.rect = Rect(area.left, area.top, area.width, head)
    text = (area.height - head) // theme.line_height() * theme.line_height()
    menu.about.rect = Rect(area.left, area.top + head, area.width, text) if text else NOWHERE


def _choices(menu: "MenuScreen", area: Rect) -> None:
    """Place the rules and the agents side by side, or one below the other in a narrow or tall area."""
    stacked = area.width < BESIDE or area.height > area.width
    wide = area.width if stacked else (area.width - theme.MARGIN) // 2
    lists = (("Rules", menu.rules, menu.rules_about), ("Agent", menu.agents, menu.agent_about))
    texts = _about_heights(menu, wide)
    wanted = [_list_height(choice) for _, choice, _ in lists]
    if sum(wanted) + sum(texts) + theme.GAP + 4 > area.height and stacked:
        texts = [0, 0]
    share = min(1.0, (area.height - theme.GAP) / sum(wanted)) if stacked else min(1.0, area.height / max(wanted))
    x, y = area.topleft
    for (name, choice, about), height, text in zip(lists, wanted, texts, strict=True):
        menu.heads[name].rect = Rect(x, y, wide, HEAD)
        choice.rect = Rect(x, y + HEAD, wide, max(choice.row_height, int(height * share) - HEAD))
        fits = text and (stacked or choice.rect.bottom + 2 + text <= area.bottom)
        about.rect = Rect(x, choice.rect.bottom + 2, wide, text) if fits else NOWHERE
        if stacked:
            y = (about.rect if fits else choice.rect).bottom + theme.GAP
        else:
            x += wide + theme.MARGIN


def _list_height(choice: "ListBox") -> int:
    """Return the height that a list and its heading need."""
    return HEAD + len(choice.items) * choice.row_height + 2


def _about_heights(menu: "MenuScreen", width: int) -> list[int]:
    """Return the maximum heights of the descriptions below the rules and below the agents."""
    rules = [f"{preset.name}: {preset.about}" for preset in menu.game.presets]
    texts = rules, [entry.about for entry in entries().values()]
    lines = [max(len(theme.wrapped(text, width, theme.SMALL)) for text in some) for some in texts]
    return [count * theme.line_height(theme.SMALL) for count in lines]
