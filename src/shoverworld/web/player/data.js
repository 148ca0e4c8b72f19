/**
 * The files that the player needs: those embedded in the page, otherwise those in `static/`.
 *
 * A page that is one self-contained file (web/single_page.py) contains an element
 * `<script type="application/json" id="embedded-data">`: an object with the names of files as keys. The value of a JSON
 * file is its content. The value of any other file is a string: its bytes, raw-deflated, in Base64.
 */

import { decodeBase64, inflate } from "./bytes.js";

const ELEMENT = "embedded-data";
const MOST_BYTES = 1 << 26; // of one embedded file

/** @type {Record<string, any> | null} */
let embeddedFiles = null;

/**
 * Return the embedded files by name; an empty object if the page loads its files from `static/`.
 *
 * @returns {Record<string, any>}
 */
function files() {
  if (embeddedFiles === null) {
    const text = globalThis.document?.getElementById(ELEMENT)?.textContent;
    embeddedFiles = /** @type {Record<string, any>} */ (text ? JSON.parse(text) : {});
  }
  return embeddedFiles;
}

/**
 * Return whether the page contains a file.
 *
 * @param {string} name
 * @returns {boolean}
 */
export function isEmbedded(name) {
  return Object.hasOwn(files(), name);
}

/**
 * Return the content of a file: an object if its name ends in `.json`, otherwise its bytes.
 *
 * @param {string} name such as "sokoban.wasm"
 * @returns {Promise<any>} an object or an ArrayBuffer
 */
export async function load(name) {
  const isJson = name.endsWith(".json");
  if (isEmbedded(name)) {
    const content = files()[name];
    return isJson ? content : (await inflate(decodeBase64(content), MOST_BYTES)).buffer;
  }
  const response = await fetch(`static/${name}`);
  if (!response.ok) {
    throw new Error(`static/${name} cannot be loaded: ${response.status} ${response.statusText}`);
  }
  return isJson ? response.json() : response.arrayBuffer();
}
