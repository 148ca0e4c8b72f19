/** Three canvases with marks, on which only what has changed is drawn again. */

import { MarkPainter, liesUnder } from "./marks.js";

/** @import { Grid } from "./marks.js" */
/** @import { Mark } from "./types.js" */

/** @typedef {{layers: Mark[][], top: Mark[]}} Marks marks that change with the game, and marks that follow the pointer */

/** @type {Map<number, Mark[]>} */
const NOTHING = new Map();

/**
 * @typedef {object} Sorted the marks of a layer
 * @property {Map<number, Mark[]>} cells marks that cover one cell, by the number of the cell
 * @property {Mark[]} lower marks below the sprites
 * @property {Mark[]} frames frames, which may cover several cells
 */

export class MarkLayers {
  /** @param {Record<string, CanvasRenderingContext2D>} contexts `under`: below the sprites, `over`: single cells, `top` */
  constructor(contexts) {
    this.contexts = contexts;
    this.painter = new MarkPainter();
    this.lowered = 0; // how many marks at the pointer are below the sprites
    this.forget();
  }

  /** The canvases are empty. */
  forget() {
    /** @type {Sorted[]} */
    this.sorted = []; // the marks that are shown, which change with the game
    /** @type {WeakMap<Mark[], Sorted>} */
    this.sortedLayers = new WeakMap();
    /** @type {Record<string, string>} */
    this.drawn = {};
  }

  /**
   * @param {Marks} marks
   * @param {Grid} grid
   * @param {number} cols the number of columns on the board
   * @param {boolean} fresh whether the marks that change with the game may have changed
   */
  draw({ layers, top }, grid, cols, fresh) {
    if (fresh) {
      this.drawCells(
        layers.map((marks) => this.sort(marks, cols)),
        grid,
        cols,
      );
    }
    const under = top.filter(liesUnder);
    if (fresh || under.length + this.lowered > 0) {
      this.lowered = under.length;
      this.drawAll("under", [...this.sorted.flatMap(({ lower }) => lower), ...under], grid);
    }
    const frames = this.sorted.flatMap((layer) => layer.frames);
    this.drawAll("top", [...frames, ...top.filter((mark) => !liesUnder(mark))], grid);
  }

  /**
   * Return the marks of a layer by the way in which they are drawn. A layer that stays the same is sorted once.
   *
   * @param {Mark[]} marks
   * @param {number} cols
   */
  sort(marks, cols) {
    let found = this.sortedLayers.get(marks);
    if (found === undefined) {
      found = sortMarks(marks, cols);
      this.sortedLayers.set(marks, found);
    }
    return found;
  }

  /**
   * Draw the marks that each cover one cell. Only cells whose marks differ are drawn again, even if a new mark on one cell moves
   * the marks of all later cells to other places in the list.
   *
   * @param {Sorted[]} layers
   * @param {Grid} grid
   * @param {number} cols
   */
  drawCells(layers, grid, cols) {
    const { sorted } = this;
    const { over } = this.contexts;
    this.sorted = layers;
    /** @type {Set<number>} */
    const changed = new Set();
    for (let place = 0; place < Math.max(layers.length, sorted.length); place += 1) {
      const [now, before] = [layers[place]?.cells ?? NOTHING, sorted[place]?.cells ?? NOTHING];
      if (now !== before) {
        now.forEach((marks, cell) => sameMarks(marks, before.get(cell)) || changed.add(cell));
        before.forEach((_, cell) => now.has(cell) || changed.add(cell));
      }
    }
    for (const cell of changed) {
      const [row, col] = [Math.floor(cell / cols), cell % cols];
      over.clearRect(grid.left + col * grid.size, grid.top + row * grid.size, grid.size, grid.size);
    }
    if (changed.size > 0) {
      const marks = [...changed].flatMap((cell) => layers.flatMap(({ cells }) => cells.get(cell) ?? []));
      this.painter.draw(over, marks, grid);
    }
  }

  /**
   * Draw all marks on a canvas, unless it shows them already.
   *
   * @param {"under" | "top"} name
   * @param {Mark[]} marks
   * @param {Grid} grid
   */
  drawAll(name, marks, grid) {
    const key = JSON.stringify(marks);
    if (this.drawn[name] === key) {
      return;
    }
    if (this.drawn[name] !== undefined && this.drawn[name] !== "[]") {
      this.contexts[name].clearRect(0, 0, grid.width, grid.height);
    }
    this.drawn[name] = key;
    this.painter.draw(this.contexts[name], marks, grid);
  }
}

/**
 * Sort marks by the way in which they are drawn. The order within a cell is kept.
 *
 * @param {Mark[]} marks
 * @param {number} cols the number of columns on the board
 * @returns {Sorted}
 */
function sortMarks(marks, cols) {
  /** @type {Sorted} */
  const found = { cells: new Map(), lower: [], frames: [] };
  for (const mark of marks) {
    const cell = mark.cell[0] * cols + mark.cell[1];
    const others = found.cells.get(cell);
    if (liesUnder(mark)) {
      found.lower.push(mark);
    } else if (mark.kind === "frame") {
      found.frames.push(mark);
    } else if (others === undefined) {
      found.cells.set(cell, [mark]);
    } else {
      others.push(mark);
    }
  }
  return found;
}

/**
 * @param {Mark[]} [some]
 * @param {Mark[]} [others]
 */
function sameMarks(some = [], others = []) {
  return some.length === others.length && some.every((mark, k) => sameMark(mark, others[k]));
}

/**
 * @param {Mark} one
 * @param {Mark} other
 */
function sameMark(one, other) {
  return (
    one.cell[0] === other.cell[0] &&
    one.cell[1] === other.cell[1] &&
    one.text === other.text &&
    one.colour === other.colour &&
    one.kind === other.kind &&
    one.direction === other.direction &&
    one.strength === other.strength &&
    one.style === other.style
  );
}
