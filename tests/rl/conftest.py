"""Torch with one thread: its threads wait for one another, which takes minutes if other programs use the cores."""

from contextlib import suppress

with suppress(ImportError):  # the environment of `make test` does not have torch
    import torch  # pyright: ignore[reportMissingImports]  # optional

    torch.set_num_threads(1)
