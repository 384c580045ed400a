/**
 * The script `inline-files.js`, which the build writes: it puts the files of `ragnav/inline` on the
 * global object. It imports and exports nothing, so it is a valid ES module and valid CommonJS, and
 * one copy of the files serves both forms of the entry.
 */
export {};
