"""The window: its screens and widgets. This package displays the games in `play/` and contains no rules."""

from shoverworld.core.screen import pygame_for

pygame_for("the window")  # called here, so that importing any window module reports a missing extra
