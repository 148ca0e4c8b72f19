"""The command line of `shover`: every command with its options.

`shover --help` must respond immediately, so this module imports only the standard library and the descriptors of the
games. The names of games, presets, agents and objectives come from the descriptors.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from shoverworld import __version__
from shoverworld.core.game import Game, Option
from shoverworld.core.text import visible
from shoverworld.games import all_games

OUT_OF_DEMO = Path("out/demo.gif")
PORT = 7468  # the letters SHOV on a telephone keypad
EXAMPLE_AGENTS = "random,planner,mine.py:Mine"
READERS = ("play", "race", "edit", "maps", "solve", "watch", "compare", "tournament")  # commands that read level files


class Parser(argparse.ArgumentParser):
    """A parser whose error messages quote arguments safely."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def build() -> Parser:
    """Build the parser for all commands."""
    parser = Parser(prog="shover", description="Grid worlds for people, search agents and learning agents.")
    parser.add_argument("--version", action="version", version=f"shover {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (help, add) in COMMANDS.items():
        command = commands.add_parser(name, help=help)
        add(command)
        if name in READERS:
            add_options(command, lambda game: game.read_options, "level files, ")
    return parser


# --- parts of the help


def _games() -> list[Game]:
    return list(all_games().values())


def names() -> str:
    """Return the names of the games in one string: "shover, sokoban or race"."""
    *others, last = all_games()
    return f"{', '.join(others)} or {last}" if others else last


def _by_game(words: Callable[[Game], Any]) -> str:
    """Return each game's title, followed by `words(game)`, such as "Sokoban: pushes, moves, any; Grid race: steps"."""
    lists = [(game.title, ", ".join(words(game))) for game in _games()]
    return "; ".join(f"{title}: {text}" for title, text in lists if text)


def _presets() -> str:
    return _by_game(lambda game: [preset.name for preset in game.presets])


def _objectives() -> str:
    return _by_game(lambda game: game.objectives)


def _agents() -> str:
    own = _by_game(lambda game: [agent.name for agent in game.agents])
    return f"planner, random or path/to/file.py:Class, and for {own}; {_own_models()}"


def _own_models() -> str:
    """Return which agents can play with a model of the user, and how to name such an agent."""
    able = dict.fromkeys(f"{agent.name}:model.npz" for game in _games() for agent in game.agents if agent.model)
    return f"{' or '.join(able)} plays with your own model"


def _add_trust(parser: Parser) -> None:
    parser.add_argument(
        "--unsafe",
        "--trust",
        dest="trust",
        action="store_true",
        help="run agents from files without a sandbox, with all rights of this user; only for agents that you trust",
    )


def _levels(what: str) -> str:
    return f"{what}, or names of packaged levels and collections (`shover maps`); levels.txt#12 is the twelfth level"


def add_options(parser: Any, select: Callable[[Game], tuple[Option, ...]], about: str = "", skip: tuple = ()) -> None:
    """Add the options that the games contribute to a command.

    If several games share an option, its help text covers all of them.
    """
    found: dict[str, list[tuple[Game, Option]]] = {}
    for game in _games():
        for option in select(game):
            if option.flag not in skip:
                found.setdefault(option.flag, []).append((game, option))
    groups: dict[str, Any] = {}
    for flag, given in found.items():
        title = about + (given[0][0].title if len(given) == 1 else "several games")
        group = groups.setdefault(title, None) or parser.add_argument_group(title)
        groups[title] = group
        first = given[0][1]
        text = first.help if len(given) == 1 else "; ".join(f"{game.title}: {option.help}" for game, option in given)
        text = text.replace("%", "%%")
        if first.switch:
            group.add_argument(flag, action="store_true", default=None, help=text)
        else:
            choices = tuple(dict.fromkeys(choice for _, option in given for choice in option.choices)) or None
            group.add_argument(flag, type=first.type, choices=choices, metavar=first.metavar, help=text)


def _add_game(parser: Any, default: str = "detected from the files") -> None:
    parser.add_argument("--game", help=f"{names()} (default: {default})")


def _add_rules(parser: Any, default: str = "the rules of the level") -> None:
    parser.add_argument("--rules", help=f"a rules preset. {_presets()} (default: {default})")
    _add_set(parser)


def _add_set(parser: Any) -> None:
    pages = ", ".join(f"{game.title}: {page}" for game in _games() if (page := game.rules_page))
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"change one rule, such as initial_force=30 or reward.invalid=0; may be repeated. The rules are listed in "
        f"the docs ({pages})",
    )


