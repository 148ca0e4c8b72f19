/** The marks on the board: overlays, trails, plans, the preview at the pointer and the cursor. */

import { capital } from "./phrases.js";
import { planMarks } from "./plans.js";

/** @import { Sheet } from "./sheet.js" */
/** @import { Table } from "./table.js" */
/** @import { Mark } from "./types.js" */

export class Overlays {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    const { description, storage } = table;
    const kept = /** @type {string[] | null} */ (storage.setting(`overlays ${description.name}`, null));
    const usual = description.overlays.filter((overlay) => overlay.default).map(({ key }) => key);
    this.shown = new Set(kept ?? usual); // the keys of the overlays that are on
    /** @type {Mark[][]} */
    this.layers = []; // the marks that change with the game: the trails, and those of each overlay
    /** @type {unknown[]} */
    this.layersKey = []; // what they depend on
    /** @type {Map<number, {sheet: Sheet, marks: Mark[]}>} */
    this.known = new Map(); // the marks of the overlays by number
  }

  /** The marks that change with the game, in layers: the trails, and each overlay. A layer that stays the same is the same list. */
  lyingMarks() {
    const { at, entries } = this.table.session;
    const plan = this.table.plans.ready;
    const key = [this.table.session, at, entries[at - 1], [...this.shown].join(), plan];
    if (key.every((part, k) => part === this.layersKey[k])) {
      return this.layers;
    }
    const layers = [this.table.session.trails()];
    this.table.description.overlays.forEach((overlay, number) => {
      if (this.shown.has(overlay.key) && overlay.plans) {
        layers.push(plan === null ? [] : planMarks(this.table.session, plan));
      } else if (this.shown.has(overlay.key) && this.table.module.has("overlay")) {
        const own = this.marksOf(number);
        layers.push(own.length > 0 ? own : this.ghostMarks());
      }
    });
    this.layersKey = key;
    this.layers = layers;
    return layers;
  }

  /**
   * Return the marks of an overlay. On a large board, there can be several thousand, and most moves change none of them.
   *
   * @param {number} number
   */
  marksOf(number) {
    const { session } = this.table;
    const known = this.known.get(number);
    const sheet = session.block.sheetUnless(known?.sheet, "overlay", number);
    if (known !== undefined && sheet === known.sheet) {
      return known.marks;
    }
    const marks = sheet.with(session.names).marks();
    this.known.set(number, { sheet, marks });
    return marks;
  }

  /** The marks of the best known run. It is part of the level's data, so `overlay` writes nothing for it. */
  ghostMarks() {
    const { level, preset } = this.table.session.setup;
    const run = level?.run?.[preset.name];
    if (!this.table.module.has("ghost") || run === undefined) {
      return [];
    }
    this.table.session.block.writeNumbers("run", run);
    return this.table.session.sheet("ghost", run.length / 2).marks();
  }

  /** The marks that follow the pointer, and the selection. */
  topMarks() {
    const { cursor } = this.table.pointer;
    const marks = [...this.table.pointer.preview.marks];
    if (this.table.session.waitsFor === null && this.table.session.outcome === null && this.table.module.has("selection")) {
      marks.push(...this.table.session.sheet("selection").marks());
    }
    marks.push(...this.table.hintMarks);
    if (cursor !== null) {
      const [red, green, blue] = this.table.index.cursor_colour;
      const colour = `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
      const place = { cell: cursor, rows: 1, cols: 1, direction: 0, strength: 1, style: "", text: "" };
      marks.push({ kind: "frame", colour, ...place });
    }
    return marks;
  }

  /** @param {string} key */
  toggle(key) {
    const overlay = this.table.description.overlays.find((known) => known.key === key);
    if (overlay === undefined) {
      return;
    }
    if (!this.shown.delete(key)) {
      this.shown.add(key);
    }
    const kept = this.table.description.overlays.filter((known) => this.shown.has(known.key) && !known.plans);
    this.table.storage.set(
      `overlays ${this.table.description.name}`,
      kept.map((known) => known.key),
    );
    this.table.say(`${capital(overlay.name)}: ${this.shown.has(key) ? overlay.about : "off"}`);
    if (overlay.plans && this.shown.has(key) && this.table.plans.current === null && this.table.plans.search === null) {
      this.table.view.solve?.();
    }
    this.table.view.content();
  }
}
