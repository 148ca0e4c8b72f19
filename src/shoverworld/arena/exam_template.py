"""The commented exam file that `shover grade --new` writes, and the exam for practising without an exam file."""

import secrets

from shoverworld.core.game import Game
from shoverworld.core.rules_text import example_of

from .exam import DETAILS, Exam, LevelGroup, Points

_TEXT = """\
# An exam for {title}. Lines that begin with # are comments; the values in them are the defaults.
# Grade with:            shover grade {file} SUBMISSIONS --out results
# Students practise with: shover grade --practice {file} my_agent.py

title = "{title}"
game = "{game}"
secret = "{secret}"   # the seeds of all games are derived from it: keep it to yourself
# repetitions = 1                # games of each student on each level
# players = 1                    # players in a game; 2 or more play against each other (games with several players)
# reference_seconds = 5.0        # how long the planner searches for the best result on each level

# The modules that a submission may import, besides the standard library and its own files. Without this line: all that are
# installed, also this package with its planners. An empty list allows only the standard library.
# imports = ["numpy"]

# What students may see about games on hidden levels, of: {details}
# details = ["points", "outcome", "error"]

# Without a preset, each {level} is played by its own rules. The presets are {presets}.
[rules]
# preset = "{preset}"
{rule}
[limits]
# move_seconds = 1.0             # processor time for one move; without this line, only the game is limited
game_seconds = 60.0              # processor time for one game, including loading
memory = 1024                    # megabytes

[points]
solved = 1.0                     # for a game that was won
quality = 1.0                    # more for a won game: times the reference divided by the result
measure = "{measure}"{pad}# what is compared with the reference: {measures}
# invalid = 0.0                  # off for each invalid action
# failure = 0.0                  # off if the agent fails (an exception, a limit, a forbidden module)

# Groups of levels. Places are files, folders (relative to this file) or packaged sets: {sets}
[[levels]]
name = "public"
places = ["{set}"]
public = true                    # students may see these levels and practise on them

[[levels]]
name = "hidden"
random = 10                      # random levels; their seeds are derived from the secret
weight = 2.0                     # the points of these levels count twice
# options = {{ {option} }}
"""


def exam_template(game: Game, file: str) -> str:
    """Return the text of an exam file for a game."""
    measures = list(dict.fromkeys([*game.figures, *(name for name in game.objectives if name != "any")]))
    sets = [collection.name for collection in game.levels.collections()]
    options = [option.dest for option in game.generate_options if option.type is int]
    rule = example_of(game.preset_rules).replace("=", " = ") if game.preset_rules is not None else ""
    return _TEXT.format(
        title=game.title,
        game=game.name,
        file=file,
        secret=secrets.token_hex(16),
        details=", ".join(DETAILS),
        level=game.level_word,
        presets=", ".join(preset.name for preset in game.presets),
        preset=game.presets[0].name,
        rule=f"# {rule}\n" if rule else "",
        measure=game.figures[0],
        pad=" " * max(1, 21 - len(game.figures[0])),
        measures=", ".join(measures),
        sets=", ".join(sets),
        set=sets[0],
        option=", ".join(f"{name} = 16" for name in options[:2]),
    )


def practice_exam(game: Game) -> Exam:
    """Return the exam for practising without an exam file: the first packaged set with the usual limits."""
    places = (game.levels.collections()[0].name,)
    return Exam(
        f"Practice: {game.title}",
        game.name,
        "",
        (LevelGroup("public", places, public=True),),
        points=Points(1.0, 1.0, game.figures[0]),
    )