def _add_force(parser: Any, what: str) -> None:
    parser.add_argument("--force", action="store_true", help=f"replace existing files with the new {what}")


def _add_jobs(parser: Any, default: str) -> None:
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help=f"the number of processes, which does not affect the results (default: {default})",
    )
    parser.add_argument("--ray", action="store_true", help="run the jobs with Ray (pip install shoverworld[ray])")
    parser.add_argument(
        "--ray-address",
        metavar="ADDRESS",
        help="run the jobs on this Ray cluster; auto: the cluster that this machine belongs to (default: a new one here)",
    )


def _add_journal(parser: Any) -> None:
    parser.add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="keep each result in this file as soon as it is there; after an interruption, the same command continues",
    )


# --- the commands


def _demo(parser: Parser) -> None:
    parser.add_argument("maps", nargs="*", help="packaged maps or map files (default: a selection of packaged maps)")
    parser.add_argument("--out", type=Path, default=OUT_OF_DEMO, help="the GIF file (default: %(default)s)")
    parser.add_argument("--speed", type=float, default=0.12, help="seconds per step (default: %(default)s)")
    parser.add_argument(
        "--think", type=float, default=2.0, help="planning time per map, in seconds (default: %(default)s)"
    )


def _play(parser: Parser) -> None:
    parser.description = (
        "Without WHAT, the menu opens. The game is detected from the content of a file. F1 lists all keys."
    )
    parser.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        help=f"a file or folder of levels, the name of a packaged level or collection, a game ({names()}), "
        '"random", or an environment id such as shoverworld/Sokoban-small-v0; levels.txt#12 is the twelfth level',
    )
    parser.add_argument("--level", type=int, metavar="N", help="open level N in a collection; the first level is 1")
    _add_rules(parser)
    parser.add_argument("--seed", type=int, help="the seed for random levels and starts")
    parser.add_argument("--agent", help=f"the agent that plays when you press Space: {_agents()}")
    _add_game(parser, "the game that WHAT belongs to, otherwise the last game played")
    _add_view(parser)


def _add_view(parser: Parser) -> None:
    parser.add_argument(
        "--players",
        metavar="PLAYER,PLAYER",
        help="the players in a multiplayer game: human, the name of an agent, or Zoe=greedy to name a player (default: "
        "the program asks)",
    )
    _add_trust(parser)
    parser.add_argument("--terminal", action="store_true", help="play in this terminal, without a window")
    parser.add_argument("--no-animation", action="store_true", help="show every move without animation")
    parser.add_argument(
        "--fps", type=int, choices=(30, 60), help="the maximum number of frames per second (default: 30)"
    )


def _race(parser: Parser) -> None:
    parser.description = "Without LEVEL, the menu opens. F1 lists all keys. A game can be saved as a replay."
    parser.add_argument(
        "what", metavar="LEVEL", nargs="?", help="a packaged level, a level file, a folder of level files, or random"
    )
    _add_several_rules(parser)
    parser.add_argument("--seed", type=int, help="the seed for random starts and levels")
    _add_several(parser)
    _add_view(parser)
    parser.set_defaults(level=None, agent=None)


def _add_several_rules(parser: Parser) -> None:
    presets = "; ".join(", ".join(preset.name for preset in game.presets) for game in _games() if game.multiplayer)
    parser.add_argument("--rules", help=f"a rules preset: {presets} (default: the rules of the level)")
    _add_set(parser)


def _add_several(parser: Parser) -> None:
    several = [game.name for game in _games() if game.multiplayer]
    parser.add_argument("--game", default=several[0], help=f"{' or '.join(several)} (default: %(default)s)")


