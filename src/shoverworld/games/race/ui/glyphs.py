"""The signs of the race in a terminal: every kind of cell its own, in colour and in shape; a car is its number."""

from ..tiles import CAR, CAR_LOOKS, FILLED, colour_of, contents

CELLS = {
    "grass": ("  ", "on dark_green"),
    "sand": ("░░", "khaki3 on grey11"),
    "road": ("· ", "grey42 on grey23"),
    "start": ("[]", "bold sky_blue1 on grey23"),
    "finish": ("▚▚", "white on black"),
}


def glyph(tile: int, width: int) -> tuple[str, str]:
    """One or two characters, and their style in rich's words."""
    kind, look = contents(tile)
    if kind != "car":
        text, style = CELLS[kind]
        return text[:width], style
    red, green, blue = colour_of(look)
    filled = (tile - CAR) % CAR_LOOKS & FILLED
    colour = f"rgb({red},{green},{blue})"
    ink = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else "white"
    text = str(look + 1)[-width:]
    if width > 1 and len(text) == 1:
        text = f"{text}<" if filled else f"{text} "
    return text.ljust(width), f"bold {ink} on {colour}" if filled else f"bold {colour} on grey15"
