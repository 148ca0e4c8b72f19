"""Shover-World as people see and play it."""

from shoverworld.core.ui import UI

from . import controls, drawing, editor, overlays, texts

SHOVER_UI = UI(drawing, texts, controls, overlays, editor)
