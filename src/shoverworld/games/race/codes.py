"""The kinds of track cells (rule 3) as numbers, symbols and colours."""

OFF, FREE, START, FINISH = -1, 0, 1, 100
CODES = (OFF, FREE, START, FINISH)

NUMBERS = {str(code): code for code in CODES}
SYMBOLS = {"#": OFF, ".": FREE, "S": START, "F": FINISH}

# The colours used in the report. (0, 128, 0) is also read as track, because many programs call this colour green.
COLOURS = {OFF: (255, 0, 0), FREE: (0, 255, 0), START: (0, 0, 255), FINISH: (255, 255, 255)}
SHADES = (*((colour, code) for code, colour in COLOURS.items()), ((0, 128, 0), FREE))
NEAR = 109  # maximum RGB distance between a pixel and a track colour; grey, orange and black are farther away

LARGEST_SIDE = 1000
