/** What the player points at: the cell under the mouse, or the cursor of the keyboard, and the preview of this cell. */

/** @import { Table } from "./table.js" */
/** @import { Cell, Mark } from "./types.js" */

export class Pointer {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Cell | null} */
    this.cursor = null;
    /** @type {{cell: Cell, side: number} | null} */
    this.pointed = null;
    /** @type {Cell | null} */
    this.ignored = null; // no preview is shown until the pointer has left this cell
    /** @type {{marks: Mark[], text: string}} */
    this.preview = { marks: [], text: "" };
  }

  /**
   * The pointer is over a cell, nearest to this side; null if it is not over the board.
   *
   * @param {{cell: Cell, side: number} | null} place
   */
  move(place) {
    if (place === null || !sameCell(place.cell, this.ignored)) {
      this.ignored = null;
    }
    const pointed = this.ignored === null ? place : null;
    const same =
      pointed === this.pointed ||
      (pointed !== null &&
        this.pointed !== null &&
        sameCell(pointed.cell, this.pointed.cell) &&
        pointed.side === this.pointed.side);
    this.pointed = pointed;
    if (!same && this.cursor === null) {
      this.look(true);
      this.table.view.content();
    }
  }

  /** After a move, show no preview of the cell under the pointer until the pointer moves to another cell. */
  rest() {
    this.ignored = this.pointed?.cell ?? this.ignored;
    this.pointed = null;
  }

  /**
   * Preview the cell at the pointer or at the cursor.
   *
   * @param {boolean} speaks whether the text of the preview becomes the message
   */
  look(speaks) {
    const place = this.cursor === null ? this.pointed : { cell: this.cursor, side: -1 };
    if (place === null || this.table.session.outcome !== null || !this.table.module.has("hover")) {
      this.preview = { marks: [], text: "" };
      return;
    }
    const sheet = this.table.session.sheet("hover", ...place.cell, place.side);
    this.preview = { marks: sheet.marks(), text: sheet.text() };
    if (speaks && this.preview.text !== "") {
      this.table.say(this.preview.text);
    }
  }

  toggleCursor() {
    if (this.table.session.outcome !== null) {
      this.table.tell("over");
    } else if (this.cursor !== null) {
      this.cursor = null;
      this.table.tell("cursor off");
    } else {
      this.rest();
      this.cursor = this.focus();
    }
    this.look(true);
    this.table.view.content();
  }

  /** The cell of the first actor, or the middle of the board. */
  focus() {
    const { rows, cols, sprites } = this.table.scene();
    const [first] = sprites;
    return /** @type {Cell} */ (
      first === undefined ? [rows >> 1, cols >> 1] : [Math.round(first.end[0]), Math.round(first.end[1])]
    );
  }

  /**
   * Let the cursor handle a key. Return whether the key was meant for it.
   *
   * @param {string} key
   */
  steer(key) {
    const { cursor } = this;
    if (cursor === null) {
      return false;
    }
    if (key === "return") {
      this.table.finishWalk();
      this.table.intend(this.table.session.ask("click", ...cursor));
      return true;
    }
    if (key === "escape") {
      this.toggleCursor();
      return true;
    }
    const direction = this.table.index.steering[key];
    if (direction === undefined) {
      return false;
    }
    const { rows, cols } = this.table.session.block.dimensions;
    const [down, right] = this.table.index.steps[direction];
    this.cursor = [clamp(cursor[0] + down, rows), clamp(cursor[1] + right, cols)];
    this.look(true);
    this.table.view.content();
    return true;
  }
}

/**
 * @param {Cell} one
 * @param {Cell | null} other
 */
function sameCell(one, other) {
  return other !== null && one[0] === other[0] && one[1] === other[1];
}

/**
 * @param {number} number
 * @param {number} count
 */
function clamp(number, count) {
  return Math.max(0, Math.min(number, count - 1));
}
