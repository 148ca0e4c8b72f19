/** The marks on top of a board: frames, shades, arrows, lines and dots, as in the window (core/ui.py describes them). */

import { contextOf } from "./sprites.js";

/** @import { Mark } from "./types.js" */

const INK = "#14161a";
const PAPER = "#e8eaee";
const FONT = "system-ui, sans-serif";
const LEAST_TEXT = 6; // pixels
const CORNERED = 24; // minimum size of a cell for text in its corner, in pixels of the screen
const LINE_WIDTH = 0.16; // as a fraction of a cell
const KEPT = 6000; // pictures of marks

/**
 * @typedef {object} Grid where the cells are on a canvas
 * @property {number} size of a cell in pixels of the canvas
 * @property {number} left
 * @property {number} top
 * @property {number} width of the canvas
 * @property {number} height
 */

/** @param {Mark} mark */
export function liesUnder(mark) {
  return mark.kind === "line" || (mark.kind === "dot" && mark.style === "small");
}

/** Draws marks. The picture of a mark that fits in a cell is drawn once and kept. */
export class MarkPainter {
  constructor() {
    /** @type {Map<string, HTMLCanvasElement>} */
    this.pictures = new Map();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Mark[]} marks
   * @param {Grid} grid
   */
  draw(context, marks, grid) {
    /** @type {Mark[]} */
    const frames = [];
    for (const mark of withSharedBadges(marks)) {
      const x = grid.left + mark.cell[1] * grid.size;
      const y = grid.top + mark.cell[0] * grid.size;
      if (mark.kind === "frame") {
        frames.push(mark);
      } else if (mark.kind === "line") {
        drawLine(context, mark, x + grid.size / 2, y + grid.size / 2, grid.size);
      } else {
        context.drawImage(this.picture(mark, grid.size), x, y);
      }
    }
    for (const mark of frames) {
      drawFrame(context, mark, grid);
    }
    /** @type {Plate[]} */
    const plates = [];
    for (const mark of frames.filter(({ text }) => text !== "")) {
      let plate = plateOf(context, mark, grid, false);
      if (plate !== null && plates.some((other) => overlap(other, /** @type {Plate} */ (plate)))) {
        plate = plateOf(context, mark, grid, true);
      }
      if (plate !== null) {
        drawPlate(context, mark, plate);
        plates.push(plate);
      }
    }
  }

  /**
   * @param {Mark} mark
   * @param {number} size
   */
  picture(mark, size) {
    const { colour, direction, kind, strength, style, text } = mark;
    const key = [size, kind, colour, text, direction, strength, style].join("|");
    let picture = this.pictures.get(key);
    if (picture === undefined) {
      if (this.pictures.size > KEPT) {
        this.pictures.clear();
      }
      picture = document.createElement("canvas");
      picture.width = picture.height = size;
      const context = contextOf(picture);
      const draw = kind === "arrow" ? drawArrow : kind === "dot" ? drawDot : drawShade;
      draw(context, mark, size);
      this.pictures.set(key, picture);
    }
    return picture;
  }
}

/**
 * Return the marks. If several arrows in a cell have text, the last one gets the text of all of them.
 *
 * @param {Mark[]} marks
 * @returns {Mark[]}
 */
function withSharedBadges(marks) {
  /** @type {Map<string, {texts: string[], last: Mark}>} */
  const badges = new Map();
  for (const mark of marks) {
    if (mark.kind === "arrow" && mark.text !== "") {
      const key = mark.cell.join();
      badges.set(key, { texts: [...(badges.get(key)?.texts ?? []), mark.text], last: mark });
    }
  }
  return marks.map((mark) => {
    const badge = mark.kind === "arrow" ? badges.get(mark.cell.join()) : undefined;
    if (badge === undefined || badge.texts.length === 1) {
      return mark;
    }
    return { ...mark, text: badge.last === mark ? badge.texts.join(", ") : "" };
  });
}

/**
 * Choose the largest font up to `height` in which a text is at most `width` wide. Return its height, or 0.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} height
 * @param {number} width
 */
