"""The kinds of track cells (rule 3) as numbers, symbols and colours."""

OFF, FREE, START, FINISH = -1, 0, 1, 100
CODES = (OFF, FREE, START, FINISH)

NUMBERS = {str(code): code for code in CODES}
SYMBOLS = {"#": OFF, ".": FREE, "S": START, "F": FINISH}

# The colours used in the race report.
COLOURS = {OFF: (255, 0, 0), FREE: (0, 255, 0), START: (0, 0, 255), FINISH: (255, 255, 255)}
NEAR = 109  # maximum RGB distance between a pixel and a track colour; grey, orange and black are farther away

LARGEST_SIDE = 1000
