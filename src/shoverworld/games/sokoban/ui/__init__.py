"""The user interface of Sokoban."""

from shoverworld.core.ui import UI

from . import controls, drawing, editor, notation, overlays, texts

SOKOBAN_UI = UI(drawing, texts, controls, overlays, editor, notation=notation)
