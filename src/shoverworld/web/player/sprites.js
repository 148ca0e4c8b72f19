/** The pictures of a game's tiles, from a sprite sheet that Python made (web/sprites.py). */

import { load } from "./data.js";

/** @import { SpriteTable } from "./types.js" */

const KEPT = 2000; // scaled pictures

/** The pictures of the tiles, scaled once for each size. */
export class Sprites {
  /**
   * @param {ImageBitmap} sheet
   * @param {SpriteTable} table
   */
  constructor(sheet, table) {
    this.sheet = sheet;
    this.table = table;
    this.places = new Map(table.tiles);
    /** @type {Map<number, HTMLCanvasElement>} */
    this.pieces = new Map();
    /** @type {Map<string, HTMLCanvasElement>} */
    this.scaled = new Map();
  }

  /**
   * @param {string} game
   * @returns {Promise<ImageBitmap>}
   */
  static async load(game) {
    return createImageBitmap(new Blob([await load(`${game}.png`)], { type: "image/png" }));
  }

  /**
   * Return the tiles that a tile shows, one on top of the other.
   *
   * @param {number} tile
   * @returns {number[]}
   */
  parts(tile) {
    if (this.places.has(tile)) {
      return [tile];
    }
    for (const [first, step, count, parts] of this.table.stacks) {
      const k = (tile - first) / step;
      if (Number.isInteger(k) && k >= 0 && k < count) {
        return parts.map(([part, partStep]) => part + k * partStep);
      }
    }
    return [];
  }

  /**
   * Return the picture of a tile with this many pixels on each side.
   *
   * @param {number} tile
   * @param {number} size
   * @returns {HTMLCanvasElement}
   */
  picture(tile, size) {
    const key = `${tile} ${size}`;
    let picture = this.scaled.get(key);
    if (picture === undefined) {
      if (this.scaled.size > KEPT) {
        this.scaled.clear();
      }
      picture = this.draw(tile, size);
      this.scaled.set(key, picture);
    }
    return picture;
  }

  /**
   * @param {number} tile
   * @param {number} size
   */
  draw(tile, size) {
    const picture = document.createElement("canvas");
    picture.width = picture.height = size;
    const context = contextOf(picture);
    for (const part of this.parts(tile)) {
      context.drawImage(this.cut(/** @type {number} */ (this.places.get(part))), 0, 0, size, size);
    }
    return picture;
  }

  /**
   * Cut a picture out of the sheet. A browser that scales a part of a picture would mix in the colours of its neighbours.
   *
   * @param {number} place
   */
  cut(place) {
    let piece = this.pieces.get(place);
    if (piece === undefined) {
      const { columns, size } = this.table;
      piece = document.createElement("canvas");
      piece.width = piece.height = size;
      contextOf(piece).drawImage(this.sheet, -(place % columns) * size, -Math.floor(place / columns) * size);
      this.pieces.set(place, piece);
    }
    return piece;
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
export function contextOf(canvas) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  return context;
}
