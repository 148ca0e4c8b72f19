"""The screens that commands open. This module needs the `gui` extra, so only `shared.open_window` imports it."""

from shoverworld.desktop.app import App
from shoverworld.desktop.editor import EditorScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.start import go
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.viewer import ViewerScreen

__all__ = ["App", "EditorScreen", "MenuScreen", "TableScreen", "ViewerScreen", "go"]
