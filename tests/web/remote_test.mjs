// Uses the client module of the page against a real server: node remote_test.mjs MODULE ADDRESS LEVEL
import assert from "node:assert/strict";

const [module, address, level] = process.argv.slice(2);
const { connect, RemoteError } = await import(module);
const requests = [];
const realFetch = globalThis.fetch;
// As a browser does: addresses are relative to the page, and requests that change something have an origin.
globalThis.fetch = (path, options = {}) => {
  requests.push(`${options.method ?? "GET"} ${path}`);
  const origin = (options.method ?? "GET") === "GET" ? {} : { Origin: new URL(address).origin };
  return realFetch(new URL(path, address), { ...options, headers: { ...options.headers, ...origin } });
};
const page = (mark) => ({ querySelector: (query) => (query === 'meta[name="shoverworld-server"]' ? mark : null) });

// A static host: no request at all.
globalThis.document = page(null);
assert.equal(await connect(), null);
assert.deepEqual(requests, []);

// A page that was saved: the mark is there, but nobody answers.
globalThis.document = page({});
const answering = globalThis.fetch;
globalThis.fetch = () => Promise.reject(new TypeError("fetch failed"));
assert.equal(await connect(), null);
globalThis.fetch = answering;

const remote = await connect();
assert.ok(remote.games.sokoban.agents.includes("planner"));

const position = { game: "sokoban", level: { text: level }, seed: 1 };
const hint = await remote.hint(position);
assert.equal(hint.action.length, 1);
assert.match(hint.text, /^push the box/);

const stages = [];
const plan = await remote.solve(position, { objective: "moves", onProgress: (progress) => stages.push(progress.stage) });
assert.equal(plan.status, "solved");
assert.deepEqual(stages.slice(0, 2), ["waiting", "preparing"]);

const actions = [];
const played = await remote.play(position, "planner", { onAction: (action) => actions.push(action) });
assert.equal(played.outcome, "solved");
assert.equal(actions.length, played.played);

const won = { ...position, moves: plan.actions };
const saved = await remote.saveRecord(won, [1, plan.actions.length]);
assert.equal(saved.improved, true);
assert.deepEqual(await remote.records("sokoban"), []); // the level is not a packaged one
await assert.rejects(remote.saveRecord(won, [0, 0]), (error) => error instanceof RemoteError && error.status === 422);
assert.deepEqual(await remote.files(), []);
await assert.rejects(remote.file(0), /there is no file 0/);

// Cancel: at once, with the reason of the signal, and on the server too.
const long = { game: "shover", rules: "phase2", level: { seed: 3 }, seed: 1 };
const controller = new AbortController();
const solving = remote.solve(long, {
  seconds: 300,
  signal: controller.signal,
  onProgress: (progress) => progress.plan && controller.abort(),
});
await assert.rejects(solving, { name: "AbortError" });
await new Promise((resolve) => setTimeout(resolve, 0));
assert.ok(requests.at(-1).startsWith("DELETE api/jobs/"));
await assert.rejects(remote.solve(long, { signal: AbortSignal.abort() }), { name: "AbortError" });
await assert.rejects(remote.hint({ ...position, hash: "0".repeat(16) }), /the position differs/);

// The connection is lost in the middle of a job: the stream continues after the last event.
let broken = 0;
globalThis.fetch = async (path, options) => {
  const response = await answering(path, options);
  if (!path.endsWith("/events") || broken++) return response;
  const reader = response.body.getReader();
  const chunk = new TextDecoder().decode((await reader.read()).value);
  const first = new TextEncoder().encode(chunk.slice(0, chunk.indexOf("\n\n") + 2)); // one event only
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(first),
    pull: (stream) => (reader.cancel(), stream.error(new TypeError("network error"))),
  });
  return new Response(body);
};
assert.equal((await remote.solve(position)).status, "solved");
assert.equal(broken, 2);
console.log("ok");
