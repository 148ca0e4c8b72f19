"""What a measurement says."""

from typing import NamedTuple


class Figure(NamedTuple):
    what: str
    value: float
    unit: str
    aim: str
