/** Agents at the table: they move when it is their turn, or instead of the only player. */

/** @import { Table } from "./table.js" */

const PAUSE = 350; // milliseconds between the moves of an agent

export class Autoplay {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.on = table.session.setup.players.some((player) => player.agent !== "");
    this.autopilot = false; // whether an agent plays instead of the only player
    this.timer = 0;
  }

  /** Let the agent whose turn it is play, after a short pause. */
  begin() {
    clearTimeout(this.timer);
    const waits = this.table.session.waitsFor !== null;
    if (!this.on || this.table.session.outcome !== null || (!waits && this.table.session.setup.players.length > 1)) {
      return;
    }
    if (!waits && !this.autopilot) {
      return;
    }
    this.timer = window.setTimeout(() => void this.move(), PAUSE / this.table.speed);
  }

  async move() {
    const at = this.table.session.at;
    const name = this.table.session.waitsFor?.agent ?? "greedy";
    let action = null;
    if (name === "greedy" && this.table.module.has("greedy")) {
      action = [this.table.session.block.call("greedy", this.pick())];
    } else {
      action = await this.table.view.choose(name);
    }
    if (action !== null && at === this.table.session.at && this.on) {
      this.table.play({ kind: "act", action }, { by: this.table.session.waitsFor === null ? name : "" });
    }
  }

  /** A number that selects one of several equally good moves. The same game gives the same number. */
  pick() {
    const { at, setup } = this.table.session;
    return Math.imul(at + 1, 0x9e3779b1 ^ setup.seed) >>> 8;
  }

  toggle() {
    if (this.table.session.outcome !== null) {
      this.table.tell("over");
    } else if (this.on && (this.autopilot || this.table.session.setup.players.length > 1)) {
      this.stop();
    } else {
      this.on = true;
      this.autopilot = this.table.session.setup.players.length < 2;
      this.begin();
    }
    this.table.view.content();
  }

  stop() {
    clearTimeout(this.timer);
    if (this.autopilot || this.table.session.waitsFor !== null) {
      this.on = false;
      this.autopilot = false;
    }
  }
}