def _edit(parser: Parser) -> None:
    parser.description = (
        "Without LEVEL, the editor opens an empty level. F1 lists all keys. If the program ends before you save, the editor "
        "offers to restore your work the next time the program starts."
    )
    parser.add_argument(
        "map",
        metavar="LEVEL",
        nargs="?",
        help="a file, which may be new, or the name of a packaged level; levels.txt#12 is the twelfth level in a file",
    )
    parser.add_argument(
        "--rules", help="the preset that the level is made for (default: the preset given in the level)"
    )
    _add_set(parser)
    parser.add_argument(
        "--format", help="the file format; see the documentation for the game (default: the format of the file)"
    )
    _add_game(parser, f"detected from the file, or from the suffix of a new file, otherwise {_games()[0].name}")


def _maps(parser: Parser) -> None:
    parser.description = (
        "For a game with one collection, lists the levels in teaching order with the best known results; `proved` means "
        "that no result is better. For a game with several collections, lists the collections; `shover play easy#7` plays "
        "the seventh level in the collection easy."
    )
    parser.add_argument("maps", nargs="*", metavar="LEVEL", help=_levels("list these level files or folders instead"))
    _add_game(parser, f"detected from the files, otherwise {_games()[0].name}")


def _solve(parser: Parser) -> None:
    parser.description = (
        "Prints a row for each level. `seconds` is the thinking time. `proved` means that no plan is better with respect "
        "to the objective, or that no plan exists; >=N is a lower bound: no plan has fewer than N steps, pushes or "
        "moves. For a single level, the moves of the solution are printed too; --log prints every step of every level "
        "instead. Ctrl-C stops the search and shows the best plan so far. Exit code 1: a level was "
        "neither solved nor proved unsolvable; 2: a level could not be read."
    )
    parser.add_argument("maps", nargs="+", metavar="LEVEL", help=_levels("level files, folders of level files"))
    parser.add_argument("--level", type=int, metavar="N", help="use only level N in a file; the first level is 1")
    _add_rules(parser)
    parser.add_argument("--objective", help=f"the planner's objective. {_objectives()} (default: the first)")
    parser.add_argument("--agent", default="planner", help=f"{_agents()} (default: planner)")
    _add_trust(parser)
    parser.add_argument(
        "--time", type=float, default=10.0, help="time limit per level, in seconds (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="the seed for random agents and random starts (default: %(default)s)"
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="DIR",
        help="save each game as a replay, DIR/LEVEL.replay; older replays are replaced",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"save the solutions. {_by_game(_out_help)}")
    parser.add_argument("--log", action="store_true", help="print every step")
    _add_game(parser)
    _add_jobs(parser, "1; with more, Ctrl-C discards the searches in progress")
    _add_journal(parser)
    add_options(parser, lambda game: game.solve_options)


def _out_help(game: Game) -> list[str]:
    return [game.solution_files] if game.solution_files else []


def _watch(parser: Parser) -> None:
    parser.add_argument("map", metavar="LEVEL", help="a level file, or the name of a packaged level")
    parser.add_argument("--level", type=int, metavar="N", help="watch level N in a file (default: 1)")
    defaults = _by_game(lambda game: [game.default_agent])
    parser.add_argument("--agent", help=f"{_agents()} (default: {defaults})")
    _add_trust(parser)
    _add_rules(parser)
    parser.add_argument(
        "--seed",
        type=int,
        help="the seed for random agents and random starts (default: 0; in the window, the seed set in the menu)",
    )
    parser.add_argument("--speed", type=float, help="seconds per step (default: 0.25; in the window, 0.3)")
    parser.add_argument("--terminal", action="store_true", help="watch in this terminal, without a window")
    parser.add_argument(
        "--time",
        type=float,
        help="thinking time per game, in seconds; it can be changed only in the terminal (default: 60; for the planner, 5)",
    )
    parser.add_argument("--all", action="store_true", help="print every board, one below the other")
    _add_game(parser)
    parser.add_argument("--gif", type=Path, metavar="FILE", help="save an animated GIF, without a window")
    parser.add_argument("--mp4", type=Path, metavar="FILE", help="save a video with ffmpeg, without a window")


