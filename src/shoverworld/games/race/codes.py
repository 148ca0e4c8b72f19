"""What a cell of a track can be (rule 3), in numbers, letters and colours."""

OFF, FREE, START, FINISH = -1, 0, 1, 100
CODES = (OFF, FREE, START, FINISH)
WORDS = {OFF: "off the track", FREE: "track", START: "start", FINISH: "finish"}

NUMBERS = {str(code): code for code in CODES}
SYMBOLS = {"#": OFF, ".": FREE, "S": START, "F": FINISH}

# The colours of the report; the second green is what many programs call green.
COLOURS = {OFF: (255, 0, 0), FREE: (0, 255, 0), START: (0, 0, 255), FINISH: (255, 255, 255)}
SHADES = (*((colour, code) for code, colour in COLOURS.items()), ((0, 128, 0), FREE))
NEAR = 109  # how far, in red, green and blue, a pixel may be from its colour; grey, orange and black are further

LARGEST_SIDE = 1000
