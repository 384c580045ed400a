/** @typedef {import("./corpora.mjs").Kind} Kind */
/** @typedef {import("./corpora.mjs").Place} Place */
/** @typedef {import("../compilers.mjs").Declaration} Declared */

/**
 * Asks Go's type checker for the declarations of a module with their uses.
 *
 * @param {import("../compilers.mjs").Compiler} compiler
 * @param {string} root
 * @returns {Promise<import("./corpora.mjs").Truth>}
 */
export async function goTruth(compiler, root) {
	const printed = await compiler.usesOf(root);
	/** @type {Declared[]} */
	const declared = printed
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	// Files with constraints for other systems are not read.
	const read = new Set(declared.map(({ file }) => file));
	for (const { uses } of declared) for (const [file] of uses) read.add(file);
	const declarations = declared
		.filter(({ kind }) => kind !== "other")
		.map(({ name, kind, file, line, column, uses }) => ({
			...{ name, file, line, column },
			kind: /** @type {Kind} */ (kind),
			uses: uses.map(([file, line]) => /** @type {Place} */ ([file, line])),
		}));
	return {
		name: compiler.name,
		declarations,
		meaningOf: (_, [file]) => (read.has(file) ? "other" : "unknown"),
	};
}
