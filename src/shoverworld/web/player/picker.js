/** The overlay in which the player chooses a level: collections, pictures, progress and search. */

import { make, openDialog } from "./dom.js";
import { presetNamed } from "./levels.js";
import { contextOf } from "./sprites.js";

/** @import { Library, LevelList } from "./levels.js" */
/** @import { Sprites } from "./sprites.js" */
/** @import { Level } from "./types.js" */

const WIDTH = 232; // of a picture, in pixels
const HEIGHT = 176;

/**
 * @typedef {object} PickerActions
 * @property {(list: LevelList, place: number) => void} open
 * @property {(() => void) | null} random
 * @property {() => void} file
 */

export class Picker {
  /**
   * @param {Library} library
   * @param {Sprites} sprites
   * @param {LevelList | null} list the list that is shown first
   * @param {number} place the level that is played now, or -1
   * @param {PickerActions} actions
   */
  constructor(library, sprites, list, place, actions) {
    this.library = library;
    this.sprites = sprites;
    this.current = { list, place };
    this.actions = actions;
    const { words } = library.module.description;
    this.search = make("input", {
      type: "search",
      placeholder: "Number or title",
      "aria-label": `Search the ${words.levels} by number or title`,
      oninput: () => this.drawLevels(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.searchKey(event),
    });
    this.nav = make("nav", { "aria-label": "Collections" });
    this.body = make("div", { class: "picker-levels" });
    const content = make("div", { class: "picker" }, this.nav, this.body);
    const title = words.levels.slice(0, 1).toUpperCase() + words.levels.slice(1);
    this.observer = new IntersectionObserver((seen) => this.drawSeen(seen), { root: this.body, rootMargin: "200px" });
    this.dialog = openDialog(title, content, { onclose: () => this.observer.disconnect() });
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    /** @type {LevelList | null} */
    this.list = null;
    void this.show(list?.collection.name ?? library.collections[0].name);
  }

  /**
   * Show another collection.
   *
   * @param {string} name
   */
  async show(name) {
    this.list = await this.library.list(name);
    this.search.value = "";
    this.drawCollections();
    this.drawLevels();
    /** @type {HTMLElement | null} */ (this.body.querySelector('[aria-current="true"]') ?? this.body.querySelector("button"))?.focus();
  }

  drawCollections() {
    const buttons = this.library.collections.map((collection) => {
      const here = collection.name === this.list?.collection.name;
      const about = make("small", {}, here ? this.list?.progress ?? "" : collection.about);
      return make(
        "button",
        { type: "button", "aria-current": String(here), onclick: () => void this.show(collection.name) },
        collection.title,
        about,
      );
    });
    const { words } = this.library.module.description;
    const more = [];
    if (this.actions.random !== null) {
      const { random } = this.actions;
      const open = () => {
        this.dialog.close();
        random();
      };
      more.push(make("button", { type: "button", onclick: open }, `Random ${words.level}`));
    }
    const file = () => {
      this.dialog.close();
      this.actions.file();
    };
    more.push(make("button", { type: "button", onclick: file }, "Open or paste a file"));
    this.nav.replaceChildren(this.search, ...buttons, make("hr"), ...more);
  }

  drawLevels() {
    const { list } = this;
    if (list === null) {
      return;
    }
    this.observer.disconnect();
    const places = list.search(this.search.value);
    const grid = make("div", { class: "grid" }, ...places.map((place) => this.levelButton(list, place)));
    const { words } = this.library.module.description;
    const about = places.length > 0 ? list.collection.about : `No ${words.levels} match.`;
    this.body.replaceChildren(make("p", {}, about), grid);
    for (const box of grid.querySelectorAll(".thumb")) {
      this.observer.observe(box);
    }
  }

  /**
   * @param {LevelList} list
   * @param {number} place
   */
  levelButton(list, place) {
    const best = list.best(place);
    const known = list.known(place);
    const here = list.collection.name === this.current.list?.collection.name && place === this.current.place;
    const { labels } = this.library.module.index;
    const { words } = this.library.module.description;
    const state = best === null ? `not ${words.solved}` : `${words.solved}: ${best.words}`;
    const goal = known === null ? "" : `. ${known.proved ? labels["best possible"] : labels["best known"]}: ${known.words}`;
    return make(
      "button",
      {
        type: "button",
        "aria-current": String(here),
        "aria-label": `${list.title(place)}, ${state}${goal}`,
        title: `${list.title(place)}, ${state}${goal}`,
        data: { place: String(place) },
        onclick: () => this.open(place),
      },
      make("span", { class: "thumb", data: { place: String(place) } }),
      make("b", {}, list.title(place)),
      best === null ? null : make("small", { class: "done" }, best.words),
      best === null ? null : make("span", { class: "tick", "aria-hidden": "true" }, "✓"),
    );
  }

  /** @param {number} place */
  open(place) {
    const { list } = this;
    this.dialog.close();
    if (list !== null) {
      this.actions.open(list, place);
    }
  }

  /**
   * Draw the pictures of the levels that have come into view.
   *
   * @param {IntersectionObserverEntry[]} entries
   */
  drawSeen(entries) {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && this.list !== null) {
        this.observer.unobserve(target);
        const level = this.list.levels[Number(/** @type {HTMLElement} */ (target).dataset.place)];
        const picture = thumbnail(this.library, this.sprites, level);
        if (picture !== null) {
          target.append(picture);
        }
      }
    }
  }

  // --- keys

  /** @param {KeyboardEvent} event */
  searchKey(event) {
    if (event.key === "Enter" && this.list !== null) {
      const [first] = this.list.search(this.search.value);
      if (first !== undefined) {
        this.open(first);
      }
    }
  }

  /**
   * Move between levels with the keys in index.json (`levels_keys`).
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { list } = this;
    if (event.target === this.search || event.ctrlKey || event.metaKey || event.altKey || list === null) {
      return;
    }
    const buttons = /** @type {HTMLElement[]} */ ([...this.body.querySelectorAll(".grid button")]);
    const here = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const columns = columnsOf(buttons);
    const steps = /** @type {Record<string, number>} */ ({
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -3 * columns, PageDown: 3 * columns,
      Home: -buttons.length, End: buttons.length,
    }); // prettier-ignore
    const uses = (/** @type {string} */ key) => this.library.module.index.levels_keys.some(({ keys }) => keys.includes(key));
    if (event.key in steps && here >= 0) {
      buttons[Math.max(0, Math.min(here + steps[event.key], buttons.length - 1))]?.focus();
    } else if (event.key === "n" && uses("n")) {
      const next = list.nextUnsolved(Number(buttons[Math.max(0, here)]?.dataset.place ?? 0));
      buttons.find((button) => button.dataset.place === String(next))?.focus();
    } else if ((event.key === "/" || event.key === "f") && uses(event.key)) {
      this.search.focus();
    } else if ((event.key === "[" || event.key === "]") && uses(event.key)) {
      const names = this.library.collections.map(({ name }) => name);
      const at = names.indexOf(list.collection.name) + (event.key === "]" ? 1 : -1);
      void this.show(names[(at + names.length) % names.length]);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** @param {HTMLElement[]} buttons */
function columnsOf(buttons) {
  const top = buttons[0]?.offsetTop;
  const second = buttons.findIndex((button) => button.offsetTop !== top);
  return second < 0 ? buttons.length : second;
}

/**
 * Draw the start of a level. Return null if the level cannot be played with these rules.
 *
 * @param {Library} library
 * @param {Sprites} sprites
 * @param {Level} level
 */
export function thumbnail(library, sprites, level) {
  const { module } = library;
  const preset = presetNamed(module, library.rulesFor(level)) ?? module.description.presets[0];
  const picture = make("canvas", { "aria-hidden": "true" });
  const drawn = module.briefly(() => {
    const block = module.levelBlock(preset, level);
    block.seed(0);
    if (block.call("reset") < 0 || !module.has("scene")) {
      return false;
    }
    const sheet = block.sheet("scene");
    const { rows, cols } = block.dimensions;
    const size = Math.max(1, Math.min(Math.floor(WIDTH / cols), Math.floor(HEIGHT / rows), 32));
    picture.width = cols * size;
    picture.height = rows * size;
    const context = contextOf(picture);
    const tiles = new Int16Array(block.bytes("tiles").slice().buffer);
    tiles.forEach((tile, at) => {
      context.drawImage(sprites.picture(tile, size), (at % cols) * size, Math.floor(at / cols) * size);
    });
    for (const sprite of sheet.sprites()) {
      const side = size * sprite.scale[1];
      const x = (sprite.end[1] + 0.5) * size - side / 2;
      context.drawImage(sprites.picture(sprite.tile, size), x, (sprite.end[0] + 0.5) * size - side / 2, side, side);
    }
    return true;
  });
  if (drawn) {
    const scale = Math.min(1, WIDTH / 2 / picture.width, HEIGHT / 2 / picture.height) || 1;
    picture.style.width = `${picture.width * Math.max(scale, 0.5)}px`;
  }
  return drawn ? picture : null;
}
