"""Numbers as text, in the same way in every part of a report."""

from collections.abc import Mapping

from ..standings import Standing

DASH = "–"


def number(value: float | None, digits: int = 2) -> str:
    """Return a number without trailing zeros."""
    if value is None:
        return DASH
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def percent(value: float | None) -> str:
    return DASH if value is None else f"{100 * value:.1f} %"


def strength(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # not -0.00


def interval(low: float, high: float, share: bool) -> str:
    """Return an interval of shares in per cent, or of strengths."""
    return f"{100 * low:.1f} to {100 * high:.1f} %" if share else f"{strength(low)} to {strength(high)}"


def place(standing: Standing) -> str:
    return f"{standing.place}=" if standing.shared else str(standing.place)


def place_range(standing: Standing) -> str:
    if standing.best_place == standing.worst_place:
        return str(standing.best_place)
    return f"{standing.best_place}–{standing.worst_place}"


def place_in_game(place: int | None, sharing: int, players: int | None) -> str:
    """Return the place in one game of several players; an equals sign marks a place that players share."""
    return DASH if place is None else f"{place}{'=' * (sharing > 1)} of {players}"


def figure_list(figures: Mapping[str, float] | None) -> str:
    """Return figures with their names, the number of steps first."""
    ordered = sorted((figures or {}).items(), key=lambda item: (item[0] != "steps", item[0]))
    return ", ".join(f"{name} {number(value)}" for name, value in ordered)
