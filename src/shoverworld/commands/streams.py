"""The standard streams of a command, which may be closed, broken or unable to encode some characters."""

import os
import sys
from contextlib import suppress
from typing import Any

from shoverworld.core.text import PLAIN_SIGNS, visible


def prepare() -> None:
    """Replace closed streams, and make the others replace the characters that their encoding lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the program ends
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=PLAIN_SIGNS)


def finish() -> None:
    """Flush the buffers. If that is impossible, discard their content, so that Python does not try again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def report(called: str, error: object) -> None:
    """Print an error on stderr, with the name of the program. The message may contain untrusted text."""
    if isinstance(error, OSError) and error.strerror:  # without the error number
        error = f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror
    with suppress(OSError):  # stderr is closed
        print(visible(f"{called}: {error}"), file=sys.stderr)