def _compare(parser: Parser) -> None:
    parser.description = (
        "Every agent plays every level alone. Writes compare.md, compare.csv and compare.png to --out. In games with "
        "several players, `shover tournament` lets agents play against each other. After Ctrl-C, the files contain the "
        "finished games. Exit code 1: an agent failed on every level; 2: a level could not be read, and the agents played "
        "the others."
    )
    parser.add_argument("maps", nargs="*", metavar="LEVEL", help=_levels("level files, folders of level files"))
    parser.add_argument(
        "--agents",
        help=f"names or file.py:Class, separated by commas, such as {EXAMPLE_AGENTS}; {_own_models()} (default: all agents "
        "for the game)",
    )
    _add_trust(parser)
    parser.add_argument("--level", type=int, metavar="N", help="use only level N in a file; the first level is 1")
    _add_game(parser)
    _add_rules(parser)
    parser.add_argument(
        "--time",
        type=float,
        default=2.0,
        help="thinking time for the planner and for learned-search, in seconds (default: %(default)s)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=60.0,
        help="maximum thinking time for other agents per game, in seconds (default: %(default)s)",
    )
    parser.add_argument("--objective", help=f"the planner's objective. {_objectives()} (default: the first)")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="also play N random levels")
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="the seed for the first random level, the agents and the starts (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("out/compare"),
        help="the folder for the results; older results in it are replaced (default: %(default)s)",
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="DIR",
        help="save each game as a replay, DIR/AGENT/LEVEL.replay; `shover replay DIR` plays them",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to a JSON file")
    _add_jobs(parser, "1; with more, thinking times are longer if processes share a core")
    _add_journal(parser)
    add_options(parser, lambda game: game.generate_options, "random levels, ", ("--rules", "--format"))


def _tournament(parser: Parser) -> None:
    parser.description = (
        "Every group of players plays on every level, once for each rotation of the players. Writes tournament.md and "
        "tournament.csv to --out; after Ctrl-C, they contain the finished games. Exit code 1: a player failed in every "
        "game; 2: a level could not be read."
    )
    parser.add_argument(
        "tracks",
        nargs="*",
        metavar="LEVEL",
        help=_levels("level files, folders of level files") + " (default: all packaged levels)",
    )
    parser.add_argument(
        "--players",
        help="names or file.py:Class, separated by commas, such as racer,optimal,mine.py:Mine (default: the agents that "
        "come with the game)",
    )
    _add_trust(parser)
    parser.add_argument("--cars", type=int, default=2, help="the number of players in each game (default: %(default)s)")
    parser.add_argument(
        "--races", type=int, default=2, help="the number of different starts on each level (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed for the first start (default: %(default)s)")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="also play on N random levels")
    parser.add_argument(
        "--patience",
        type=float,
        default=60.0,
        help="maximum thinking time per player per game, in seconds (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("out/tournament"),
        help="the folder for the results; older results in it are replaced (default: %(default)s)",
    )
    _add_several(parser)
    _add_several_rules(parser)
    _add_jobs(parser, "1")
    _add_journal(parser)
    add_options(parser, lambda game: game.rule_options if game.multiplayer else ())


def _grade(parser: Parser) -> None:
    parser.usage = (
        "%(prog)s EXAM.toml SUBMISSIONS... --out DIR [options]\n"
        "       %(prog)s --practice [EXAM.toml] AGENT\n"
        "       %(prog)s --new [FILE]"
    )
    parser.description = (
        "Plays the games of an exam with all submissions in a sandbox, and writes tables and reports to --out. Every game "
        "is stored as it ends: after Ctrl-C, a crash or a power failure, the same command continues. Points, weights and "
        "titles in the exam file may be changed afterwards; the same command then writes new tables without playing again. "
        "Exit code 0: everything was graded; 1: a submission or a level was skipped, or with --practice, the agent failed; "
        "2: nothing was graded because of an error; 3: games were lost to faults of the machine, so the exam is unfinished: "
        "run the command again; 130: Ctrl-C."
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="the exam file, then the submissions: Python files, zip archives, folders with one submission per entry, or "
        f"names of packaged agents, which play for comparison; {_own_models()}",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for the results (default: out/NAME-OF-EXAM)"
    )
    parser.add_argument(
        "--students",
        type=Path,
        metavar="TABLE",
        help="a CSV table with the columns file and student (default: the names of the files are the students)",
    )
    parser.add_argument("--restart", action="store_true", help="delete the results in --out and start again")
    parser.add_argument(
        "--ladder",
        type=Path,
        metavar="FILE",
        help="add the games to the ratings in a JSON file, for a class that submits all semester, and print the ladder "
        "(extra arena)",
    )
    parser.add_argument(
        "--practice",
        action="store_true",
        help="for students: play the public levels with one agent and the limits of the exam, and say what would have "
        "failed; without an exam file, the packaged levels of --game",
    )
    parser.add_argument(
        "--new", action="store_true", help="write a commented exam file (default: exam.toml) for --game"
    )
    _add_trust(parser)
    _add_jobs(parser, "one per core")
    _add_game(parser, f"{_games()[0].name}; an exam file names its own game")
    _add_force(parser, "exam files, with --new")


