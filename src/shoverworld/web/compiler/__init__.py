"""The compiler from a game's kernels to a WebAssembly module. `make wasm` runs it; players do not need it."""
