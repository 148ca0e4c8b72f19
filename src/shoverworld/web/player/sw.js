/**
 * The service worker: it keeps the files of the player, so that the page works offline.
 *
 * `python -m shoverworld.web.export` writes a version to VERSION. With a version, all files of this version are loaded once
 * and then always come from the browser. Without a version, as during development, the network comes first.
 */

const VERSION = "";
const FILES = ["./"]; // `export` adds all files of the player
const NAME = `shoverworld ${VERSION}`;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("shoverworld ") && name !== NAME))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const address = new URL(request.url);
  const isOwn = address.origin === location.origin && !address.pathname.includes("/api/");
  if (request.method === "GET" && isOwn) {
    event.respondWith(VERSION === "" ? networkFirst(request) : cacheFirst(request));
  }
});

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function cacheFirst(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function networkFirst(request) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put(request, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) {
      throw error;
    }
    return kept;
  }
}
