"""The bundler joins modules without changing what they do, and rejects what it does not support."""

import subprocess

import pytest

from shoverworld.web.bundle import BundleError, bundle

from .node import needs_node

MODULES = {
    "main.js": """
/** Starts here. */
import { twice } from "./numbers.js";
import {
  Counter,
  LIMIT,
} from "./counter.js";

const secret = "main";
/** @type {import("./types.js").Any} */ (globalThis).answer = 42;
/** @type {Counter} */
const counter = new Counter();
console.log(await counter.add(twice(LIMIT)), secret, globalThis.answer, `import { x } from "./no.js";`);
""",
    "numbers.js": """
const secret = 2; // every module has a scope of its own
export function twice(number) {
  // multiply
  return number * secret;
}
""",
    "counter.js": """
import { twice } from "./numbers.js";

export const LIMIT = 10;

/**
 * Counts.
 */
export class Counter {
  total = twice(1);
  async add(number) {
    this.total += number;
    return later(this.total);
  }
}
export async function later(value) {
  return value;
}
""",
}


@needs_node
def test_a_bundle_does_what_the_modules_do(tmp_path):
    for name, source in MODULES.items():
        (tmp_path / name).write_text(source)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "bundle.mjs").write_text(bundle("main.js", MODULES.__getitem__))
    run = lambda name: subprocess.run(["node", tmp_path / name], capture_output=True, text=True, check=True).stdout  # noqa: E731
    assert run("bundle.mjs") == run("main.js") == '22 main 42 import { x } from "./no.js";\n'


def test_comments_are_left_out_and_modules_occur_once():
    script = bundle("main.js", MODULES.__getitem__)
    assert "/**\n" not in script and "// multiply" not in script
    assert script.count("module_numbers = ") == 1


def test_a_string_that_spans_lines_keeps_its_content():
    text = "const text = `\n// no comment\n/* none */\n`;\n"
    assert text in bundle("a.js", {"a.js": text}.__getitem__)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('import twice from "./numbers.js";\n', "a.js: 'import twice from"),
        ('import * as all from "./numbers.js";\n', "a.js: 'import * as all"),
        ('import "./numbers.js";\n', "a.js: 'import "),
        ('import { twice as two } from "./numbers.js";\n', "a.js: 'twice as two' is not a name"),
        ('import { no } from "./numbers.js";\n', "a.js: numbers.js does not export no"),
        ('import { twice } from "https://example.org/x.js";\n', "a.js: 'import { twice } from"),
        ('import { a } from "./a.js";\n', "a.js: the modules import one another: a.js -> a.js"),
        ("export default 1;\n", "a.js: 'export default 1;'"),
        ("export let x = 1;\n", "a.js: 'export let x = 1;'"),
        ("const a = 1;\nexport { a };\n", "a.js: 'export { a };'"),
        ('export * from "./numbers.js";\n', "a.js: 'export * from"),
        ('const m = await import("./numbers.js");\n', "a.js: 'const m = await import"),
        ("const base = import.meta.url;\n", "a.js: 'const base = import.meta.url;'"),
        ("const html = '</script>';\n", "a.js: \"const html = '</script>';\""),
    ],
)
def test_anything_else_is_rejected(source, reason):
    with pytest.raises(BundleError) as error:
        bundle("a.js", {**MODULES, "a.js": source}.__getitem__)
    assert str(error.value).startswith(reason)
