"""Rules as strings, in all games: "phase2, initial_force=30" is parsed, checked, combined and written."""

import pytest

from shoverworld.core.errors import ConfigError
from shoverworld.core.game import Game
from shoverworld.core.rules_text import asked_rules, describe_rules, parse_rules, rules_in_list, rules_on, rules_text
from shoverworld.games import game_named

SHOVER, SOKOBAN, RACE = (game_named(name) for name in ("shover", "sokoban", "race"))
PRESETS = SHOVER.preset_rules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("phase2", {"actor": "select", "initial_force": 40}),
        ("phase2, initial_force=30, hellify=whole", {"actor": "select", "initial_force": 30, "hellify": "whole"}),
        ("walker initial_force = 2.5  noop=no", {"actor": "walk", "initial_force": 2.5, "noop": False}),
        ("initial_force=30", {"actor": "leap", "initial_force": 30}),
        ("phase2,push_pays_step_cost=true,max_timestep=1e3", {"push_pays_step_cost": True, "max_timestep": 1000}),
        ("milestone1, unit_force=1, unit_force=2", {"unit_force": 2}),
        ("", {"actor": "leap"}),
    ],
)
def test_rules_are_parsed_from_strings(text, expected):
    rules = parse_rules(text, PRESETS)
    assert {name: getattr(rules, name) for name in expected} == expected


@pytest.mark.parametrize("text", ["{x}", "phase2 {x}", "phase2, {x}=1", "phase2, hellify={x}", "phase2, noop={x}"])
def test_an_error_quotes_only_the_beginning_of_a_long_text(text):
    with pytest.raises(ConfigError, match="xxxx") as error:
        parse_rules(text.format(x="x" * 1_000_000), PRESETS)
    assert len(str(error.value)) < 1000


def test_changing_one_part_of_the_reward_leaves_the_other_parts_unchanged():
    reward = parse_rules("phase2, reward.lava=1, reward.invalid=-0.5", PRESETS).reward
    assert (reward.lava, reward.invalid, reward.push_cost, reward.barrier) == (1, -0.5, 1, 0)
    assert parse_rules("milestone1, reward.lava=none", PRESETS) == PRESETS["milestone1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "phase",
            ["rules='phase': there is no such preset", "'milestone1', 'walker', 'phase2'", "did you mean 'phase2'?"],
        ),
        (
            "phase2, initial_forse=3",
            ["no rule 'initial_forse'", "did you mean 'initial_force'?", "hellify", "reward.lava"],
        ),
        ("phase2, hellify=hole", ["hellify='hole'", "'interior', 'whole'", "did you mean 'whole'?"]),
        ("phase2, initial_force=much", ["initial_force='much'", "must be a finite number"]),
        ("phase2, initial_force=-1", ["initial_force=-1", "must be at least 0"]),
        ("phase2, initial_force=nan", ["initial_force=nan", "finite"]),
        ("phase2, max_timestep=2.5", ["max_timestep=2.5", "an integer"]),
        ("phase2, noop=maybe", ["noop='maybe'", "must be True or False"]),
        ("phase2, reward.lave=1", ["no rule 'reward.lave'", "did you mean 'reward.lava'?"]),
        ("phase2, reward.lava=x", ["Reward.lava='x'"]),
        ("phase2, reward=1", ["no rule 'reward'"]),
        ("phase2, n_rows=4", ["n_rows cannot be set", "the level determines it"]),
        ("phase2, initial_force", ["'initial_force': expected NAME=VALUE", "max_timestep=400"]),
        ("phase2, =3", ["'=3': expected NAME=VALUE"]),
    ],
)
def test_an_error_message_names_the_mistake_and_the_valid_values(text, words):
    with pytest.raises(ConfigError) as error:
        parse_rules(text, PRESETS)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("text", "standard"),
    [
        ("phase2", "phase2"),
        ("initial_force=30", "milestone1, initial_force=30"),
        ("walker hellify=whole   initial_force=30.0", "walker, initial_force=30, hellify=whole"),
        ("phase2, initial_force=40", "phase2"),
        ("phase2, noop=on z_base=1", "phase2, z_base=1, noop=true"),
        ("milestone1, unit_force=0.1, reward.lava=1", "milestone1, unit_force=0.1, reward.lava=1"),
    ],
)
def test_every_rules_string_has_one_standard_form_that_gives_the_same_rules(text, standard):
    assert rules_text(text, PRESETS) == standard
    assert rules_text(standard, PRESETS) == standard
    assert parse_rules(standard, PRESETS) == parse_rules(text, PRESETS)


