"""The user interface of Shover-World."""

from shoverworld.core.ui import UI

from . import controls, drawing, editor, notation, overlays, texts

SHOVER_UI = UI(drawing, texts, controls, overlays, editor, notation=notation)
