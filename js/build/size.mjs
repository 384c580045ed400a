import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { filesUnder } from "./cache.mjs";
import { packedGrammarFiles } from "./grammars.mjs";
import { inRoot, pkg } from "./paths.mjs";
import { Problem } from "./run.mjs";

const BUDGET = inRoot("js", "build", "size-budget.json");

/** @type {Record<string, RegExp>} what is weighed, by the name it has in the budget */
const FILES = {
	"core.wasm": /^core\.wasm$/,
	...Object.fromEntries(
		packedGrammarFiles().map((file) => [
			file,
			new RegExp(`^languages/${file}$`),
		]),
	),
	"cli.js": /^dist\/cjs\/cli(-program)?\.js$/,
	// The other files are the code that the servers share.
	"mcp.js": /^dist\/esm\/(mcp|server-\w+)\.js$/,
	// The form that shares no code with others.
	"lsp.js": /^dist\/cjs\/lsp-node\.js$/,
	"embed-static.js": /^dist\/esm\/embed-static\.js$/,
	// All that the page loads besides the core.
	viewer: /^dist\/viewer\//,
	// All files of the package.
	package: /./,
};

/**
 * Returns the sizes of downloaded files, plain and compressed.
 *
 * @returns {Record<string, number>}
 */
export function packageSizes() {
	const pairs = Object.entries(FILES).flatMap(([name, pattern]) => {
		const bytes = Buffer.concat(filesLike(pattern));
		if (name.endsWith(".gz")) return [[name, bytes.length]];
		return [
			[`${name}.raw`, bytes.length],
			[`${name}.gzip`, gzipSync(bytes, { level: 9 }).length],
		];
	});
	return Object.fromEntries(pairs);
}

/** @param {RegExp} pattern */
function filesLike(pattern) {
	const named = (/** @type {string} */ file) =>
		relative(pkg, file).split(sep).join("/");
	const found = filesUnder(pkg).filter((file) => pattern.test(named(file)));
	if (found.length === 0) throw new Problem(`${pkg} has no file ${pattern}.`);
	return found.map((file) => readFileSync(file));
}

/** @param {Record<string, number>} sizes */
export function shownSizes(sizes) {
	return Object.entries(sizes)
		.map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(0)} kB`)
		.join(", ");
}

/** @param {Record<string, number>} sizes */
export function checkBudget(sizes) {
	/** @type {Record<string, number>} */
	const budget = JSON.parse(readFileSync(BUDGET, "utf8"));
	for (const [name, limit] of Object.entries(budget)) {
		const size = sizes[name];
		if (size === undefined)
			throw new Problem(`The size budget names ${name}, which is not weighed.`);
		if (size <= limit) continue;
		throw new Problem(
			`${name} has ${size} bytes, over the budget of ${limit}. ` +
				"Make it smaller, or raise js/build/size-budget.json and say why.",
		);
	}
}
