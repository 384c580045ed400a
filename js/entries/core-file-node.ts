/** The URL of the core. Every bundle for Node is in `dist/esm` or `dist/cjs`. */
export const coreFile = new URL("../../core.wasm", import.meta.url);
