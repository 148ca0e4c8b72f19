"""HTTP connections with limits that uvicorn does not have: a time for the head of a request, and a number of connections."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from .limits import Limits


def limited_protocol(limits: Limits) -> type[H11Protocol]:
    """Return the class that uvicorn uses for every connection."""

    class LimitedProtocol(H11Protocol):
        """Closes a connection on which no request begins in time, however slowly its bytes arrive, and closes new
        connections at once if there are too many."""

        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > limits.most_connections:
                transport.abort()
            else:
                self._start_timer()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            super().connection_lost(exc)

        def on_response_complete(self) -> None:
            self._start_timer()
            super().on_response_complete()

        def _start_timer(self) -> None:
            self._stop_timer()
            self._timer = self.loop.call_later(limits.head_seconds, self._close_if_waiting)

        def _stop_timer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _close_if_waiting(self) -> None:
            """Close the connection unless a response is under way. The end of that response starts the timer again."""
            if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
                self.transport.abort()

    return LimitedProtocol
