"""The user interface of Sokoban."""

from shoverworld.core.ui import UI

from . import controls, drawing, editor, overlays, texts

SOKOBAN_UI = UI(drawing, texts, controls, overlays, editor)
