"""What a screen is put together from, all in one place to import it from."""

from .lists import Choice, Item, Timeline
from .parts import Button, Form, Label, TextField, Widget

__all__ = ["Button", "Choice", "Form", "Item", "Label", "TextField", "Timeline", "Widget"]
