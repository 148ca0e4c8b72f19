"""The page of one student: for the teacher with everything, and to hand back with what the exam allows."""

from ..exam import Exam
from . import figures
from .html import Html, element, facts, join, link, page, settings, table
from .settings import exam_settings
from .visibility import GameView, StudentView

REPLAYS = "replays.html"


def student_page(exam: Exam, view: StudentView, playable: frozenset[int], up: Html | None = None) -> str:
    """Return the page. `playable`: the numbers of the games in the page with the replays."""
    title = f"{exam.title}: {view.student}"
    parts: list[object] = [_summary(exam, view)]
    if view.problem:
        parts.append(
            element(
                "div",
                element("h2", "This submission could not be graded"),
                element("pre", view.problem),
                class_="notice",
            )
        )
    if view.games:
        parts += [element("h2", "Games"), _games(exam, view, playable), _hidden_note(view)]
        details = [_details(game, playable, view) for game in view.games if game.error or game.number in playable]
        if details:
            parts += [element("h2", "Errors and replays"), *details]
    parts += [element("h2", "The exam"), settings(exam_settings(exam, view.complete))]
    return page(title, *parts, up=up)


def _summary(exam: Exam, view: StudentView) -> Html:
    shown: list[tuple[str, object]] = []
    standing = view.standing
    if standing is not None:
        low_high = figures.interval(standing.low, standing.high, share=exam.players == 1)
        shown.append(("Place", join((figures.place(standing), element("small", f" of {view.ranked}")), "")))
        if exam.players > 1:
            shown.append(("Strength", join((figures.strength(standing.score), element("small", f" ({low_high})")), "")))
        else:
            points = (figures.number(standing.points), element("small", f" of {figures.number(standing.most)}"))
            share = (figures.percent(standing.score), element("small", f" ({low_high})"))
            shown += [("Points", join(points, "")), ("Share", join(share, ""))]
    won = [game.won for game in view.games if game.won is not None]
    if won:
        word = "Solved" if exam.players == 1 else "Finished"
        shown.append((word, join((sum(won), element("small", f" of {len(won)} games")), "")))
    ratios = [game.ratio for game in view.games if game.ratio is not None]
    if ratios:
        shown.append(("Mean ratio to the best known", f"{sum(ratios) / len(ratios):.3f}"))
    notes = ""
    if standing is not None and standing.shared:
        notes = element(
            "p",
            f"The place is shared: the results do not distinguish the students in it. They allow the places "
            f"{figures.place_range(standing)}.",
            class_="quiet",
        )
    return join((facts(shown) if shown else "", notes))


def _games(exam: Exam, view: StudentView, playable: frozenset[int]) -> Html:
    """Return the table of the games, with the columns that have any content."""
    shown = frozenset().union(*(game.shown for game in view.games))
    repeated = any(game.repetition != view.games[0].repetition for game in view.games)
    several = exam.players > 1
    columns: list[tuple[str, str, bool]] = [("Level", "level", False)]
    columns += [("Run", "run", True)] * repeated
    columns += [("Result", "result", False)] * ("outcome" in shown)
    columns += [("Place", "place", True)] * (several and "points" in shown)
    columns += [("Points", "points", True)] * (not several and "points" in shown)
    columns += [("Ratio", "ratio", True), ("Best known", "reference", True)] * (not several and "ratio" in shown)
    columns += [("Figures", "figures", False)] * ("steps" in shown)
    columns += [("Time (s)", "time", True)] * ("time" in shown)
    columns += [("Rivals", "rivals", False)] * (several and view.complete)
    columns += [("Protection", "protection", False)] * any(game.protection for game in view.games)
    columns += [("Details", "details", False)] * any(game.error or game.number in playable for game in view.games)
    rows = [[_cell(game, kind, playable) for _, kind, _ in columns] for game in view.games]
    numbers = [i for i, (_, _, is_number) in enumerate(columns) if is_number]
    texts = [i for i, (_, kind, _) in enumerate(columns) if kind in ("figures", "rivals")]
    return table("The result of each game", [name for name, _, _ in columns], rows, numbers=numbers, texts=texts)


def _cell(game: GameView, kind: str, playable: frozenset[int]) -> object:
    if kind == "level":
        return join((game.label, element("small", " (public)", class_="quiet")), "") if game.public else game.label
    if kind == "run":
        return game.repetition
    if kind == "result":
        return _result(game)
    if kind == "place":
        return figures.place_in_game(game.place, game.sharing, game.players)
    if kind == "points":
        return figures.DASH if game.points is None else f"{figures.number(game.points)} of {figures.number(game.most)}"
    if kind == "ratio":
        return figures.DASH if game.ratio is None else f"{game.ratio:.3f}"
    if kind == "reference":
        proved = " (optimal)" if game.proved else ""
        return figures.DASH if game.reference is None else f"{figures.number(game.reference)}{proved}"
    if kind == "figures":
        return _figures(game)
    if kind == "time":
        return figures.DASH if game.seconds is None else f"{game.seconds:.2f}"
    if kind == "rivals":
        return ", ".join(game.rivals)
    if kind == "protection":
        return game.protection or figures.DASH
    links = [link("error", f"#game-{game.number}")] if game.error else []
    links += [link("replay", f"#game-{game.number}")] if game.number in playable else []
    return join(links, ", ")


def _result(game: GameView) -> object:
    if game.outcome is None:
        return figures.DASH
    sign, kind = ("✓ ", "good") if game.won else ("✗ ", "bad")
    return element("span", sign + game.outcome, class_=kind)


def _figures(game: GameView) -> str:
    steps = {} if game.steps is None else {"steps": float(game.steps)}
    invalid = {"invalid": float(game.invalid)} if game.invalid else {}
    return figures.figure_list({**steps, **(game.figures or {}), **invalid}) or figures.DASH


def _hidden_note(view: StudentView) -> Html | str:
    if view.complete or all(game.public for game in view.games):
        return ""
    return element(
        "p",
        "The levels of the exam that are not public are numbered. The exam decides what is shown about them.",
        class_="quiet",
    )


def _details(game: GameView, playable: frozenset[int], view: StudentView) -> Html:
    run = f", run {game.repetition}" if any(g.repetition > 1 for g in view.games) else ""
    parts: list[object] = [element("h3", game.label + run), element("p", _result(game)) if game.outcome else ""]
    if game.error:
        parts.append(element("pre", game.error))
    if game.number in playable:
        address = f"{REPLAYS}?game={game.number}"
        frame = element("iframe", src=address, title=f"Replay: {game.label}", loading="lazy")
        alone = element("p", link("Open the replay in a page of its own", address))
        parts.append(element("details", element("summary", "Replay"), frame, alone))
    return element("section", *parts, class_="game", id=f"game-{game.number}")
