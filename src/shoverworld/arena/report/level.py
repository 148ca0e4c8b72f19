"""The page of one level, for the teacher: its board, who solved it, and the best game."""

import base64
import io
from collections.abc import Mapping

import numpy as np
from PIL import Image

from shoverworld.core.errors import ShoverWorldError
from shoverworld.games import game_named
from shoverworld.play.pictures import ScenePainter

from ..exam import Exam
from ..records import LevelRecord, Results
from . import figures
from .html import Html, element, join, link, page, settings, table
from .student import REPLAYS
from .visibility import StudentView

LARGEST_PICTURE = (720, 720)


def level_page(
    exam: Exam,
    results: Results,
    level: LevelRecord,
    views: Mapping[str, StudentView],
    folders: Mapping[str, str],
    playable: Mapping[str, frozenset[int]],
) -> str:
    """Return the page. `views`: the teacher's view of each student. `folders`: the address of each student's folder.
    `playable`: the numbers of the games of each student that can be played in a page."""
    key = (level.group, level.level)
    about = [("Level", level.level), ("Group", level.group), ("Visibility", "public" if level.public else "hidden")]
    about.append(("Weight", figures.number(level.weight)))
    if level.reference is not None:
        kind = "proved optimal" if level.proved else "not proved to be optimal"
        about.append((f"Best known {exam.points.measure}", f"{figures.number(level.reference)} ({kind})"))
    parts: list[object] = [
        element("p", level.problem, class_="notice") if level.problem else "",
        settings(about),
        _board(exam, level),
    ]
    games = [(student, game) for student, view in sorted(views.items()) for game in view.games if game.level == key]
    several, repeated = exam.players > 1, exam.repetitions > 1
    heads = [
        "Student",
        *["Run"] * repeated,
        "Result",
        *(["Place", "Rivals", "Figures"] if several else ["Points", "Ratio", "Steps"]),
        "Replay",
    ]
    rows = []
    for student, game in sorted(
        games, key=lambda pair: (-(pair[1].points or 0), -(pair[1].ratio or 0), pair[1].place or 0)
    ):
        result = element(
            "span", ("✓ " if game.won else "✗ ") + (game.outcome or ""), class_="good" if game.won else "bad"
        )
        if several:
            place = figures.place_in_game(game.place, game.sharing, game.players)
            score = [place, ", ".join(game.rivals), figures.figure_list(game.figures) or figures.DASH]
        else:
            ratio = figures.DASH if game.ratio is None else f"{game.ratio:.3f}"
            steps = figures.DASH if game.steps is None else game.steps
            score = [f"{figures.number(game.points)} of {figures.number(game.most)}", ratio, steps]
        address = f"{folders[student]}{REPLAYS}?game={game.number}"
        replay = link("replay", address) if game.number in playable[student] else figures.DASH
        name = link(student, f"{folders[student]}index.html#game-{game.number}")
        rows.append([name, *[game.repetition] * repeated, result, *score, replay])
    won = sum(bool(game.won) for _, game in games)
    word = "Finished" if several else "Solved"
    parts += [element("h2", "Games"), element("p", f"{word} in {won} of {len(games)} games.")]
    numbers = [i for i, head in enumerate(heads) if head in ("Run", "Place", "Points", "Ratio", "Steps")]
    texts = [i for i, head in enumerate(heads) if head in ("Rivals", "Figures")]
    parts.append(
        table("The games on this level, best first", heads, rows, numbers=numbers, texts=texts) if rows else ""
    )
    return page(level.title or level.level, *parts, up=link("Ranking", "../index.html"))


def _board(exam: Exam, level: LevelRecord) -> Html:
    """Return a picture of the level at the start of a game, or its text if it cannot be drawn."""
    if not level.text:
        return Html("")
    try:
        picture = board_picture(exam, level)
    except ShoverWorldError:
        return element("pre", level.text)
    image = io.BytesIO()
    Image.fromarray(picture).save(image, "PNG", optimize=True)
    data = base64.b64encode(image.getvalue()).decode("ascii")
    text = element("details", element("summary", "The level as text"), element("pre", level.text))
    height, width = picture.shape[:2]
    drawn = element(
        "img",
        class_="board",
        src=f"data:image/png;base64,{data}",
        alt="The board at the start",
        width=width,
        height=height,
    )
    return join((Html(drawn.removesuffix("</img>")), text))


def board_picture(exam: Exam, level: LevelRecord) -> np.ndarray:
    """Return a picture of the level at the start of a game."""
    game = game_named(exam.game)
    board = game.levels.boards_in(level.text, level.level)[0]
    env = game.levels.environment(board, exam.rules or board.preset)
    env.reset(seed=0, options=game.levels.options(board))
    scene = game.ui.drawing.scene(env.get_state())
    rows, cols = scene.tiles.shape
    cell = max(8, min(40, LARGEST_PICTURE[0] // max(1, cols), LARGEST_PICTURE[1] // max(1, rows)))
    return ScenePainter(game, scene, cell=cell).picture(scene)
