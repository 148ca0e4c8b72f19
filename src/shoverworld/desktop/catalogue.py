"""The maps of the menu: a random one, those that come with the room, and files; with small pictures and records."""

import pygame

from shoverworld.core.front import Board, Front, Scene
from shoverworld.play.records import Records, standing

from .pictures import Pictures
from .widgets import Item

RANDOM = "random"
FINE = 16  # pixels a cell, before a small picture is made smaller
WIDTH, HEIGHT = 76, 48  # of a small picture


class Catalogue:
    """Boards by the names the settings know them by: "random", the name of one of the room's, or the path of a file."""

    def __init__(self, front: Front, records: Records):
        self.front, self.records = front, records
        self._files: dict[str, Board] = {}
        self._boards = {board.name: board for board in front.boards()}
        self._pictures: dict[tuple[str, str], pygame.Surface] = {}
        self._tiles = Pictures(front)

    def names(self) -> list[str]:
        return [RANDOM, *self._files, *self._boards]

    def add(self, board: Board) -> str:
        """A board from a file; gives its name in the list. One of the room's own is there already."""
        if board.path is None:
            return board.name
        self._files[board.path] = board
        self._pictures = {key: picture for key, picture in self._pictures.items() if key[0] != board.path}
        return board.path

    def board(self, name: str, preset: str, seed: int) -> Board:
        """`preset` and `seed` are for a random one."""
        if name == RANDOM:
            return self.front.random(preset, seed)
        return self._files.get(name) or self._boards[name]

    def items(self, preset: str, seed: int) -> list[Item]:
        """The lines of the list; `preset`: the rules that are chosen, "" when each map has its own."""
        usual = preset or self.front.presets[0].name
        items = [Item(RANDOM, "Random map", picture=self._dice(), below=f"from the seed; {usual}")]
        for name in self.names()[1:]:
            board = self.board(name, usual, seed)
            rules = preset or board.preset
            rows, cols = self.front.thumbnail(board).tiles.shape
            other = f" (made for {board.preset})" if board.preset != rules else ""
            below = f"{board.name}, {rows} x {cols}, {rules}{other}"
            picture = self._picture(name, board, rules)
            items.append(Item(name, board.title or board.name, self._note(board, rules), picture, below))
        return items

    def told(self, board: Board, preset: str) -> list[str]:
        """The records of a board, in lines."""
        identity = self.front.identity(board, preset)
        mine, known = self.records.mine(identity), self.front.best_known(identity)
        lines = []
        if mine:
            lines.append(f"Your best: {mine.words}")
        if known:
            lines.append(f"{standing(known)}: {known.words}")
        return lines

    def _note(self, board: Board, preset: str) -> str:
        identity = self.front.identity(board, preset)
        mine, known = self.records.mine(identity), self.front.best_known(identity)
        if mine is None:
            return ""
        if known is None:
            return f"your best {mine.numbers[0]:g}"
        if mine.numbers[0] <= known.numbers[0]:
            return f"your best {mine.numbers[0]:g} = {standing(known).lower()}"
        return f"your best {mine.numbers[0]:g} · {standing(known).lower()} {known.numbers[0]:g}"

    def _picture(self, name: str, board: Board, preset: str) -> pygame.Surface:
        key = name, preset
        if key not in self._pictures:
            self._pictures[key] = self._small(self.front.thumbnail(board))
        return self._pictures[key]

    def _small(self, scene: Scene) -> pygame.Surface:
        rows, cols = scene.tiles.shape
        whole = pygame.Surface((cols * FINE, rows * FINE))
        tiles = self._tiles.tiles(set(scene.tiles.ravel().tolist()), FINE)
        for row, line in enumerate(scene.tiles.tolist()):
            whole.blits([(tiles[tile], (col * FINE, row * FINE)) for col, tile in enumerate(line)])
        for actor in scene.actors:
            row, col = actor.end
            whole.blit(self._tiles.sprite(actor.tile, FINE, FINE, 1.0), (round(col * FINE), round(row * FINE)))
        scale = min(WIDTH / whole.get_width(), HEIGHT / whole.get_height(), 1.0)
        small = max(1, round(whole.get_width() * scale)), max(1, round(whole.get_height() * scale))
        picture = pygame.Surface((WIDTH, HEIGHT), pygame.SRCALPHA)  # all as wide: the words beside them stand in line
        picture.blit(pygame.transform.smoothscale(whole, small), ((WIDTH - small[0]) // 2, (HEIGHT - small[1]) // 2))
        return picture

    def _dice(self) -> pygame.Surface:
        """A picture that stands for chance: the five of a die."""
        picture = pygame.Surface((4 * WIDTH, 4 * HEIGHT), pygame.SRCALPHA)
        die = pygame.Rect(0, 0, 150, 150)
        die.center = picture.get_rect().center
        pygame.draw.rect(picture, (232, 234, 238), die, border_radius=28)
        for dx, dy in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)):
            pygame.draw.circle(picture, (36, 40, 49), (die.centerx + dx * 40, die.centery + dy * 40), 16)
        return pygame.transform.smoothscale(picture, (WIDTH, HEIGHT))
