"""The keys of the menu, as the help lists them."""

from shoverworld.core.ui import KeyHelp

KEYS = (
    KeyHelp(("up", "down"), "choose in a list; Page Up, Page Down, Home and End go farther"),
    KeyHelp(("tab", "shift+tab"), "to the next list, to the one before"),
    KeyHelp(("left", "right"), "the same"),
    KeyHelp(("return",), "play"),
    KeyHelp(("b",), "browse: all levels of the collection as pictures; other collections"),
    KeyHelp(("n",), "the next level that is not solved yet"),
    KeyHelp(("g",), "the next game"),
    KeyHelp(("w",), "watch the agent play"),
    KeyHelp(("r",), "open a replay"),
    KeyHelp(("e",), "edit the level"),
    KeyHelp(("q", "escape"), "quit"),
)
HELP = (
    "Choose a game, a level, the rules and an agent, then play. A file or folder of levels of any game, a replay or an "
    "agent's file (.py) can be dropped on the window, or its path typed."
)
