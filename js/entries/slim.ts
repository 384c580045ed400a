/** The package without a way to load its core: `await init(bytes)` first, with the bytes of `ragnav/core.wasm`. */
export * from "../core/api.js";
