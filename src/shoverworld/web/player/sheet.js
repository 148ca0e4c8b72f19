/** The rows that a function of a module wrote (core/sheet.py): sprites, motions, marks, figures, texts and intents. */

/** @import { Block } from "./module.js" */
/** @import { Cell, Figure, Intent, Mark, Motion, MoveText, Score, Sprite } from "./types.js" */
/** @import { Words } from "./phrases.js" */

/** @type {Map<number, string>} */
const COLOURS = new Map(); // colours for CSS by number

/** The rows on the sheet of a block. The rows are copied, so later calls do not change them. */
export class Sheet {
  /**
   * @param {Block} block
   * @param {number} result what the function returned
   */
  constructor(block, result) {
    const { module } = block;
    this.module = module;
    this.result = result;
    /** @type {Words} */
    this.words = {};
    const { columns, kinds } = module.index.sheet;
    this.kind = Object.fromEntries(kinds.map((name, number) => [name, number]));
    this.columns = columns;
    this.numbers = numbersOf(block).slice();
    /** @type {Float64Array[] | null} */
    this.cut = null; // the rows, which are made when they are needed
  }

  get rows() {
    if (this.cut === null) {
      const { columns, numbers } = this;
      this.cut = Array.from({ length: numbers.length / columns }, (_, row) => numbers.subarray(row * columns, (row + 1) * columns));
    }
    return this.cut;
  }

  /**
   * Return whether the sheet of the block still contains these rows.
   *
   * @param {Block} block
   * @param {number} result
   */
  isSame(block, result) {
    const { numbers } = this;
    const others = numbersOf(block);
    if (result !== this.result || numbers.length !== others.length) {
      return false;
    }
    let at = 0;
    while (at < numbers.length && numbers[at] === others[at]) {
      at += 1;
    }
    return at === numbers.length;
  }

  /**
   * Add lists of words for the texts, such as the names of players.
   *
   * @param {Words} words
   */
  with(words) {
    this.words = words;
    return this;
  }

  /** @param {string} kind */
  ofKind(kind) {
    return this.rows.filter((row) => row[0] === this.kind[kind]);
  }

  /** @returns {Sprite[]} */
  sprites() {
    return this.ofKind("sprite").map((row) => ({
      tile: row[1],
      start: [row[2], row[3]],
      end: [row[4], row[5]],
      opacity: [row[6], row[7]],
      scale: [row[8], row[9]],
    }));
  }

  /** @returns {Motion | null} */
  motion() {
    const [found] = this.ofKind("motion");
    if (found === undefined) {
      return null;
    }
    const under = this.ofKind("tile").map((row) => /** @type {[number, number, number]} */ ([row[1], row[2], row[3]]));
    return { under, sprites: this.sprites(), seconds: found[1] };
  }

  /**
   * Return the marks. An overlay can have a mark with a number on each of several thousand cells, so texts are kept.
   *
   * @returns {Mark[]}
   */
  marks() {
    const { mark_kinds: kinds, mark_styles: styles } = this.module.index.sheet;
    /** @type {Map<number, string>} */
    const texts = new Map();
    const short = (/** @type {number} */ phrase, /** @type {number} */ number) => {
      const key = phrase * 1e6 + number;
      let text = texts.get(key);
      if (text === undefined) {
        text = this.module.phrases.text([[phrase, number]], this.words);
        texts.set(key, text);
      }
      return text;
    };
    /** @type {Mark[]} */
    const found = [];
    const { columns, kind, numbers } = this;
    for (let at = 0; at < numbers.length; at += columns) {
      if (numbers[at] === kind.mark) {
        const phrase = numbers[at + 10];
        found.push({
          kind: kinds[numbers[at + 1]],
          cell: [numbers[at + 2], numbers[at + 3]],
          colour: colourText(numbers[at + 4]),
          rows: numbers[at + 5],
          cols: numbers[at + 6],
          direction: numbers[at + 7],
          strength: numbers[at + 8],
          style: styles[numbers[at + 9]],
          text: phrase < 0 ? this.textOf(this.textsAfter(at / columns)) : short(phrase, numbers[at + 11]),
        });
      }
    }
    return found;
  }

