/** A game's WebAssembly module: its functions, and blocks of memory that contain games. See docs/web.md. */

import { decodeBase64 } from "./bytes.js";
import { load } from "./data.js";
import { Phrases } from "./phrases.js";
import { Sheet } from "./sheet.js";

/** @import { Arrays, Description, Index, Level, Preset } from "./types.js" */

const PAGE = 1 << 16;
const WORD = 32n;
const LITTLE = true; // the order of bytes

/** @typedef {(view: DataView, at: number) => number} Getter */
/** @typedef {(view: DataView, at: number, number: number) => void} Setter */

/** @type {Record<string, {bytes: number, get: Getter, set: Setter}>} */
const TYPES = {
  b1: { bytes: 1, get: (view, at) => view.getUint8(at), set: (view, at, number) => view.setUint8(at, number) },
  i1: { bytes: 1, get: (view, at) => view.getInt8(at), set: (view, at, number) => view.setInt8(at, number) },
  u1: { bytes: 1, get: (view, at) => view.getUint8(at), set: (view, at, number) => view.setUint8(at, number) },
  i2: {
    bytes: 2,
    get: (view, at) => view.getInt16(at, LITTLE),
    set: (view, at, number) => view.setInt16(at, number, LITTLE),
  },
  u2: {
    bytes: 2,
    get: (view, at) => view.getUint16(at, LITTLE),
    set: (view, at, number) => view.setUint16(at, number, LITTLE),
  },
  i4: {
    bytes: 4,
    get: (view, at) => view.getInt32(at, LITTLE),
    set: (view, at, number) => view.setInt32(at, number, LITTLE),
  },
  u4: {
    bytes: 4,
    get: (view, at) => view.getUint32(at, LITTLE),
    set: (view, at, number) => view.setUint32(at, number, LITTLE),
  },
  i8: {
    bytes: 8,
    get: (view, at) => Number(view.getBigInt64(at, LITTLE)),
    set: (view, at, number) => view.setBigInt64(at, BigInt(number), LITTLE),
  },
  u8: {
    bytes: 8,
    get: (view, at) => Number(view.getBigUint64(at, LITTLE)),
    set: (view, at, number) => view.setBigUint64(at, BigInt(number), LITTLE),
  },
  f8: {
    bytes: 8,
    get: (view, at) => view.getFloat64(at, LITTLE),
    set: (view, at, number) => view.setFloat64(at, number, LITTLE),
  },
};

/** An instance of a module, with free memory from `__heap_base` on. */
export class GameModule {
  /**
   * @param {Index} index
   * @param {Description} description
   * @param {WebAssembly.Instance} instance
   */
  constructor(index, description, instance) {
    this.index = index;
    this.description = description;
    this.phrases = new Phrases(description.phrases, description.phrase_words);
    const { memory, __heap_base: base, ...functions } = /** @type {any} */ (instance.exports);
    this.memory = /** @type {WebAssembly.Memory} */ (memory);
    this.functions = /** @type {Record<string, (...numbers: number[]) => number>} */ (functions);
    this.free = /** @type {number} */ (base.value);
    this.base = this.free;
    this.roles = new Map(description.arrays.map(([name, type, role]) => [name, { type, role }]));
  }

  /**
   * Load the module of a game and compile it.
   *
   * @param {Index} index
   * @param {string} game
   * @returns {Promise<GameModule>}
   */
  static async load(index, game) {
    const [description, bytes] = await Promise.all([load(`${game}.json`), load(`${game}.wasm`)]);
    const { instance } = await WebAssembly.instantiate(/** @type {ArrayBuffer} */ (bytes), {});
    return new GameModule(index, description, instance);
  }

  /**
   * Return whether the module has a function. Games leave out functions that make no sense for them.
   *
   * @param {string} name
   */
  has(name) {
    return name in this.functions;
  }

  /**
   * Return the address of memory that is not in use, filled with zeros.
   *
   * @param {number} size in bytes
   */
  reserve(size) {
    const address = Math.ceil(this.free / 8) * 8;
    this.free = address + size;
    const missing = this.free - this.memory.buffer.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE));
    }
    new Uint8Array(this.memory.buffer, address, size).fill(0);
    return address;
  }

  /**
   * Reserve a block with these dimensions.
   *
   * @param {Record<string, number>} dimensions
   */
  block(dimensions) {
    const { description, index } = this;
    const header = this.reserve(description.header_bytes);
    const words = new Int32Array(this.memory.buffer, header, description.header_bytes / 4);
    description.dimensions.forEach((name, k) => {
      words[index.header.dimensions + k] = dimensions[name];
    });
    const size = this.functions.layout(header);
    this.free = header;
    const kept = new Int32Array(this.memory.buffer.slice(header, header + description.header_bytes));
    const address = this.reserve(size);
    new Int32Array(this.memory.buffer, address, kept.length).set(kept);
    return new Block(this, address);
  }

  /** Release all blocks. */
  release() {
    this.free = this.base;
  }

  /**
   * Run a function that reserves memory, and release this memory afterwards.
   *
   * @template T
   * @param {() => T} work
   * @returns {T}
   */
  briefly(work) {
    const free = this.free;
    try {
      return work();
    } finally {
      this.free = free;
    }
  }

  /**
   * Return a block for a level, or for a random level if `level` is null.
   *
   * @param {Preset} preset
   * @param {Level | null} level
   * @param {Record<string, number>} [more] dimensions that replace those of the level
   */
  levelBlock(preset, level, more = {}) {
    const block = this.block({ ...preset.dimensions, ...level?.dimensions, ...more });
    block.fill(preset.arrays);
    if (level !== null) {
      block.fill(level.arrays);
      block.fill((preset.name === level.rules?.name ? level.rules.level_arrays : level.presets[preset.name]) ?? {});
    }
    return block;
  }
}