def _new(parser: Parser) -> None:
    parser.description = "Writes an agent with comments, and a test for it: `python -m pytest FOLDER` runs the test."
    parser.add_argument("what", choices=("agent",), help="what to write")
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        default=Path("my_agent.py"),
        help="the file (default: %(default)s)",
    )
    _add_game(parser, _games()[0].name)
    _add_force(parser, "files")


def _replay(parser: Parser) -> None:
    parser.description = (
        "Checks every file against the rules, step by step, and opens the accepted replays in a window. If no window can be "
        "opened, they are played in the terminal; if the output is not a terminal either, the final boards are printed. "
        "Exit code 1: a replay was rejected; 2: a file is missing or not a replay."
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        type=Path,
        help="replay files (docs/replays.md) or folders of *.replay files; with --lurd, a level",
    )
    parser.add_argument(
        "--lurd",
        metavar="MOVES",
        help="play these moves on the level: LURD letters for Sokoban, or the notation in which the window copies moves; "
        "or a file that contains them, with one line for each level in a collection",
    )
    parser.add_argument("--terminal", action="store_true", help="play them in this terminal, without a window")
    parser.add_argument(
        "--speed", type=float, default=0.12, help="seconds per step in the terminal (default: %(default)s)"
    )
    parser.add_argument("--check", action="store_true", help="only check, do not play")
    parser.add_argument(
        "--step", type=int, metavar="N", help="show the board after move N instead of playing; free moves do not count"
    )
    parser.add_argument("--gif", type=Path, metavar="FILE", help="save an animated GIF of all accepted replays")
    parser.add_argument("--mp4", type=Path, metavar="FILE", help="save a video of all accepted replays, with ffmpeg")
    parser.add_argument(
        "--png",
        type=Path,
        metavar="FILE",
        help="save a picture of the final board, or of the board after step N (--step)",
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="save a page that plays the replay in any browser, without a server"
    )
    parser.add_argument("--quiet", action="store_true", help="print errors only, and do not play")


def _generate(parser: Parser) -> None:
    parser.usage = f"%(prog)s [{' | '.join(all_games())}] [COUNT] [options]"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    examples = "\n".join(f"  shover generate {example}" for game in _games() for example in game.generate_examples)
    parser.epilog = f"examples:\n{examples}\n" if examples else ""
    first = _games()[0].name
    parser.add_argument(
        "what",
        nargs="*",
        metavar="GAME COUNT",
        help=f"the game (default: {first}) and the number of levels (default: 1)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="the seed for the first level; each subsequent level uses the next seed (default: 0)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        help="a folder for one file per level, or a single file for games with many levels per file (default: print the "
        "levels)",
    )
    _add_force(parser, "levels")
    _add_jobs(parser, "chosen automatically")
    _add_journal(parser)
    _add_set(parser)
    add_options(parser, lambda game: game.generate_options)