  /** @returns {Figure[]} */
  figures() {
    const { tones } = this.module.index.sheet;
    /** @type {Figure[]} */
    const found = [];
    this.rows.forEach((row, place) => {
      if (row[0] === this.kind.figure) {
        const label = this.textsAfter(place);
        const value = this.textsAfter(place + 1 + label.length);
        found.push({
          label: this.textOf(label),
          value: this.textOf(value),
          share: row[1] < 0 ? null : row[1],
          tone: tones[row[2]],
          colour: row[3] < 0 ? null : colourText(row[3]),
          large: row[4] !== 0,
          idle: row[5] !== 0,
        });
      }
    });
    return found;
  }

  /**
   * Return what a move did.
   *
   * @returns {MoveText}
   */
  move() {
    const [found] = this.groups("move");
    if (found === undefined) {
      return { kind: "", words: "" };
    }
    return { kind: this.module.index.sheet.move_kinds[found[0][1]], words: this.textOf(found[1]) };
  }

  /** Return the text of all phrases on the sheet. */
  text() {
    return this.textOf(this.ofKind("text"));
  }

  /**
   * Return the player's intent, or null if there is none.
   *
   * @returns {Intent | null}
   */
  intent() {
    const size = this.module.description.action.length;
    const action = (/** @type {Float64Array} */ row) => Array.from(row.subarray(1, 1 + size));
    const walk = this.ofKind("walk");
    if (walk.length > 0) {
      return { kind: "walk", actions: walk.map(action) };
    }
    for (let place = 0; place < this.rows.length; place += 1) {
      const row = this.rows[place];
      if (row[0] === this.kind.act) {
        return { kind: "act", action: action(row) };
      }
      if (row[0] === this.kind.place) {
        return { kind: "place", cell: [row[1], row[2]] };
      }
      if (row[0] === this.kind.say) {
        return { kind: "say", text: this.textOf(this.textsAfter(place)) };
      }
    }
    return null;
  }

  /** Return the special moves that are possible now: the key and the effect of each. */
  specials() {
    const keys = this.module.description.press_keys;
    return this.groups("special").map(([row, texts]) => ({ key: keys[row[1]], effect: this.textOf(texts) }));
  }

  /** Return the buttons: key, place, whether the move is legal, and a description. */
  buttons() {
    const keys = this.module.description.press_keys;
    return this.groups("button").map(([row, texts]) => ({
      key: keys[row[1]],
      cell: /** @type {Cell} */ ([row[2], row[3]]),
      legal: row[4] !== 0,
      about: this.textOf(texts),
    }));
  }

  /** @returns {Score | null} */
  score() {
    const [found] = this.groups("score");
    if (found === undefined) {
      return null;
    }
    const size = this.module.description.score_numbers;
    return { numbers: Array.from(found[0].subarray(1, 1 + size)), words: this.textOf(found[1]) };
  }

  /**
   * Return the rows of a kind, each with the texts that follow it.
   *
   * @param {string} kind
   * @returns {[Float64Array, Float64Array[]][]}
   */
  groups(kind) {
    /** @type {[Float64Array, Float64Array[]][]} */
    const found = [];
    this.rows.forEach((row, place) => {
      if (row[0] === this.kind[kind]) {
        found.push([row, this.textsAfter(place)]);
      }
    });
    return found;
  }

  /** @param {number} place */
  textsAfter(place) {
    let end = place + 1;
    if (this.rows[end]?.[0] !== this.kind.text) {
      return [];
    }
    while (end < this.rows.length && this.rows[end][0] === this.kind.text) {
      end += 1;
    }
    return this.rows.slice(place + 1, end);
  }

  /** @param {Float64Array[]} texts */
  textOf(texts) {
    if (texts.length === 0) {
      return "";
    }
    return this.module.phrases.text(
      texts.map((row) => row.subarray(1)),
      this.words,
    );
  }
}

/**
 * Return the numbers on the sheet of a block. The array is valid until the next call of the module.
 *
 * @param {Block} block
 */
function numbersOf(block) {
  const { module } = block;
  const { offset } = block.place("sheet");
  const size = block.number("sheet_used") * module.index.sheet.columns;
  return new Float64Array(module.memory.buffer, block.address + offset, size);
}

/**
 * Return a colour for CSS.
 *
 * @param {number} colour 65536 * red + 256 * green + blue
 */
export function colourText(colour) {
  let text = COLOURS.get(colour);
  if (text === undefined) {
    text = `#${Math.trunc(colour).toString(16).padStart(6, "0")}`;
    COLOURS.set(colour, text);
  }
  return text;
}
