"""A film that is being written beside the window."""

import threading
from pathlib import Path

from shoverworld.core.errors import ShoverWorldError
from shoverworld.play import film

_PATIENCE = 10.0  # seconds that `close` waits: one picture more, and ffmpeg's end


class Export:
    """Writes a film in a thread of its own. `over`: it is finished, cancelled, or went wrong (`error`)."""

    def __init__(self, what: film.Film, path: Path):
        self.path, self.share = path, 0.0
        self.over = self.cancelled = False
        self.error: str | None = None
        self._film = what
        self._thread = threading.Thread(target=self._work, name="film", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            film.save(self._film, self.path, self._told)
        except ShoverWorldError as reason:
            self.error = str(reason)
        except Exception as reason:  # a fault of ours, or no memory: it must not be the end of the window
            self.error = f"{self.path} could not be made: {type(reason).__name__}: {reason}"
        self.over = True

    def _told(self, share: float) -> bool:
        self.share = share
        return self.cancelled

    def cancel(self) -> None:
        """No more of it; no file is left."""
        self.cancelled = True

    def close(self) -> None:
        self.cancel()
        self._thread.join(_PATIENCE)