def _learn(parser: Parser) -> None:
    parser.description = (
        "Trains the policy of a game on levels, with labels from the game's own solver. The same seed, levels and options "
        "give the same model, unless --minutes ends the training. After Ctrl-C, the model learned so far is saved. To play "
        "with a model: shover watch LEVEL --agent learned-search:FILE"
    )
    able = [game.name for game in _games() if type(game).learning is not None]
    parser.add_argument("game", metavar="GAME", help=f"the game: {' or '.join(able)}")
    parser.add_argument(
        "--levels",
        nargs="+",
        required=True,
        metavar="FILE",
        help="files, folders or packaged sets to learn from; levels.txt#12 is the twelfth level",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model file to write, *.npz")
    parser.add_argument(
        "--minutes",
        type=float,
        help="stop after this time; the first step, which includes most of the compilation, does not count (default: when "
        "all passes are done)",
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed (default: %(default)s)")
    parser.add_argument(
        "--passes", type=int, default=2, help="passes over all labels after each round (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=1,
        help="1: learn from the solver's own solutions; each further round labels positions that the policy itself has "
        "reached (default: %(default)s)",
    )
    parser.add_argument("--rate", type=float, default=0.1, help="the learning rate, above 0 (default: %(default)s)")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint FILE.checkpoint")
    _add_force(parser, "model")


def _bench(parser: Parser) -> None:
    parser.description = (
        "Measures the speed of every game in rounds. A result is the median over the rounds, followed by the two "
        "quartiles and, if there is one, the target. Lines that are compared are measured in the same rounds."
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=0.3,
        help="how long to measure a line in each round, in seconds (default: %(default)s)",
    )
    parser.add_argument("--rounds", type=int, help="the number of rounds (default: 5, and 1 for slow lines)")
    parser.add_argument(
        "--only",
        metavar="PATTERN",
        default="*",
        help="measure only lines whose names contain PATTERN, as in 'batch of 64*'",
    )
    parser.add_argument("--all", action="store_true", help="include slow lines, which compile everything again")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to a file")
    _add_game(parser, "all")


def _course(parser: Parser) -> None:
    parser.description = (
        "Writes environment.py (the environment with the course's API), gui.py, run_player_ai.py, watch_ai_steps.py "
        "and test.py. The files use the installed package: `cd DIR` and `python test.py`."
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder for the files; it is created if missing")
    _add_force(parser, "files")


def _web(parser: Parser) -> None:
    parser.description = (
        "Serves the web player on this machine, with hints, solving, agents and the records of the window. Other machines "
        "cannot reach it. Ctrl-C ends the server."
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="level files and replays that can be opened on the page"
    )
    parser.add_argument("--port", type=int, default=PORT, help="the port; 0 means any free port (default: %(default)s)")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="an address of this machine: 127.0.0.1, localhost or ::1 (default: %(default)s)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    _add_trust(parser)


def _sandbox(parser: Parser) -> None:
    parser.description = (
        "Agents from files run in a sandbox. This command prints what this machine offers for it, and tries attacks in a "
        "real sandbox: reading files, the network, other processes, memory. Exit code 1: something is not blocked."
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def _warmup(parser: Parser) -> None:
    _add_game(parser, "all")


COMMANDS: dict[str, tuple[str, Callable[[Parser], None]]] = {
    "demo": ("watch the planner solve packaged maps; saves an animated GIF", _demo),
    "play": ("play in a window, or in the terminal", _play),
    "race": ("play with several people and agents, in a window or in the terminal", _race),
    "edit": ("draw a level in a window", _edit),
    "maps": ("list the packaged levels for a game", _maps),
    "solve": ("solve levels with the planner or another agent", _solve),
    "watch": ("watch an agent play a level, in a window or in the terminal", _watch),
    "compare": ("compare agents on levels; writes tables and a plot", _compare),
    "tournament": ("let agents play against each other in every start position; writes tables", _tournament),
    "grade": ("grade submissions in an exam, in a sandbox; writes tables and reports", _grade),
    "new": ("write an agent with a test, to start from", _new),
    "replay": ("check replay files, and watch them in a window or in the terminal", _replay),
    "web": ("play in a browser on this machine", _web),
    "sandbox": ("check how this machine contains agents from files", _sandbox),
    "generate": ("generate random levels", _generate),
    "learn": ("train a policy on levels; writes a model for the agents learned and learned-search", _learn),
    "envs": ("list the environment ids with their settings", lambda parser: None),
    "course": ("write the files that the course asks for into a folder", _course),
    "bench": ("measure the speed of the engines on this machine", _bench),
    "warmup": ("compile everything now, so that later starts are quick", _warmup),
}
