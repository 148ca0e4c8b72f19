"""The compiler that turns a game's kernels into a WebAssembly module. `make wasm` runs it; players do not need it."""
