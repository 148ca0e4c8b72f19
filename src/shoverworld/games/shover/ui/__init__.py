"""Shover-World as people see and play it. `FRONT` is what core/ui.py calls a Front."""

from .room import FRONT

__all__ = ["FRONT"]
