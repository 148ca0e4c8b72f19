"""The planner's claims in the places where a sceptic found them wrong, and where he looked in vain."""

from shoverworld import Map, Rules, solve


def test_a_map_with_more_boxes_than_its_squares_have_room_for():
    """Twelve boxes would be three squares, but a map of 3 x 5 holds two at most."""
    plan = solve(Map.parse("BBBBB\nBBBBB\nBB..A"), Rules(edge="lava", max_timestep=30), time_limit=0.2)
    assert plan.status == "solved"
