"""The window: screens and widgets. It shows what play/ gives it and contains no rules."""

from shoverworld.core.screen import pygame_for

pygame_for("the window")  # here, so that any import of the window reports the missing extra
