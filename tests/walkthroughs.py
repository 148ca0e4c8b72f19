"""A solution for each bundled map, under the rules that the map names.

`2,6 R3 U` means: start at row 2, column 6, move right three times, then up once. Each move starts where the last one
ended. The position is the cell of the pushed box, or the cell of the shover under the walker rules.
"""


def actions(text: str, z_base: int = 1) -> list[tuple[int, int, int]]:
    """Return the actions (row, col, z) of a walkthrough. `z_base` is the code of "up"."""
    row = col = 0
    steps = []
    for word in text.split():
        if "," in word:
            row, col = map(int, word.split(","))
        elif word in ("barrier", "hellify"):
            steps.append((0, 0, z_base + 4 + (word == "hellify")))
        else:
            z = "URDL".index(word[0])
            for _ in range(int(word[1:] or 1)):
                steps.append((row, col, z_base + z))
                row, col = row + (z == 2) - (z == 0), col + (z == 1) - (z == 3)
    return steps


WALKTHROUGHS = {
    "01-first-push": actions("0,2 R3"),
    "02-chains": actions("0,4 R4 2,3 R5 4,1 R7"),
    "03-keep-it-moving": actions("0,9 R8 1,8 R9 2,7 R10 3,6 R11 4,5 R12 5,4 R13 6,3 R14 7,2 R15"),
    "04-burning-pays": actions("0,0 R3 0,5 R3 0,10 R3 0,15 R3 2,1 R18"),
    "05-over-the-edge": actions("0,0 U 0,4 R 4,4 D 4,0 L 1,2 U2 2,3 R2 3,2 D2 2,1 L2", 0),
    "06-strength-marks": actions("0,4 L5 0,7 R5 4,4 L5 4,7 R5 2,1 R11", 0),
    "07-walls-all-round": actions("0,0 R D 0,2 D L 2,2 L U 2,0 U R"),
    "08-behind-the-box": actions("0,0 D R6 L3 D3 R2 U R D2 U2 L5 U L D3"),
    "09-perfect-square": actions("3,6 L3 barrier 1,9 D2 barrier", 0),
    "10-it-dissolves": actions("2,8 R2 1,8 R2 D 3,8 R2 U 1,2 D 2,0 R 2,1 R9"),
    "11-the-ring": actions("2,4 U3 6,6 R3 barrier", 0),
    "12-hellify": actions("hellify 3,0 R4 3,8 L4 0,4 D3 6,4 U3 0,0 R4 D3 0,8 L4 D3 6,0 R4 U3 6,8 L4 U3"),
    "13-the-big-pit": actions(
        "3,1 R3 hellify 1,5 D3 4,11 L4 9,7 U3 6,1 R4 1,1 R4 D3 1,11 D3 L4 9,11 L4 U3 9,1 U3 R4", 0
    ),
    "14-smallest-first": actions("1,1 barrier hellify D2 R4 U R6 D L4 R2 U3 R D2 R D L4"),
    "15-corridor": actions("2,1 R8 U R D4 R D L9 R8 U4 L7 D2 L U L U R8 U R D4 R D L9"),
    "16-the-great-dock": actions(
        "barrier 12,19 L3 hellify 8,7 R7 D barrier 6,14 D3 14,14 U3 10,9 R4 10,19 L4 "
        "6,2 D4 L3 14,2 U4 L3 6,26 D4 R3 14,26 U4 R3 "
        "2,2 U3 3,6 U4 2,10 U3 3,14 U4 2,18 U3 3,22 U4 2,26 U3 "
        "18,2 D3 17,6 D4 18,10 D3 17,14 D4 18,18 D3 17,22 D4 18,26 D3",
        0,
    ),
}