function fit(context, text, height, width) {
  context.textBaseline = "middle";
  for (let size = Math.round(height); size >= LEAST_TEXT; size -= 1) {
    context.font = `600 ${size}px ${FONT}`;
    if (context.measureText(text).width <= width) {
      return size;
    }
  }
  return 0;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} size
 */
function drawShade(context, mark, size) {
  context.globalAlpha = mark.strength;
  context.fillStyle = mark.colour;
  context.fillRect(0, 0, size, size);
  context.globalAlpha = 1;
  if (mark.text === "") {
    return;
  }
  const cornered = mark.style === "corner" && size >= CORNERED;
  const height = Math.min(Math.max(size * (cornered ? 0.3 : 0.42), Math.min(9, size - 3)), 40);
  if (fit(context, mark.text, height, cornered ? size / 2 : size) === 0) {
    return;
  }
  const [x, y] = cornered ? [size * 0.75, size * 0.8] : [size / 2, size / 2];
  context.textAlign = "center";
  if (size >= 14) {
    context.lineJoin = "round";
    context.lineWidth = Math.max(2, size / 14);
    context.strokeStyle = "#fff";
    context.strokeText(mark.text, x, y);
  }
  context.fillStyle = INK;
  context.fillText(mark.text, x, y);
}

const ARROW = [
  [-0.34, -0.1],
  [0.04, -0.1],
  [0.04, -0.28],
  [0.38, 0],
  [0.04, 0.28],
  [0.04, 0.1],
  [-0.34, 0.1],
];

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} size
 */
function drawArrow(context, mark, size) {
  const [scale, middle] = mark.text === "" ? [1, 0.5] : [0.85, 0.58]; // the arrow makes room for the badge
  context.save();
  context.translate(middle * size, middle * size);
  context.rotate(((mark.direction - 1) * Math.PI) / 2); // the arrow above points to the right, which is direction 1
  context.scale(scale * size, scale * size);
  context.beginPath();
  ARROW.forEach(([x, y]) => context.lineTo(x, y));
  context.closePath();
  context.lineJoin = "round";
  context.lineWidth = 0.11;
  context.strokeStyle = "#fff";
  context.stroke();
  context.fillStyle = mark.colour;
  context.fill();
  context.restore();
  if (mark.text !== "") {
    drawBadge(context, mark.text, size);
  }
}

/**
 * Draw text on a dark plate in the top-left corner.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} size
 */
function drawBadge(context, text, size) {
  const height = fit(context, text, Math.min(Math.max(size * 0.3, 8), 36), size - 4);
  if (height === 0) {
    return;
  }
  const inset = size < CORNERED ? 0 : Math.min(Math.max(1, size / 14), 5) + 2; // leaves space for a frame
  context.fillStyle = INK;
  roundBox(context, inset, inset, context.measureText(text).width + 6, height + 3, 4);
  context.fill();
  context.textAlign = "left";
  context.fillStyle = "#fff";
  context.fillText(text, inset + 3, inset + (height + 4) / 2);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} size
 */
function drawDot(context, mark, size) {
  const radius = Math.max(1, size * ({ small: 0.15, cross: 0.325 }[mark.style] ?? 0.425));
  const thick = Math.max(1, size * 0.075);
  const disc = (/** @type {number} */ reach, /** @type {string} */ colour) => {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(size / 2, size / 2, Math.max(0.5, reach), 0, 2 * Math.PI);
    context.fill();
  };
  context.globalAlpha = mark.strength;
  if (mark.style === "small") {
    disc(radius, mark.colour);
  } else if (mark.style === "cross") {
    disc(radius, INK);
    context.strokeStyle = mark.colour;
    context.lineWidth = thick;
    context.beginPath();
    for (const slope of [-1, 1]) {
      context.moveTo(size / 2 - radius * 0.55, size / 2 - slope * radius * 0.55);
      context.lineTo(size / 2 + radius * 0.55, size / 2 + slope * radius * 0.55);
    }
    context.stroke();
  } else {
    disc(radius, PAPER); // a bright outline
    disc(radius - thick / 3, INK);
    disc(radius - thick, mark.colour);
    if (mark.style === "ring") {
      disc(radius - 2 * thick, INK);
    }
  }
  context.globalAlpha = 1;
  if (mark.text !== "" && mark.style !== "cross" && fit(context, mark.text, size * 0.5, size) >= 8) {
    context.textAlign = "center";
    context.fillStyle = mark.style !== "ring" && isLight(mark.colour) ? INK : PAPER;
    context.fillText(mark.text, size / 2, size / 2);
  }
}

