"""The best plans known for the bundled maps and the benchmark maps: benchmarks/best.py makes the file."""

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent.parent / "best.json"


def best_known(identity: str) -> tuple[int, float, bool] | None:
    """Steps and stamina of the shortest plan, and whether that is proved."""
    found = _all().get(identity)
    return None if found is None else (int(found[0]), float(found[1]), bool(found[2]))


@cache
def _all() -> dict[str, list]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
