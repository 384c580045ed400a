/** The file of the core, from the place of every bundle for Node. */
export const coreFile = new URL("../../core.wasm", import.meta.url);
