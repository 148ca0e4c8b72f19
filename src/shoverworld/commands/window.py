"""How commands open the window; the only place that knows what to say when there is none."""

from typing import Any


def open_window(settings: Any, instead: str, **options: Any) -> Any:
    """The app. Without a screen, or without the library it is drawn with, an error that tells what to do `instead`."""
    from shoverworld.core.errors import MissingExtra, ShoverWorldError

    try:
        from shoverworld.desktop.app import App

        return App(settings, **options)
    except MissingExtra as reason:
        raise MissingExtra(f"{reason}; or {instead}") from None
    except ShoverWorldError as reason:
        raise ShoverWorldError(f"{str(reason).partition(';')[0]}; {instead}") from None