@pytest.mark.parametrize("game", [SHOVER, SOKOBAN, RACE], ids=lambda game: game.name)
def test_every_preset_is_described_by_its_own_name(game):
    assert [preset.name for preset in game.presets] == list(game.preset_rules)
    for name, rules in game.preset_rules.items():
        assert describe_rules(rules, game.preset_rules) == name
        assert parse_rules(name, game.preset_rules) == rules


def test_rules_are_described_relative_to_the_most_similar_preset():
    rules = PRESETS["walker"].change(edge="lava", initial_stamina=50, n_rows=3)
    assert describe_rules(rules, PRESETS) == "walker, edge=lava, initial_stamina=50"
    both = SOKOBAN.preset_rules["pull"].change(players=2)
    assert describe_rules(both, SOKOBAN.preset_rules) == "pull, players=2"
    assert parse_rules("pull, players=2", SOKOBAN.preset_rules) == both


@pytest.mark.parametrize(
    ("own", "asked", "rules"),
    [
        ("phase2", "", "phase2"),
        ("phase2", None, "phase2"),
        ("phase2", "walker", "walker"),
        ("phase2, edge=wall", "phase2", "phase2"),
        ("phase2", "edge=wall", "phase2, edge=wall"),
        ("phase2, edge=wall", "unit_force=3", "phase2, edge=wall, unit_force=3"),
        ("phase2, edge=wall", "edge=lava", "phase2"),
        ("phase2, edge=wall", "walker, unit_force=3", "walker, unit_force=3"),
    ],
)
def test_a_preset_replaces_the_rules_of_a_level_and_a_rule_change_modifies_them(own, asked, rules):
    assert rules_on(SHOVER, own, asked) == rules


def test_the_command_line_options_are_converted_to_a_rules_string():
    assert asked_rules(SHOVER, None) == asked_rules(SHOVER, "") == ""
    assert asked_rules(SHOVER, "phase2") == "phase2"
    assert asked_rules(SHOVER, None, ["initial_force=40", "hellify=whole"]) == "initial_force=40, hellify=whole"
    assert asked_rules(RACE, "cross", ["penalty=3"]) == "cross, penalty=3"
    assert asked_rules(SOKOBAN, None, ["max_steps=50", "pull=yes"]) == "max_steps=50, pull=true"
    for wrong in ("initial_force", "a=b=c", "a=1,b=2", "=1", "a="):
        with pytest.raises(ConfigError, match="--set"):
            asked_rules(SHOVER, None, [wrong])
    with pytest.raises(ConfigError, match="did you mean 'penalty'"):
        asked_rules(RACE, None, ["penalti=3"])
    with pytest.raises(ConfigError, match="cars cannot be set"):
        asked_rules(RACE, None, ["cars=3"])


class Tiny(Game):
    """A game whose rules cannot be changed."""

    name, title = "tiny", "Tiny"


def test_a_game_without_settable_rules_has_only_its_presets():
    assert asked_rules(Tiny(), "standard") == "standard"
    assert asked_rules(Tiny(), None) == ""
    assert rules_on(Tiny(), "standard", "") == rules_on(Tiny(), "", "standard") == "standard"
    with pytest.raises(ConfigError, match="Tiny has no rules that can be set"):
        asked_rules(Tiny(), None, ["speed=3"])
    with pytest.raises(ConfigError, match="must be one of 'standard'"):
        asked_rules(Tiny(), "chess")


def test_incompatible_rule_changes_raise_an_error_except_in_lists_of_levels():
    with pytest.raises(ConfigError, match="noop=True requires z_base"):
        rules_on(SHOVER, "phase2", "noop=true")
    assert rules_in_list(SHOVER, "phase2", "noop=true") == "phase2"
    assert rules_in_list(SHOVER, "milestone1", "noop=true") == "milestone1, noop=true"
