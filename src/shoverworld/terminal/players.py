"""Who plays, in a terminal: a list of people and agents that can be added to and taken from before a game for several."""

from rich.text import Text

from shoverworld.agents import load
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.ui import Board
from shoverworld.play.seats import Seat, name_for

from .help import wrapped

KEYS = "Enter starts · A person · I AI player · Left, Right choose the agent · Del removes · Esc back"
TYPING = "Type a name · Enter adds the person · Esc does not"


class PlayerList:
    """`ready`: the seats are chosen; `over`: the player goes back to the game."""

    def __init__(self, game: Game, board: Board, seats: tuple[Seat, ...], agent: str):
        assert game.ui.multiplayer is not None
        self.game, self.board, self.multiplayer = game, board, game.ui.multiplayer
        self.seats = list(seats)
        self.most = game.ui.multiplayer.max_players(board)
        self.agents = [*game.agent_names, *([agent] if agent not in game.agent_names else [])]
        self.agent = self.agents.index(agent)
        self.chosen = 0
        self.typed: str | None = None  # a name, while it is written
        self.said = ""
        self.ready = self.over = False

    def press(self, key: str) -> None:
        self.said = ""
        if self.typed is not None:
            self._type(key)
        elif key == "return":
            self.ready = bool(self.seats)
            self.said = "" if self.seats else "Somebody has to play: A adds a person, I an AI player."
        elif key in ("escape", "o", "q"):
            self.over = True
        elif key in ("up", "down"):
            self.chosen += 1 if key == "down" else -1
        elif key in ("left", "right"):
            self.agent = (self.agent + (1 if key == "right" else -1)) % len(self.agents)
        elif key in ("delete", "backspace", "x") and self.seats:
            self.said = f"{self.seats.pop(self.chosen).name} does not play."
        elif key == "a" and self._has_room():
            self.typed = ""
        elif key == "i" and self._has_room():
            self._add_agent(self.agents[self.agent])
        self.chosen = min(max(0, self.chosen), max(0, len(self.seats) - 1))

    def _has_room(self) -> bool:
        if len(self.seats) >= self.most:
            self.said = f"There is no seat left: this board has {self.most}."
        return len(self.seats) < self.most

    def _add_agent(self, agent: str) -> None:
        try:
            load.check(agent, self.game.name)
        except ShoverWorldError as reason:
            self.said = str(reason)
            return
        self.seats.append(Seat(name_for(self.seats, agent), agent))
        self.chosen = len(self.seats) - 1

    def _type(self, key: str) -> None:
        name = self.typed or ""
        if key == "return":
            self.seats.append(Seat(name_for(self.seats, "", name)))
            self.typed, self.chosen = None, len(self.seats) - 1
        elif key == "escape":
            self.typed = None
        elif key == "backspace":
            self.typed = name[:-1]
        elif key == "space" or len(key) == 1:
            letter = " " if key == "space" else key
            self.typed = name + (letter.upper() if not name or name.endswith(" ") else letter)  # keys have no case here

    def lines(self, columns: int, rows: int) -> list[Text]:
        """All of the page."""
        title = f"Who plays on {self.board.title or self.board.name}?  {len(self.seats)} of {self.most} seats"
        head = [Text(title, "bold"), Text()]
        room = max(1, rows - 7)
        first = max(0, min(self.chosen - room // 2, len(self.seats) - room))
        for place in range(first, min(first + room, len(self.seats))):
            seat = self.seats[place]
            red, green, blue = self.multiplayer.colour(place)
            style = "reverse" if place == self.chosen else ""
            head.append(
                Text.assemble(("● ", f"rgb({red},{green},{blue})"), (f"{place + 1:2} {seat.name:26}{seat.kind}", style))
            )
        agent = self.agents[self.agent]
        about = load.ABOUT.get(agent, "an agent of your own")
        foot = [Text(), Text.assemble("AI player: ", (f"< {agent} >", "bold"), (f"  {about}", "dim"))]
        foot.append(Text(f"Name: {self.typed}_" if self.typed is not None else self.said, "bold yellow3"))
        foot += [Text(line, "dim") for line in wrapped(TYPING if self.typed is not None else KEYS, columns)[:2]]
        return [*head, *[Text()] * max(0, rows - len(head) - len(foot)), *foot][:rows]
