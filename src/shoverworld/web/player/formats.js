/**
 * Levels, pictures and rules as text: the game's module reads and writes them (core/format_web.py), with the messages of the
 * Python package. This file only copies bytes and numbers.
 */

import { encodeBase64 } from "./bytes.js";
import { filled } from "./phrases.js";

/** @import { Block, GameModule } from "./module.js" */
/** @import { Arrays, Fields, Level, Preset } from "./types.js" */

/** @typedef {{line: number, column: number, level: number, place: string, what: string}} Problem */
/** @typedef {{levels: Level[], error?: string, problems: Problem[]}} Levels */

const SPARE = 64; // how many bytes longer than a text the memory for results must be
const MOST_MOVES = 20_000; // letters and prefixes of moves that are read
const GRID = ["rows", "cols"]; // the dimensions that a level determines

/**
 * Return the levels in a text or in the bytes of a file. `error` is the first error, with its position, and `problems`
 * contains all errors: the other levels can be played.
 *
 * @param {GameModule} host
 * @param {string | Uint8Array} text
 * @param {string} name of the file
 * @returns {Levels}
 */
export function readLevels(host, text, name) {
  return host.briefly(() => {
    const bytes = bytesOf(text);
    const [source, out] = [put(host, bytes), host.reserve(bytes.length + SPARE)];
    const probe = smallBlock(host);
    /** @type {Level[]} */
    const levels = [];
    /** @type {Problem[]} */
    const problems = [];
    let count = 1;
    for (let number = 0; number < count; number += 1) {
      const read = (/** @type {string} */ step, /** @type {Block} */ block) =>
        block.call(step, source, bytes.length, number, out) === 0;
      host.briefly(() => {
        const found = readInto(probe, read);
        if ("what" in found) {
          problems.push(found);
        } else {
          levels.push(levelOf(found, textsAt(found, out), `${name}#${number + 1}`));
        }
      });
      count = Math.max(1, probe.field("reading", "levels"));
    }
    for (const level of levels) {
      level.name = count > 1 ? level.name : name;
      level.title ||= name;
    }
    return result(levels, problems, name);
  });
}

/**
 * Return the level in a picture, given as the pixels of a canvas.
 *
 * @param {GameModule} host
 * @param {{data: Uint8Array | Uint8ClampedArray, width: number, height: number}} image
 * @param {string} name of the file
 * @returns {Levels}
 */
export function readPicture(host, image, name) {
  return host.briefly(() => {
    const source = put(host, new Uint8Array(image.data));
    const found = readInto(
      smallBlock(host),
      (step, block) => block.call(`${step}_picture`, source, image.width, image.height) === 0,
    );
    if ("what" in found) {
      return result([], [found], name);
    }
    return result([levelOf(found, ["", "", ""], name)], [], name);
  });
}

/**
 * Return the letters of moves in the game's notation, with runs expanded: "" if the text contains something else.
 *
 * @param {GameModule} host
 * @param {string} text
 * @returns {{letters: string, error?: string}}
 */
export function readMoves(host, text) {
  if (!host.has("read_moves")) {
    return { letters: "" };
  }
  return host.briefly(() => {
    const bytes = bytesOf(text);
    const [source, out, block] = [put(host, bytes), host.reserve(MOST_MOVES), smallBlock(host)];
    const size = block.call("read_moves", source, bytes.length, out, MOST_MOVES);
    if (size < 0) {
      return { letters: "", error: problemOn(block).what };
    }
    return { letters: decoded(new Uint8Array(host.memory.buffer, out, size)) };
  });
}

/**
 * Return the games whose levels a text may contain, the most likely one first, each with a score from 0 to 100.
 *
 * @param {GameModule[]} hosts
 * @param {string | Uint8Array} text
 */
export function recognise(hosts, text) {
  const bytes = bytesOf(text);
  const scored = hosts.map((host) => {
    const score = host.briefly(() => {
      const source = put(host, bytes);
      return smallBlock(host).call("recognises", source, bytes.length);
    });
    return { host, score };
  });
  return scored.sort((one, other) => other.score - one.score);
}

