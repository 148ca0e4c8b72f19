"""The user interface of the race."""

from shoverworld.core.ui import UI

from . import controls, drawing, editor, multiplayer, notation, overlays, texts

RACE_UI = UI(drawing, texts, controls, overlays, editor, multiplayer, notation)
