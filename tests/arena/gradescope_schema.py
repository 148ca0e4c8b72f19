"""What Gradescope documents about `results.json`, as a checker.

Written from https://gradescope-autograders.readthedocs.io/en/latest/specs/ (output format, test case status, output
string formatting, controlling test case visibility, leaderboards).
"""

from typing import Any

FORMATS = ("text", "html", "simple_format", "md", "ansi")
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")
NUMBER = (int, float)
RESULT: dict[str, Any] = {
    "score": NUMBER, "execution_time": NUMBER, "output": str, "output_format": FORMATS, "test_output_format": FORMATS,
    "test_name_format": FORMATS, "visibility": VISIBILITIES, "stdout_visibility": VISIBILITIES, "extra_data": dict,
    "tests": list, "leaderboard": list,
}  # fmt: skip
TEST: dict[str, Any] = {
    "score": NUMBER, "max_score": NUMBER, "status": ("passed", "failed"), "name": str, "name_format": FORMATS,
    "number": str, "output": str, "output_format": FORMATS, "tags": list, "visibility": VISIBILITIES, "extra_data": dict,
}  # fmt: skip
ENTRY: dict[str, Any] = {"name": str, "value": (int, float, str), "order": ("asc", "desc")}


def check(results: Any) -> None:
    """Raise AssertionError if a field is not documented, or has another type or value than documented."""
    _object(results, RESULT)
    tests = results.get("tests", [])
    for test in tests:
        _object(test, TEST)
    for entry in results.get("leaderboard", []):
        _object(entry, ENTRY)
        assert {"name", "value"} <= set(entry)
    assert "score" in results or (tests and all("score" in test for test in tests)), "a score is required"


def _object(found: Any, fields: dict[str, Any]) -> None:
    assert isinstance(found, dict)
    for name, value in found.items():
        assert name in fields, f"{name} is not documented"
        expected = fields[name]
        if isinstance(expected, tuple) and isinstance(expected[0], str):
            assert value in expected, f"{name}: {value!r}"
        else:
            assert isinstance(value, expected) and not isinstance(value, bool), f"{name}: {value!r}"
