/**
 * The script `inline-files.js`, which the build writes: it puts the files of `ragnav/inline` on the
 * global object. Without imports and exports it is both an ES module and CommonJS, so that the
 * package has these files once for both.
 */
export {};
