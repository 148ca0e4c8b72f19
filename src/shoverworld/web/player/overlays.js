/** The marks on the board: overlays, trails, plans, the preview at the pointer and the cursor. */

import { capital } from "./phrases.js";
import { planMarks } from "./plans.js";

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
    /** @type {Mark[]} */
    this.lying = []; // the marks that change with the game
    /** @type {unknown[]} */
    this.lyingKey = []; // what they depend on
  }

  /** The marks that change with the game: trails and overlays. */
  lyingMarks() {
    const { at, entries } = this.table.session;
    const plan = this.table.plans.ready;
    const key = [this.table.session, at, entries[at - 1], [...this.shown].join(), plan];
    if (key.every((part, k) => part === this.lyingKey[k])) {
      return this.lying;
    }
    /** @type {Mark[]} */
    const marks = [];
    marks.push(...this.table.session.trails());
    this.table.description.overlays.forEach((overlay, number) => {
      if (this.shown.has(overlay.key) && overlay.plans) {
        marks.push(...(plan === null ? [] : planMarks(this.table.session, plan)));
      } else if (this.shown.has(overlay.key) && this.table.module.has("overlay")) {
        const own = this.table.session.sheet("overlay", number).marks();
        marks.push(...(own.length > 0 ? own : this.ghostMarks()));
      }
    });
    this.lyingKey = key;
    this.lying = marks;
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
