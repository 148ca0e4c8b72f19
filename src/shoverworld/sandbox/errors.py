"""Errors about the sandbox itself. They are never the fault of the program in the sandbox."""

from shoverworld.core.errors import ShoverWorldError


class SandboxUnavailable(ShoverWorldError):
    """This machine cannot contain a program in the requested way. The message says what to install or how to opt out."""


class SandboxFailure(ShoverWorldError):
    """The sandbox did not start, or failed for a reason that is not the program's own. The game can be repeated."""