/**
 * Draw a line between the centres of two cells. A strong line is thick and has a dark edge.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function drawLine(context, mark, x, y, size) {
  const width = Math.max(1.5, size * LINE_WIDTH * Math.min(Math.max(mark.strength, 0), 1) + 1);
  const dark = mark.strength >= 1 && size >= 12;
  context.lineCap = "round";
  for (const [colour, wide] of /** @type {[string, number][]} */ ([[INK, width], [mark.colour, width - 2]])) {
    if (colour === INK && !dark) {
      continue;
    }
    context.strokeStyle = colour;
    context.lineWidth = dark ? Math.max(1, wide) : width;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + mark.cols * size, y + mark.rows * size);
    context.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {Grid} grid
 */
function drawFrame(context, mark, grid) {
  const { size } = grid;
  const thick = Math.min(Math.max(1, Math.floor(size / 14)), 8);
  const x = grid.left + mark.cell[1] * size;
  const y = grid.top + mark.cell[0] * size;
  const border = (/** @type {number} */ inset, /** @type {number} */ width, /** @type {string} */ colour) => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    const half = inset + width / 2;
    roundBox(context, x + half, y + half, mark.cols * size - 2 * half, mark.rows * size - 2 * half, thick);
    context.stroke();
  };
  if (mark.style === "double" && size >= 12) {
    const line = Math.max(1, Math.floor((thick * 2) / 3));
    border(0, 2 * line + 3, INK);
    border(1, line, mark.colour);
    border(line + 2, 1, PAPER);
    return;
  }
  if (size >= 12) {
    border(0, thick + 2, INK);
    border(1, thick, mark.colour);
  } else {
    border(0, thick, mark.colour);
  }
}

/** @typedef {{x: number, y: number, width: number, height: number, font: string}} Plate the place of a frame's text */

/**
 * Return where a frame's text is drawn: on its upper or lower border. Return null if there is not enough space.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {Grid} grid
 * @param {boolean} below
 * @returns {Plate | null}
 */
function plateOf(context, mark, grid, below) {
  const { size } = grid;
  const width = mark.cols * size;
  const height = fit(context, mark.text, Math.min(Math.max(size * 0.3, 7), 32), width - 6);
  if (height === 0) {
    return null;
  }
  const edge = grid.top + (mark.cell[0] + (below ? mark.rows : 0)) * size;
  return {
    x: grid.left + mark.cell[1] * size + 1,
    y: Math.min(Math.max(edge - height / 2, 0), grid.height - height - 2),
    width: Math.min(context.measureText(mark.text).width + 6, width),
    height: height + 3,
    font: context.font,
  };
}

/**
 * Draw a frame's text on a plate in the frame's colour.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Mark} mark
 * @param {Plate} plate
 */
function drawPlate(context, mark, { font, height, width, x, y }) {
  context.fillStyle = mark.colour;
  roundBox(context, x, y, width, height, 3);
  context.fill();
  context.font = font;
  context.textAlign = "left";
  context.fillStyle = isLight(mark.colour) ? INK : PAPER;
  context.fillText(mark.text, x + 3, y + (height + 1) / 2);
}

/**
 * @param {Plate} one
 * @param {Plate} other
 */
function overlap(one, other) {
  return (
    one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height
  );
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
function roundBox(context, x, y, width, height, radius) {
  context.beginPath();
  context.roundRect(x, y, Math.max(0, width), Math.max(0, height), radius);
}

/**
 * Return whether dark text is readable on this colour.
 *
 * @param {string} colour
 */
export function isLight(colour) {
  const number = Number.parseInt(colour.slice(1), 16);
  return 0.299 * (number >> 16) + 0.587 * ((number >> 8) & 255) + 0.114 * (number & 255) > 140;
}