/**
 * Change the rules of a block, such as "phase2, initial_force=30". Return the rules in their standard form, or an error.
 * Rules for another number of players need a new block: see `rulesPreset`.
 *
 * @param {GameModule} host
 * @param {Block} block
 * @param {string} text
 * @returns {{rules: string, error?: undefined} | {error: string}}
 */
export function applyRules(host, block, text) {
  return host.briefly(() => {
    const bytes = bytesOf(text);
    const source = put(host, bytes);
    if (block.call("parse_rules", source, bytes.length, host.reserve(bytes.length + SPARE)) !== 0) {
      return { error: problemOn(block).what };
    }
    return { rules: textOut(block, block.call("write_rules")) };
  });
}

/**
 * Return rules as a preset. A text without a preset changes the rules of `base`.
 *
 * @param {GameModule} host
 * @param {Preset} base
 * @param {string} text
 * @returns {Preset | {error: string}}
 */
export function rulesPreset(host, base, text) {
  return host.briefly(() => {
    const block = smallBlock(host, base);
    const applied = applyRules(host, block, text);
    if (applied.error !== undefined) {
      return applied;
    }
    const { description } = host;
    const known = description.presets.find((preset) => preset.name === applied.rules);
    if (known !== undefined) {
      return known;
    }
    const dimensions = { ...base.dimensions };
    description.dimensions.forEach((name, k) => {
      dimensions[name] = block.number("measured", k) || dimensions[name];
    });
    const numbers = description.action.length;
    const range = (/** @type {number} */ first) =>
      description.action.map((_, k) => block.number("action_ranges", first + k));
    return {
      name: applied.rules,
      about: "",
      arrays: Object.fromEntries(Object.keys(base.arrays).map((name) => [name, contentOf(block, name)])),
      dimensions,
      actions: range(0),
      first_action: range(numbers),
    };
  });
}

/**
 * Return the level of a block as text, in the game's own format.
 *
 * @param {GameModule} host
 * @param {Block} block
 * @param {string} [title]
 */
export function levelText(host, block, title = "") {
  return host.briefly(() => {
    const bytes = bytesOf(title);
    const source = put(host, bytes);
    return textOut(block, block.call("write", source, bytes.length));
  });
}

/**
 * Return the error on the sheet of a block.
 *
 * @param {Block} block
 * @returns {Problem}
 */
export function problemOn(block) {
  const { description, index } = block.module;
  const { columns, kinds } = index.sheet;
  const numbers = new Float64Array(
    block.module.memory.buffer.slice(
      block.address + block.place("sheet").offset,
      block.address + block.place("sheet").offset + 8 * columns * block.number("sheet_used"),
    ),
  );
  const parts = ["", ""]; // the place and the message
  let part = 0;
  /** @type {Problem} */
  const problem = { line: 0, column: 0, level: 0, place: "", what: "" };
  for (let at = 0; at < numbers.length; at += columns) {
    const kind = kinds[numbers[at]];
    if (kind === "problem") {
      [problem.line, problem.column, problem.level] = numbers.slice(at + 1, at + 4);
    } else if (kind === "value") {
      part += 1;
    } else if (kind === "text") {
      const words = { ...description.problem_words, quote: quotations(numbers, at + columns, columns, kinds) };
      parts[part] += filled(description.problems[numbers[at + 1]], [...numbers.slice(at + 2, at + columns)], words);
    }
  }
  return { ...problem, place: parts[0], what: parts[1] };
}

/**
 * Return the quotations in the rows after a phrase.
 *
 * @param {Float64Array} numbers
 * @param {number} at
 * @param {number} columns
 * @param {string[]} kinds
 */
function quotations(numbers, at, columns, kinds) {
  const found = new Array(columns).fill("");
  for (; at < numbers.length && kinds[numbers[at]] === "letters"; at += columns) {
    found[numbers[at + 1]] += String.fromCodePoint(...numbers.slice(at + 2, at + columns).filter((code) => code > 0));
  }
  return found;
}

