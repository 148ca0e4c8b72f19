"""Advisors: each proposes at most one move of a position, the one that improves its feature the most.

packing       fills the next parking place of the plan, or brings a box to a goal
connectivity  joins areas of the floor
room links    clears a link between rooms
plan          brings back a box that is out of plan
explorer      gives the player more room
hotspots      moves a box that keeps others from targets
opener        clears the way to the next parking place

No advisor proposes a move that undoes a part of the packing.
"""

from shoverworld.core.jit import inner

from .features import AREAS, HOT, NOISE, OPENS, OUT_OF_PLAN, PACKED, REACH, ROOMS

PACKING, CONNECTIVITY, ROOM_LINKS, PLAN, EXPLORER, HOTSPOTS, OPENER, ADVISORS = range(8)
NO_GAIN = -(1 << 60)


@inner
def gain_of(advisor, before, after):
    """Return by how much a move improves the advisor's feature."""
    if advisor == PACKING:
        return after[PACKED] - before[PACKED]
    if advisor == CONNECTIVITY:
        return before[AREAS] - after[AREAS]
    if advisor == ROOM_LINKS:
        return before[ROOMS] - after[ROOMS]
    if advisor == PLAN:
        return before[OUT_OF_PLAN] - after[OUT_OF_PLAN]
    if advisor == EXPLORER:
        return after[REACH] - before[REACH]
    if advisor == HOTSPOTS:
        return before[HOT] - after[HOT]
    return after[OPENS]


@inner
def score_for(advisor, before, after):
    """Return the advisor's score of a move: its gain first, then how tidy the position is; NO_GAIN if it has no gain."""
    gain = gain_of(advisor, before, after)
    if gain <= 0 or after[PACKED] < before[PACKED] or after[OUT_OF_PLAN] > before[OUT_OF_PLAN]:
        return NO_GAIN
    tidy = 100 * (64 - after[AREAS]) - 50 * after[OUT_OF_PLAN] - 10 * after[ROOMS] + after[REACH]
    return (gain << 20) + tidy + after[NOISE]