/** A block of memory: a game, its level and its results. */
export class Block {
  /**
   * @param {GameModule} module
   * @param {number} address
   */
  constructor(module, address) {
    this.module = module;
    this.address = address;
    const { description, index } = module;
    const words = new Int32Array(module.memory.buffer, address, description.header_bytes / 4);
    const first = index.header.dimensions + description.dimensions.length;
    this.kept = words[index.header.kept];
    /** @type {Record<string, number>} */
    this.dimensions = {};
    description.dimensions.forEach((name, k) => {
      this.dimensions[name] = words[index.header.dimensions + k];
    });
    /** @type {Map<string, {offset: number, length: number, bytes: number}>} */
    this.places = new Map();
    description.arrays.forEach(([name, type], k) => {
      const each = type === "record" ? description.records[name].bytes : TYPES[type].bytes;
      const length = words[first + 2 * k + 1];
      this.places.set(name, { offset: words[first + 2 * k], length, bytes: length * each });
    });
  }

  /**
   * Call a function of the module with this block.
   *
   * @param {string} name
   * @param {...number} numbers
   */
  call(name, ...numbers) {
    return this.module.functions[name](this.address, ...numbers);
  }

  /**
   * Call a function that writes rows, and return the rows.
   *
   * @param {string} name
   * @param {...number} numbers
   */
  sheet(name, ...numbers) {
    const result = this.call(name, ...numbers);
    return new Sheet(this, result);
  }

  /**
   * Call a function that writes rows. Return the given sheet if it already contains these rows.
   *
   * @param {Sheet | undefined} known
   * @param {string} name
   * @param {...number} numbers
   */
  sheetUnless(known, name, ...numbers) {
    const result = this.call(name, ...numbers);
    return known?.isSame(this, result) ? known : new Sheet(this, result);
  }

  /** @param {string} name */
  place(name) {
    const place = this.places.get(name);
    if (place === undefined) {
      throw new Error(`${this.module.description.name} has no array ${name}`);
    }
    return place;
  }

  /**
   * Return the bytes of an array. The view is valid until more memory is reserved.
   *
   * @param {string} name
   */
  bytes(name) {
    const { offset, bytes } = this.place(name);
    return new Uint8Array(this.module.memory.buffer, this.address + offset, bytes);
  }

  /**
   * Return a number of an array that has no records.
   *
   * @param {string} name
   * @param {number} [at]
   */
  number(name, at = 0) {
    const type = TYPES[/** @type {{type: string}} */ (this.module.roles.get(name)).type];
    const view = new DataView(this.module.memory.buffer);
    return type.get(view, this.address + this.place(name).offset + at * type.bytes);
  }

  /**
   * Return a field of a record.
   *
   * @param {string} name the array
   * @param {string} field
   * @param {number} [at] the index of the record
   */
  field(name, field, at = 0) {
    const { bytes, fields } = this.module.description.records[name];
    const found = fields.find(([known]) => known === field);
    if (found === undefined) {
      throw new Error(`the record ${name} has no field ${field}`);
    }
    const view = new DataView(this.module.memory.buffer);
    return TYPES[found[1]].get(view, this.address + this.place(name).offset + at * bytes + found[2]);
  }

  /**
   * Copy numbers from a description to the arrays.
   *
   * @param {Arrays} arrays
   */
  fill(arrays) {
    for (const [name, content] of Object.entries(arrays)) {
      if (typeof content === "string") {
        this.bytes(name).set(decodeBase64(content));
        continue;
      }
      const start = this.address + this.place(name).offset;
      const view = new DataView(this.module.memory.buffer);
      for (const [field, type, offset] of this.module.description.records[name].fields) {
        if (field in content) {
          TYPES[type].set(view, start + offset, Number(content[field]));
        }
      }
    }
  }

  /**
   * Write numbers to the beginning of an array that has no records.
   *
   * @param {string} name
   * @param {number[]} numbers
   */
  writeNumbers(name, numbers) {
    const type = TYPES[/** @type {{type: string}} */ (this.module.roles.get(name)).type];
    const { offset, length } = this.place(name);
    const view = new DataView(this.module.memory.buffer);
    numbers.slice(0, length).forEach((number, k) => type.set(view, this.address + offset + k * type.bytes, number));
  }

  /**
   * Seed the random numbers.
   *
   * @param {number} seed
   */
  seed(seed) {
    const view = new DataView(this.module.memory.buffer);
    const start = this.address + this.place("seed").offset;
    let rest = BigInt(seed);
    let words = 0;
    do {
      view.setUint32(start + 4 * words, Number(rest & 0xffffffffn), LITTLE);
      rest >>= WORD;
      words += 1;
    } while (rest > 0n);
    this.call("seed", words);
  }

  /** Return the state hash that replay files contain, in hexadecimal digits. */
  stateHash() {
    this.call("state_hash");
    return [...this.bytes("hash")].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** The names of the arrays that a step or an input changes. */
  get changing() {
    const found = this.module.description.arrays.filter(([name, , role]) => role === "state" || name === "input");
    return found.map(([name]) => name);
  }

  /** Return a copy of the state and of the selection. */
  snapshot() {
    const parts = this.changing.map((name) => this.bytes(name));
    const copy = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of parts) {
      copy.set(part, at);
      at += part.length;
    }
    return copy;
  }

  /**
   * Restore what `snapshot` returned.
   *
   * @param {Uint8Array} copy
   */
  restore(copy) {
    let at = 0;
    for (const name of this.changing) {
      const part = this.bytes(name);
      part.set(copy.subarray(at, at + part.length));
      at += part.length;
    }
  }
}
