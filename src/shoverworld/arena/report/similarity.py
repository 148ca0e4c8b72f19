"""Pairs of submissions with similar source code, found with `copydetect` (extra `arena`)."""

import io
from itertools import combinations
from typing import Any, NamedTuple

from shoverworld.core.errors import MissingExtra

from ..records import Results
from .html import element, link, page, table

MATCH_LENGTH, WINDOW = 25, 5  # in characters of normalised code: shorter matches are ignored
SHOWN = 0.3  # pairs that share less than this are not listed
MOST_PAIRS = 200
MOST_CHARACTERS = 200_000  # of one submission; a hostile source takes seconds to read


class SimilarPair(NamedTuple):
    first: str
    second: str
    first_share: float  # the share of the first submission that also occurs in the second
    second_share: float
    length: int  # characters of normalised code that both contain


def similar_pairs(results: Results) -> list[SimilarPair]:
    """Return the pairs that share code, most similar first. Raise MissingExtra without the extra `arena`."""
    try:
        import copydetect  # an optional extra that imports matplotlib
    except ImportError as reason:
        raise MissingExtra.of("the similarity report", "copydetect", "arena") from reason
    prints = [(s.student, _fingerprint(copydetect, s.source)) for s in results.submissions if s.source.strip()]
    found = []
    for (first, one), (second, other) in combinations([pair for pair in prints if pair[1] is not None], 2):
        length, (share, other_share), _ = copydetect.compare_files(one, other)
        if max(share, other_share) >= SHOWN:
            found.append(SimilarPair(first, second, float(share), float(other_share), int(length)))
    return sorted(found, key=lambda pair: (-max(pair[2:4]), -pair.length, pair.first, pair.second))[:MOST_PAIRS]


def _fingerprint(copydetect: Any, source: str) -> Any:
    """Return the fingerprint of a source, or None if it cannot be read or is too short."""
    try:
        found = copydetect.CodeFingerprint("a.py", MATCH_LENGTH, WINDOW, fp=io.StringIO(source[:MOST_CHARACTERS]))
    except Exception:  # a hostile source must not stop the report, whatever the tokenizer raises
        return None
    return found if len(found.hashes) else None


def similarity_page(results: Results) -> str:
    """Return the page with similar submissions."""
    up = link("Ranking", "index.html")
    try:
        pairs = similar_pairs(results)
    except MissingExtra as reason:
        return page("Similar submissions", element("p", reason, class_="notice"), up=up)
    about = element(
        "p",
        "Names, comments and white space are ignored. Similar code can have good reasons, such as a template or an "
        "example from the lecture: read both submissions before drawing a conclusion.",
    )
    rows = [(p.first, p.second, _percent(p.first_share), _percent(p.second_share), p.length) for p in pairs]
    heads = ["Submission of", "Compared with", "Share of the first", "Share of the second", "Common characters"]
    content = table("Pairs that share code, most similar first", heads, rows, numbers=(2, 3, 4)) if rows else ""
    none = "" if rows else element("p", f"No two submissions share {_percent(SHOWN)} of their code or more.")
    return page("Similar submissions", about, none, content, up=up)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
