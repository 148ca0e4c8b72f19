"""File names for students and levels: safe on every system, unique, and readable."""

import re
import unicodedata
from collections.abc import Iterable

_LONGEST = 60
# Windows does not allow these names, whatever their suffix.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file name without a suffix for each name. The same names always give the same file names.

    File names consist of lower-case letters, digits and hyphens, and differ in more than their case.
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for name in sorted(set(names)):
        stem, number = _safe(name), 1
        chosen = stem
        while chosen in used:
            number += 1
            chosen = f"{stem}-{number}"
        used.add(chosen)
        found[name] = chosen
    return found


def _safe(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST].strip("-") or "unnamed"
    return f"{stem}-x" if stem in _RESERVED else stem
