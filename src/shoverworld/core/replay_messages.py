"""The error messages about replays. The web player reports the same messages: it finds them in `index.json`.

A placeholder is `{name}`, or `{name!r:.60}` for the first 60 characters of a value in quotation marks.
"""

from typing import Any

MESSAGES = {
    # reading a file (replay_text.py)
    "title": "not a replay; expected the first line `{expected}`",
    "version": "unsupported format version {found}; expected version {expected}",
    "end of file": "unexpected end of file after step {step}; expected {expected}",
    "header line": "found {found!r:.60}; expected a line of the form `key: value`, `map:` or `moves:`",
    "duplicate": "duplicate line `{key}:`; expected only one",
    "seed": "seed: {found!r:.40}; expected a non-negative integer",
    "unknown key": "unknown key {key!r:.60}; expected one of {known}",
    "unprintable": "{key}: {found!r:.60} contains unprintable characters",
    "unprintable map": "the map contains unprintable characters",
    "config twice": "config.{name} is given both as one value and in parts; expected only one of the two",
    "config value": '{key}: {found!r:.60}; expected a number, "word", true, false or null',
    "map": "found {found!r:.60}; expected the rows of the map, each starting with `| `",
    "moves": "found {found!r:.60}; expected `moves:`",
    "start": "found {found!r:.60}; expected `{expected}`",
    "move line": (
        "found {found!r:.60}; expected move {number} as `{number}  {what}  HASH`, "
        "where HASH has 16 hexadecimal digits (0-9, a-f)"
    ),
    "move": "found the move {found!r:.40}; expected integers, or {place} followed by integers",
    "end": "end: {found!r:.60}; expected an outcome and values, such as `end: cleared, steps 3, stamina 960.0`",
    "after the end": "found {found!r:.60} after the end; expected the end of the file",
    "no env": "the header has no line `env: ID`",
    "no level": "the replay has neither a map nor a seed; expected at least one of them",
    # playing (replay.py)
    "unknown env": "unknown environment {found!r:.60}; {hint}",
    "not a rule": "config.{name} is not a rule, and a replay may set only rules; {hint}",
    "config word": (
        "config.{name}: {found!r:.60} is not a number, true, false, null or a word of letters, digits, - and _; "
        "a replay contains its level and never refers to a file"
    ),
    "step": "step {step}",
    "placement": "placement after step {step}",
    "move number": " (move {number})",
    "at the start": "the start",
    "over": "{where}: the game is already over ({outcome})",
    "impossible": "{where}: {reason}",
    "different state": (
        "{where}: the state differs from the recorded state (expected hash {recorded}, got {actual}); "
        "the file was edited or was recorded with other rules"
    ),
    "different end": "end, after step {step}: the recorded end ({recorded}) differs from the end of the game ({actual})",
}


def message(name: str, /, **values: Any) -> str:
    """Return the message with this name."""
    return MESSAGES[name].format(**values)
