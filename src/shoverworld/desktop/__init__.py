"""The window: screens, widgets and the view of a board. It asks rooms to draw and to understand hands; it knows no rules."""

from shoverworld.core.screen import pygame_for

pygame_for("the window")  # here, so that whatever is imported first says which extra is missing
