"""Contained processes for programs that nobody has checked.

`start` runs a function of this package in a process that can read only Python and the given files, cannot write, has no
network and limited memory. It knows nothing about games or agents.
"""

from .errors import SandboxFailure, SandboxUnavailable
from .limits import Limits
from .process import SandboxedProcess, start
from .protection import Protection

__all__ = ["Limits", "Protection", "SandboxFailure", "SandboxUnavailable", "SandboxedProcess", "start"]
