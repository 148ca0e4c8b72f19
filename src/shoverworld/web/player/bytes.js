/** Bytes as text (Base64), and raw deflate. Browsers and Node contain the compression. */

/**
 * Decode Base64 with the usual alphabet.
 *
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function decodeBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) {
    bytes[at] = letters.charCodeAt(at);
  }
  return bytes;
}

/**
 * Return bytes as Base64 with the usual alphabet.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function encodeBase64(bytes) {
  let letters = "";
  for (const byte of bytes) {
    letters += String.fromCharCode(byte);
  }
  return btoa(letters);
}

/**
 * Return bytes as Base64 with the alphabet for addresses (`-` and `_`) and without padding.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function encodeBase64Url(bytes) {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decode what `encodeBase64Url` returns. Return null for any other string, so that bytes have only one spelling.
 *
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function decodeBase64Url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) {
    return null;
  }
  const bytes = decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return encodeBase64Url(bytes) === text ? bytes : null;
}

/**
 * Compress bytes with raw deflate.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Decompress bytes. Stop with an error as soon as the result is longer than `most` bytes.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} most
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function inflate(bytes, most) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new TooLong();
    }
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (value));
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Decompressed bytes exceed the limit. */
export class TooLong extends Error {}
