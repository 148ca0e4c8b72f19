"""The user interface of Shover-World."""

from shoverworld.core.ui import UI

from . import controls, drawing, editor, overlays, texts

SHOVER_UI = UI(drawing, texts, controls, overlays, editor)
