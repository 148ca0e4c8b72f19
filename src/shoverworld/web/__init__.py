"""The games in a browser: the rules as WebAssembly modules, and descriptions of the games as JSON."""
