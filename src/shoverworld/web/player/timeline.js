/** The controls below the board: undo, redo and restart, and a slider that shows any move of the game. */

import { icon, make } from "./dom.js";
import { label } from "./panel.js";
import { capital, named } from "./phrases.js";

/** @import { Table } from "./table.js" */

const PAUSE = 450; // milliseconds between two moves of a game that plays by itself
const FAR = 10; // moves skipped by Page Up and Page Down
const MOST_MARKERS = 300;

/**
 * @typedef {object} TimelineActions
 * @property {(name: string) => void} command
 * @property {(count: number) => void} goTo
 */

export class Timeline {
  /**
   * @param {HTMLElement} element
   * @param {TimelineActions} actions
   */
  constructor(element, actions) {
    this.actions = actions;
    this.timer = 0;
    this.count = 0;
    this.at = 0;
    this.drawn = ""; // which markers are shown
    /** @type {boolean | null} */
    this.shownPlaying = null; // what the play button shows
    this.buttons = Object.fromEntries(
      ["undo", "redo", "restart"].map((name) => [
        name,
        make("button", { type: "button", class: "icon", data: { command: name }, onclick: () => actions.command(name) }),
      ]),
    );
    this.play = make("button", { type: "button", class: "icon", onclick: () => this.toggle() });
    this.slider = make("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      "aria-label": "Move",
      oninput: () => {
        this.stop();
        actions.goTo(Number(this.slider.value));
      },
    });
    this.markers = make("div", { class: "markers", "aria-hidden": "true" });
    this.text = make("span", { class: "count" });
    const track = make("div", { class: "track" }, this.slider, this.markers);
    this.line = make("div", { class: "timeline" }, this.play, track, this.text);
    element.append(...Object.values(this.buttons), this.line);
    this.drawPlay();
  }

  /** @param {Table} table */
  update(table) {
    const { at, canRedo, canUndo, entries } = table.session;
    this.at = at;
    this.count = entries.length;
    for (const [name, button] of Object.entries(this.buttons)) {
      if (button.childElementCount === 0 || this.words !== table.description.words) {
        const command = table.index.commands.find((known) => known.name === name);
        label(button, name, capital(named(command?.help ?? name, table.description.words)), table.keys[name]);
      }
    }
    this.words = table.description.words;
    setDisabled(this.buttons.undo, !canUndo);
    setDisabled(this.buttons.redo, !canRedo);
    setDisabled(this.buttons.restart, at === 0);
    this.line.style.visibility = entries.length > 0 ? "visible" : "hidden";
    this.slider.max = String(entries.length);
    this.slider.value = String(at);
    const words = table.session.last?.move.words;
    this.slider.setAttribute("aria-valuetext", words ? `${at}: ${words}` : String(at));
    this.text.textContent = `${at} / ${entries.length}`;
    this.drawMarkers(table);
    this.drawPlay();
  }

  /** @param {Table} table */
  drawMarkers(table) {
    const { entries } = table.session;
    const key = `${entries.length} ${entries.map((entry) => entry.move.kind.slice(0, 2)).join("")}`;
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    /** @type {HTMLElement[]} */
    const marked = [];
    entries.forEach((entry, place) => {
      const kind = entry.valid ? entry.move.kind : "invalid";
      if (kind in table.index.markers && marked.length < MOST_MARKERS) {
        const marker = make("i", { data: { kind }, title: table.index.markers[kind] });
        marker.style.left = `${(100 * (place + 1)) / entries.length}%`;
        marked.push(marker);
      }
    });
    this.markers.replaceChildren(...marked);
  }

  drawPlay() {
    const playing = this.timer !== 0;
    if (playing === this.shownPlaying) {
      return;
    }
    this.shownPlaying = playing;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play the moves");
    this.play.title = playing ? "Pause" : "Play the moves";
  }

  /** Play the moves from here on, or from the start if this is the end. */
  toggle() {
    if (this.timer !== 0) {
      this.stop();
      return;
    }
    if (this.at >= this.count) {
      this.actions.goTo(0);
    }
    this.timer = window.setInterval(() => {
      if (this.at >= this.count) {
        this.stop();
      } else {
        this.actions.goTo(this.at + 1);
      }
    }, PAUSE);
    this.drawPlay();
  }

  /**
   * Handle a key that steps through the moves. Return whether the key has a meaning.
   *
   * @param {string} key
   */
  press(key) {
    const places = {
      left: this.at - 1,
      right: this.at + 1,
      "page up": this.at - FAR,
      "page down": this.at + FAR,
      home: 0,
      end: this.count,
    };
    if (key === "space") {
      this.toggle();
      return true;
    }
    if (!(key in places)) {
      return false;
    }
    this.stop();
    this.actions.goTo(places[/** @type {keyof typeof places} */ (key)]);
    return true;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.drawPlay();
  }

  /** Watch the game: the arrow keys now step through the moves. */
  focus() {
    this.slider.focus();
  }
}

/**
 * Disable a button without taking the focus away from it.
 *
 * @param {HTMLElement} button
 * @param {boolean} disabled
 */
function setDisabled(button, disabled) {
  button.setAttribute("aria-disabled", String(disabled));
}
