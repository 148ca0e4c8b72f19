"""What a page needs to read replay files: the messages, and the rules of every environment id as a string."""

from collections.abc import Iterable
from typing import Any

from shoverworld.core.config import field_names
from shoverworld.core.game import EnvId, Game
from shoverworld.core.replay_messages import MESSAGES
from shoverworld.core.replay_text import KEYS, PLACE, PLAYING, START, TEXTS, TITLE, VERSION
from shoverworld.core.rules_text import describe_rules, rule_names
from shoverworld.core.task import made


def replay_data(games: Iterable[Game]) -> dict[str, Any]:
    """Return the part of `index.json` about replays."""
    return {
        "title": TITLE,
        "version": VERSION,
        "texts": TEXTS,
        "keys": KEYS,
        "words": {"place": PLACE, "start": START, "playing": PLAYING},
        "messages": MESSAGES,
        "environments": {game.env_id(env_id): _environment(game, env_id) for game in games for env_id in game.ids},
        "rules": {game.name: _rules(game) for game in games},
    }


def _environment(game: Game, env_id: EnvId) -> list[str]:
    """Return the name of the game and the rules of an environment id. A replay contains its level."""
    levels = {"levels": "random"} if "levels" in env_id.settings else {}
    env: Any = made((game.env_id(env_id), levels))
    return [game.name, describe_rules(env.rules, game.preset_rules or {})]


def _rules(game: Game) -> dict[str, Any]:
    """Return the names of the rules, and the reward that replaces that of a preset if a replay sets any part of it."""
    assert game.preset_rules is not None and game.web is not None  # `web_games` returns only such games
    rules = next(iter(game.preset_rules.values()))
    reward: Any = type(rules.reward)()
    return {
        "names": rule_names(rules),
        "of_level": rules.of_level,
        "players": game.web.players,
        "reward": {part: getattr(reward, part) for part in field_names(type(reward))},
    }
