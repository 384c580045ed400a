import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../js/build/paths.mjs";

/** @typedef {import("./types.d.ts").Group} Group */

/** The folder of the vectors, a file for each group. */
export const VECTORS = inRoot("conformance", "vectors");

/**
 * Reads all vectors.
 *
 * @returns {Group[]}
 */
export const readVectors = () =>
	readdirSync(VECTORS)
		.sort()
		.map((file) => JSON.parse(readFileSync(join(VECTORS, file), "utf8")));
