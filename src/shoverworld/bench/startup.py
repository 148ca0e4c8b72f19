"""The benchmarks that cover all games at once."""

from collections.abc import Iterator

from shoverworld.core.measuring import Aim, Figure, Group, new_processes


def groups() -> Iterator[Group]:
    """Yield the lines for `shover bench`."""
    yield Group(
        [
            Figure(
                "shover warmup, nothing compiled",
                "s",
                lambda: new_processes("-m", "shoverworld.cli", "warmup", compiled=False),
                Aim(35, at_most=True),
                slow=True,
            )
        ]
    )
