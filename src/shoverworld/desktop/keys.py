"""Keys by their names, as rooms and screens know them."""

import pygame

_FROM_A = "abcdefghijklmnopqrstuvwxyz1234567890"  # the order of SDL's scancodes, from 4 on


def named(event: pygame.event.Event) -> str:
    """The name of a pressed key: "up", "w", "+". Keys of the number pad are called like the others, and on keyboards
    that write no Latin letters, or need Shift for numbers, the place of the key counts."""
    typed, place = getattr(event, "unicode", ""), getattr(event, "scancode", 0) - 4
    if len(typed) == 1 and typed in "+-.,[]0123456789":  # wherever a keyboard has them
        return typed
    name = pygame.key.name(event.key)
    if len(name) == 3 and name[0] == "[" and name[2] == "]":
        name = name[1]
    if name == "enter":
        return "return"
    if name == "=":  # the plus key of many keyboards, without Shift
        return "+"
    strange = not name or not name.isascii() or (place >= 26 and not name.isalnum())
    return _FROM_A[place] if strange and 0 <= place < len(_FROM_A) else name


def shifted(event: pygame.event.Event) -> bool:
    return bool(getattr(event, "mod", 0) & pygame.KMOD_SHIFT)


WORDS = {"up": "Up", "end": "End", "tab": "Tab", "return": "Enter", "escape": "Esc", "-": "−"}


def shown(name: str) -> str:
    """A key as help calls it."""
    if "+" in name[1:]:
        return "+".join(map(shown, name.split("+")))
    return WORDS.get(name) or (name.upper() if len(name) < 4 else name.capitalize())
