"""The page on which the players are chosen in a terminal: people and agents, in the order in which they move."""

from rich.text import Text

from shoverworld.play.players import PlayersSetup

from .help import wrapped

KEYS = "Enter: start · A: person · I: AI {player} · Left, Right: choose the agent · Del: remove · Esc: back"
TYPING = "Type a name · Enter: add the person · Esc: cancel"


class PlayersPage:
    """The page for choosing players. `done`: whether the page has been closed. `accepted`: whether to begin the game
    with the chosen players."""

    def __init__(self, setup: PlayersSetup):
        self.setup = setup
        self.typed: str | None = None  # the name that is being typed, or None if no name is being typed
        self.done = self.accepted = False

    def press(self, key: str) -> None:
        setup = self.setup
        setup.say("", "")
        if self.typed is not None:
            self._type(key)
        elif key == "return":
            self.done = self.accepted = setup.ready()
        elif key in ("escape", "o", "q"):
            self.done = True
        elif key in ("up", "down"):
            setup.choose(setup.chosen + (1 if key == "down" else -1))
        elif key in ("left", "right"):
            setup.next_agent(1 if key == "right" else -1)
        elif key in ("delete", "backspace", "x"):
            setup.remove()
        elif key == "a" and setup.has_place():
            self.typed = ""
        elif key == "i":
            setup.add_agent()

    def _type(self, key: str) -> None:
        name = self.typed or ""
        if key == "return":
            self.setup.add_person(name)
            self.typed = None
        elif key == "escape":
            self.typed = None
        elif key == "backspace":
            self.typed = name[:-1]
        elif key == "space" or len(key) == 1:
            letter = " " if key == "space" else key
            self.typed = name + (letter.upper() if not name or name.endswith(" ") else letter)  # keys are lower case

    def lines(self, columns: int, rows: int) -> list[Text]:
        setup = self.setup
        multiplayer, count = setup.game.ui.multiplayer, len(setup.players)
        assert multiplayer is not None
        head = [Text(f"{setup.title}  {setup.taken}", "bold"), Text()]
        room = max(1, rows - 7)
        first = max(0, min(setup.chosen - room // 2, count - room))
        for place in range(first, min(first + room, count)):
            player = setup.players[place]
            red, green, blue = multiplayer.colour(place)
            style = "reverse" if place == setup.chosen else ""
            words = f"{place + 1:2} {player.name:26}{player.kind}"
            head.append(Text.assemble(("● ", f"rgb({red},{green},{blue})"), (words, style)))
        agent = setup.agents[setup.agent]
        about = (f"  {setup.about_agent}", "dim")
        foot = [Text(), Text.assemble(f"AI {setup.game.player_word}: ", (f"< {agent} >", "bold"), about)]
        foot.append(Text(f"Name: {self.typed}_" if self.typed is not None else setup.message, "bold yellow3"))
        foot += [
            Text(line, "dim")
            for line in wrapped(TYPING if self.typed is not None else KEYS.format(**setup.game.words), columns)[:2]
        ]
        return [*head, *[Text()] * max(0, rows - len(head) - len(foot)), *foot][:rows]
