/**
 * The board: canvases on top of each other, each of which is redrawn only if its content has changed.
 *
 * From bottom to top: tiles, marks below the sprites (lines, small dots), sprites, the marks of overlays that cover one cell,
 * and frames with the marks that follow the pointer. The size of a cell is a whole number of pixels of the screen.
 */

import { MarkLayers } from "./mark_layers.js";
import { contextOf } from "./sprites.js";

/** @import { Marks } from "./mark_layers.js" */
/** @import { Cell, Mark, Motion, Scene, Sprite } from "./types.js" */
/** @import { Sprites } from "./sprites.js" */

const LAYERS = ["tiles", "under", "sprites", "over", "top"];
const RULER = 20; // the width of the rulers with row and column numbers
const RULED = 20; // the minimum size of a cell with rulers
const LARGEST = 96; // the maximum size of a cell
const MOST_PIXELS = 4096; // the maximum width and height of a canvas
const FOLLOW = 0.25; // how near to the edge of the visible part the first actor may be, as a fraction

export class Board {
  /**
   * @param {HTMLElement} frame the element that the board fills; it scrolls if the board is too large
   * @param {number} least the minimum size of a cell
   */
  constructor(frame, least) {
    this.frame = frame;
    this.least = least;
    this.animated = true;
    this.speed = 1;
    this.stage = document.createElement("div");
    this.stage.className = "stage";
    /** @type {Record<string, CanvasRenderingContext2D>} */
    this.layers = {};
    for (const name of LAYERS) {
      const canvas = document.createElement("canvas");
      canvas.setAttribute("aria-hidden", "true");
      canvas.dataset.layer = name;
      this.stage.append(canvas);
      this.layers[name] = contextOf(canvas);
    }
    frame.append(this.stage);
    this.markLayers = new MarkLayers(this.layers);
    /** @type {Sprites | null} */
    this.sprites = null;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Motion | null} */
    this.motion = null;
    this.began = 0;
    this.frameRequest = 0;
    /** @type {Int16Array | null} */
    this.shown = null;
    /** @type {Marks} */
    this.marks = { layers: [], top: [] };
    /** @type {[number, number, number, number][]} */
    this.used = []; // where sprites were drawn
    this.scale = 1;
    this.grid = { size: 1, left: 0, top: 0, width: 1, height: 1 };
    /** @type {(() => void) | null} */
    this.onRest = null; // called when a motion has ended
    /** @type {DOMRect | null} */
    this.box = null; // the place of the stage in the window, as long as it is known
    new ResizeObserver(() => this.fit()).observe(frame);
    document.addEventListener("scroll", () => this.forgetPlace(), { capture: true, passive: true });
    window.addEventListener("resize", () => this.forgetPlace());
  }

  // --- content

  /**
   * Use the pictures of another game.
   *
   * @param {Sprites} sprites
   */
  useSprites(sprites) {
    this.sprites = sprites;
    this.scene = null;
  }

  /**
   * Show a scene, with a motion that leads to it. A motion that is still running ends at once.
   *
   * @param {Scene} scene
   * @param {Motion | null} motion
   */
  show(scene, motion) {
    const old = this.scene;
    const fresh = old === null || old.rows !== scene.rows || old.cols !== scene.cols || old.rim !== scene.rim;
    this.scene = scene;
    this.motion = this.animated && !document.hidden && !fresh ? motion : null;
    this.began = performance.now();
    if (fresh) {
      this.fit(true);
    } else {
      this.drawTiles();
    }
    this.follow();
    this.animate();
  }

  /**
   * Show these marks: those that change with the game, in layers, and those that follow the pointer.
   *
   * @param {Mark[][]} layers
   * @param {Mark[]} top
   */
  showMarks(layers, top) {
    const fresh = layers !== this.marks.layers;
    this.marks = { layers, top };
    if (this.scene !== null) {
      this.markLayers.draw(this.marks, this.grid, this.scene.cols, fresh);
    }
  }

  get moving() {
    return this.motion !== null;
  }

  // --- geometry

  /**
   * Choose the largest cells that fit into the frame.
   *
   * @param {boolean} [always] whether to draw everything again even if the size of a cell stays the same
   */
  fit(always = false) {
    const { scene } = this;
    this.forgetPlace();
    if (scene === null || this.frame.clientWidth === 0) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    const more = scene.rim === null ? 0 : 1; // the rim takes half a cell on each side
    const [cols, rows] = [scene.cols + more, scene.rows + more];
    const sizeIn = (/** @type {number} */ ruler) =>
      Math.floor(
        Math.min(
          ((this.frame.clientWidth - ruler) * ratio) / cols,
          ((this.frame.clientHeight - ruler) * ratio) / rows,
          LARGEST * ratio,
        ),
      );
    let ruler = RULER;
    let size = sizeIn(ruler);
    if (size < RULED * ratio) {
      ruler = 0;
      size = sizeIn(0);
    }
    size = Math.max(size, Math.ceil(this.least * ratio));
    size = Math.max(1, Math.min(size, Math.floor(MOST_PIXELS / Math.max(cols, rows))));
    const half = more * Math.floor(size / 2);
    const edge = Math.round(ruler * ratio);
    const same = !always && size === this.grid.size && ratio === this.scale && ruler === this.ruler;
    this.scale = ratio;
    this.grid = {
      size,
      left: edge + half,
      top: edge + half,
      width: edge + 2 * half + scene.cols * size,
      height: edge + 2 * half + scene.rows * size,
    };
    for (const { canvas } of same ? [] : Object.values(this.layers)) {
      canvas.width = this.grid.width;
      canvas.height = this.grid.height;
      canvas.style.width = `${this.grid.width / ratio}px`;
      canvas.style.height = `${this.grid.height / ratio}px`;
    }
    this.stage.style.width = `${this.grid.width / ratio}px`;
    this.stage.style.height = `${this.grid.height / ratio}px`;
    this.ruler = ruler;
    this.frame.classList.toggle(
      "scrolls",
      this.grid.width / ratio > this.frame.clientWidth + 1 || this.grid.height / ratio > this.frame.clientHeight + 1,
    );
    if (!same) {
      this.refresh();
    }
    this.follow(true);
  }

  /** Redraw everything. */
  refresh() {
    this.shown = null;
    this.markLayers.forget();
    this.used = [];
    if (this.scene !== null) {
      for (const name of LAYERS) {
        this.layers[name].clearRect(0, 0, this.grid.width, this.grid.height);
      }
      this.drawRulers();
      this.drawTiles();
      this.markLayers.draw(this.marks, this.grid, this.scene.cols, true);
      this.drawSprites();
    }
  }

  /** Whether only a part of the board is visible. */
  get scrolls() {
    return this.frame.classList.contains("scrolls");
  }

  /**
   * If only a part of the board is visible, scroll so that the first actor is in the middle part.
   *
   * @param {boolean} [always]
   */
  follow(always = false) {
    const first = this.scene?.sprites[0];
    if (!this.scrolls || first === undefined) {
      return;
    }
    const { frame, grid, scale } = this;
    const x = (grid.left + (first.end[1] + 0.5) * grid.size) / scale;
    const y = (grid.top + (first.end[0] + 0.5) * grid.size) / scale;
    const near = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ room) =>
      at > from + room * FOLLOW && at < from + room * (1 - FOLLOW);
    if (!always && near(x, frame.scrollLeft, frame.clientWidth) && near(y, frame.scrollTop, frame.clientHeight)) {
      return;
    }
    frame.scrollTo(x - frame.clientWidth / 2, y - frame.clientHeight / 2);
  }

  /** Return the place of the stage in the window. To ask the browser for it after each move would compute the layout twice. */
  place() {
    this.box ??= this.stage.getBoundingClientRect();
    return this.box;
  }

  /** The board may have moved in the window. */
  forgetPlace() {
    this.box = null;
  }

  /**
   * Return the cell at a point of the window, and the side of the cell that is nearest (-1 near the middle); null outside.
   *
   * @param {number} x
   * @param {number} y
   * @returns {{cell: Cell, side: number} | null}
   */
  cellAt(x, y) {
    if (this.scene === null) {
      return null;
    }
    const box = this.place();
    const across = ((x - box.left) * this.scale - this.grid.left) / this.grid.size;
    const down = ((y - box.top) * this.scale - this.grid.top) / this.grid.size;
    const [row, col] = [Math.floor(down), Math.floor(across)];
    if (row < 0 || col < 0 || row >= this.scene.rows || col >= this.scene.cols) {
      return null;
    }
    const [dx, dy] = [across - col - 0.5, down - row - 0.5];
    const far = Math.max(Math.abs(dx), Math.abs(dy)) > 1 / 6;
    return { cell: [row, col], side: far ? directionOf(dx, dy) : -1 };
  }

  /**
   * Return the middle of a cell in the window.
   *
   * @param {Cell} cell
   */
  middleOf([row, col]) {
    const box = this.place();
    const { grid, scale } = this;
    return {
      x: box.left + (grid.left + (col + 0.5) * grid.size) / scale,
      y: box.top + (grid.top + (row + 0.5) * grid.size) / scale,
    };
  }

  /** The size of a cell in CSS pixels. */
  get cellSize() {
    return this.grid.size / this.scale;
  }

  // --- drawing

  drawRulers() {
    const { grid, scale, scene } = this;
    const context = this.layers.tiles;
    if (scene === null || !this.ruler) {
      return;
    }
    context.font = `600 ${Math.round(11 * scale)}px system-ui, sans-serif`;
    context.fillStyle = getComputedStyle(this.frame).color;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const middle = (this.ruler * scale) / 2;
    for (let col = 0; col < scene.cols; col += 1) {
      context.fillText(String(col), grid.left + (col + 0.5) * grid.size, middle);
    }
    for (let row = 0; row < scene.rows; row += 1) {
      context.fillText(String(row), middle, grid.top + (row + 0.5) * grid.size);
    }
  }

  drawTiles() {
    const { grid, scene, sprites } = this;
    if (scene === null || sprites === null) {
      return;
    }
    const tiles = Int16Array.from(scene.tiles);
    for (const [row, col, tile] of this.motion?.under ?? []) {
      tiles[row * scene.cols + col] = tile;
    }
    const context = this.layers.tiles;
    if (this.shown === null) {
      this.drawRim();
    }
    for (let at = 0; at < tiles.length; at += 1) {
      if (this.shown === null || this.shown[at] !== tiles[at]) {
        const x = grid.left + (at % scene.cols) * grid.size;
        const y = grid.top + Math.floor(at / scene.cols) * grid.size;
        context.drawImage(sprites.picture(tiles[at], grid.size), x, y);
      }
    }
    this.shown = tiles;
  }

  drawRim() {
    const { grid, scene, sprites } = this;
    if (scene === null || sprites === null || scene.rim === null) {
      return;
    }
    const context = this.layers.tiles;
    const half = Math.floor(grid.size / 2);
    const picture = sprites.picture(scene.rim, grid.size);
    context.save();
    context.beginPath();
    context.rect(grid.left - half, grid.top - half, scene.cols * grid.size + 2 * half, scene.rows * grid.size + 2 * half);
    context.clip();
    for (let row = -1; row <= scene.rows; row += 1) {
      for (let col = -1; col <= scene.cols; col += 1) {
        if (row < 0 || col < 0 || row === scene.rows || col === scene.cols) {
          context.drawImage(picture, grid.left + col * grid.size, grid.top + row * grid.size);
        }
      }
    }
    context.restore();
  }

  /** Draw the sprites as they are now. */
  drawSprites() {
    const context = this.layers.sprites;
    for (const [x, y, width, height] of this.used) {
      context.clearRect(x, y, width, height);
    }
    this.used = [];
    if (this.scene === null) {
      return;
    }
    const share = this.motion === null ? 1 : eased(this.share);
    for (const sprite of this.motion?.sprites ?? this.scene.sprites) {
      this.drawSprite(context, sprite, share);
    }
    context.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Sprite} sprite
   * @param {number} share how much of the motion is over
   */
  drawSprite(context, sprite, share) {
    const { grid, sprites } = this;
    const between = (/** @type {number} */ from, /** @type {number} */ to) => from + (to - from) * share;
    const size = Math.max(1, Math.round(grid.size * between(...sprite.scale)));
    const row = between(sprite.start[0], sprite.end[0]);
    const col = between(sprite.start[1], sprite.end[1]);
    const x = Math.round(grid.left + (col + 0.5) * grid.size - size / 2);
    const y = Math.round(grid.top + (row + 0.5) * grid.size - size / 2);
    context.globalAlpha = Math.min(Math.max(between(...sprite.opacity), 0), 1);
    const picture = /** @type {Sprites} */ (sprites).picture(sprite.tile, grid.size);
    context.drawImage(picture, x, y, size, size);
    this.used.push([x - 1, y - 1, size + 2, size + 2]);
  }

  // --- time

  /** How much of the motion is over, from 0 to 1. */
  get share() {
    const { motion } = this;
    if (motion === null || motion.seconds <= 0) {
      return 1;
    }
    return Math.min(1, ((performance.now() - this.began) / 1000 / motion.seconds) * this.speed);
  }

  animate() {
    cancelAnimationFrame(this.frameRequest);
    if (this.motion === null) {
      this.drawSprites();
      return;
    }
    const step = () => {
      if (this.share >= 1) {
        this.finish();
        return;
      }
      this.drawSprites();
      this.frameRequest = requestAnimationFrame(step);
    };
    step();
  }

  /** End the motion now. */
  finish() {
    cancelAnimationFrame(this.frameRequest);
    if (this.motion !== null) {
      this.motion = null;
      this.drawTiles();
      this.drawSprites();
      this.onRest?.();
    }
  }
}

/**
 * Return how much of the way is covered after a share of the time. A motion is fast at first, so that the effect of a key
 * is visible at once.
 *
 * @param {number} share
 */
function eased(share) {
  return 1 - (1 - share) ** 2;
}

/**
 * Return the main direction of a vector: 0 up, 1 right, 2 down, 3 left (core/grid.py).
 *
 * @param {number} dx
 * @param {number} dy
 */
export function directionOf(dx, dy) {
  if (Math.abs(dx) > Math.abs(dy)) {
    return dx > 0 ? 1 : 3;
  }
  return dy > 0 ? 2 : 0;
}