/**
 * @param {Level[]} levels
 * @param {Problem[]} problems
 * @param {string} name
 * @returns {Levels}
 */
function result(levels, problems, name) {
  const [first] = problems;
  return first === undefined
    ? { levels, problems }
    : { levels, problems, error: `${name}${first.place}: ${first.what}` };
}

/**
 * Read a level into a new block of its size. Return the error if that fails.
 *
 * @param {Block} probe
 * @param {(step: string, block: Block) => boolean} read
 * @returns {Block | Problem}
 */
function readInto(probe, read) {
  const host = probe.module;
  if (!read("measure", probe)) {
    return problemOn(probe);
  }
  /** @type {Record<string, number>} */
  const dimensions = {};
  host.description.dimensions.forEach((name, k) => {
    dimensions[name] = probe.number("measured", k);
  });
  const scanned = probe.places.has("found") ? probe.bytes("found").slice() : null;
  const block = host.block(dimensions);
  if (scanned !== null) {
    block.bytes("found").set(scanned); // saves a second scan of the file
  }
  return read("read", block) ? block : problemOn(block);
}

/**
 * Return the level in a block. `texts` are its title, its description and its rules.
 *
 * @param {Block} block
 * @param {string[]} texts
 * @param {string} name
 * @returns {Level}
 */
function levelOf(block, [title, about, rules], name) {
  const { description } = block.module;
  const usual = description.presets[block.field("reading", "preset")];
  const preset = rules === "" ? usual : rulesPreset(block.module, usual, rules);
  /** @type {Fields} */
  const start = {};
  for (const field of description.level_start) {
    start[field] = block.field("start", field);
  }
  /** @type {Level} */
  const level = {
    name,
    title,
    about,
    preset: "error" in preset ? usual.name : preset.name,
    dimensions: Object.fromEntries(GRID.map((side) => [side, block.dimensions[side]])),
    arrays: { level: encodeBase64(block.bytes("level")), start },
    presets: {},
    best: {},
  };
  if (!("error" in preset) && !description.presets.includes(preset)) {
    level.rules = preset;
  }
  return level;
}

/**
 * Return the title, the description and the rules of the level that a block has read.
 *
 * @param {Block} block
 * @param {number} out
 */
function textsAt(block, out) {
  return ["title", "about", "rules"].map((part) => {
    const size = block.field("reading", part);
    out += size + 1;
    return decoded(new Uint8Array(block.module.memory.buffer, out - size - 1, size));
  });
}

/**
 * Return the content of an array for `Block.fill`.
 *
 * @param {Block} block
 * @param {string} name
 * @returns {Arrays[string]}
 */
function contentOf(block, name) {
  const record = block.module.description.records[name];
  if (record === undefined) {
    return encodeBase64(block.bytes(name));
  }
  return Object.fromEntries(record.fields.map(([field]) => [field, block.field(name, field)]));
}

/**
 * Return a block with the smallest dimensions.
 *
 * @param {GameModule} host
 * @param {Preset} [preset]
 */
function smallBlock(host, preset = host.description.presets[0]) {
  const sizes = host.description.dimensions.map((name) => [name, name === "boxes" ? 0 : 1]);
  const block = host.block(Object.fromEntries(sizes));
  block.fill(preset.arrays);
  return block;
}

/**
 * Copy bytes to the memory of a module. Return their address.
 *
 * @param {GameModule} host
 * @param {Uint8Array} bytes
 */
function put(host, bytes) {
  const address = host.reserve(Math.max(1, bytes.length));
  new Uint8Array(host.memory.buffer).set(bytes, address);
  return address;
}

/**
 * @param {Block} block
 * @param {number} size
 */
function textOut(block, size) {
  return decoded(block.bytes("text_out").subarray(0, size));
}

/** @param {string | Uint8Array} text */
function bytesOf(text) {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice());
}
