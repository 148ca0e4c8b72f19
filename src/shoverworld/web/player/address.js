/** The game as a link and as a file: the page's address follows the position, and the player can copy or save it. */

import { encodeLink, linkAt } from "./link.js";
import { replayText } from "./replay_writer.js";
import { copyLink, download, openShare } from "./share.js";

/** @import { App } from "./app.js" */
/** @import { Table } from "./table.js" */

const PAUSE = 120; // milliseconds after a change before the address is updated

export class Address {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
    this.own = ""; // the fragment that this page wrote
  }

  /** Put the link to the current position into the address. */
  update() {
    clearTimeout(this.timer);
    if (this.app.embedded) {
      return;
    }
    this.timer = window.setTimeout(() => void this.write(), PAUSE);
  }

  async write() {
    try {
      const link = await this.link();
      this.own = link;
      history.replaceState(null, "", location.pathname + link);
    } catch {
      // A position without a link, or a page that may not change its address (file://)
    }
  }

  /** Return the fragment for the current position. */
  async link() {
    const { session } = /** @type {Table} */ (this.app.table);
    return encodeLink(session.position(true), session.at);
  }

  /** Return the address of the current position. */
  async full() {
    const { session } = /** @type {Table} */ (this.app.table);
    if (this.app.publicLink !== null) {
      return linkAt(this.app.publicLink, session.at, session.entries.length);
    }
    return new URL(await this.link(), location.href.replace(/[?#].*$/, "")).href;
  }

  async copy() {
    const table = /** @type {Table} */ (this.app.table);
    await copyLink(table, await this.full(), () => this.save());
    this.app.view.content();
  }

  async share() {
    openShare(/** @type {Table} */ (this.app.table), await this.full(), () => this.save());
  }

  /** Save the game up to the move that is shown as a replay file. */
  save() {
    const table = /** @type {Table} */ (this.app.table);
    const { description, session } = table;
    const { level, origin } = session.setup;
    const title = level?.name || ("seed" in origin ? `random-${origin.seed}` : description.words.level);
    const name = `${description.name}-${title}.replay`.replace(/[^A-Za-z0-9._-]+/g, "-");
    download(name, replayText(session, table.helpers, new Date()));
    table.tell("saved", { path: name });
    this.app.view.content();
  }
}
