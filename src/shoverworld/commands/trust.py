"""The option `--unsafe` (or `--trust`), with which agents from files run without a sandbox."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager

from shoverworld.sandbox.protection import TRUST


@contextmanager
def trusting(chosen: argparse.Namespace) -> Iterator[None]:
    """Run agents from files without a sandbox if `--unsafe` is given, also in processes that this command starts."""
    before = os.environ.get(TRUST)
    if getattr(chosen, "trust", False):
        os.environ[TRUST] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(TRUST, None)
        else:
            os.environ[TRUST] = before
