/**
 * Compares the references of `whereUsed` with those of pyright's language server, over two packages
 * of different style, or over folders that are named.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { build } from "../js/build/build.mjs";
import { filesUnder } from "../js/build/cache.mjs";
import { asProgram, Problem, say } from "../js/build/run.mjs";
import { sources } from "./corpus.mjs";
import { noteCause, report } from "./links-report.mjs";
import { navigator } from "./navigator.mjs";
import { configure, startPyright } from "./pyright-client.mjs";

/**
 * The packages: one has decorators and a class hierarchy, the other many small annotated classes
 * and protocols.
 */
const PACKAGES = ["click-8.1.8", "rich-13.9.4"];
const NEEDED_PRECISION = 0.95;
const NEEDED_RECALL = 0.75;
/** The sampling rate of definitions: one of so many. */
const EVERY = Number(process.env.RAGNAV_EVERY ?? 1);

/** The kinds of symbols of LSP. */
const KINDS = new Map([
	[5, "class"],
	[6, "method"],
	[7, "property"],
	[9, "method"],
	[12, "function"],
]);

/**
 * @typedef {{ file: string, name: string, kind: string, position:
 * import("./pyright-client.mjs").Position }} Asked
 */
/** @typedef {import("./links-report.mjs").Score} Score */
/** @typedef {import("./links-report.mjs").Causes} Causes */
/** @typedef {Awaited<ReturnType<typeof startPyright>>} Server */

await asProgram(async () => {
	await build();
	const named = process.argv.slice(2);
	const isEnough = [];
	for (const folder of named) isEnough.push(await compareCopy(folder));
	if (named.length > 0) return;
	for (const name of PACKAGES)
		isEnough.push(await compareCopy(await sources(name), name));
	if (isEnough.includes(false))
		throw new Problem(
			`precision is below ${NEEDED_PRECISION} or recall below ${NEEDED_RECALL}`,
		);
});

/**
 * Compares a copy of a folder, which pyright's settings are written to.
 *
 * @param {string} origin
 * @param {string} name
 */
async function compareCopy(origin, name = basename(origin)) {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-pyright-"));
	try {
		cpSync(origin, folder, { recursive: true });
		return await compare(name, folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Prints how the answers compare, and returns whether they are near enough.
 *
 * @param {string} name
 * @param {string} folder
 */
async function compare(name, folder) {
	const nav = await navigator(folder);
	configure(folder);
	const server = await startPyright(folder);
	const files = new Map(
		filesUnder(folder)
			.filter((path) => path.endsWith(".py"))
			.map((path) => [
				relative(folder, path).replaceAll("\\", "/"),
				readFileSync(path, "utf8").split(/\r\n|\r|\n/),
			]),
	);
	const symbols = await asked(nav, server, files);
	say(`${name}: ${symbols.size} symbols`);
	/** @type {Map<string, Score>} */
	const scores = new Map();
	/** @type {Record<string, Causes>} */
	const causes = { missed: new Map(), candidate: new Map(), extra: new Map() };
	for (const [symbol, definitions] of symbols) {
		const kind = definitions[0]?.kind ?? "";
		const truth = await truthOf(server, files, definitions);
		const { resolved, candidates } = await answerOf(nav, symbol);
		const score = scores.get(kind) ?? {
			found: 0,
			missed: 0,
			extra: 0,
			candidates: 0,
			added: 0,
			renamed: 0,
		};
		scores.set(kind, score);
		const note = (/** @type {string} */ side, /** @type {string} */ at) =>
			noteCause(causes[side], files, at, symbol);
		for (const at of truth) {
			if (resolved.has(at)) score.found += 1;
			else {
				score.missed += 1;
				if (candidates.has(at)) score.added += 1;
				note(candidates.has(at) ? "candidate" : "missed", at);
			}
		}
		score.candidates += candidates.size;
		for (const at of resolved) {
			if (truth.has(at)) continue;
			if (isByAnotherName(files, at, symbol, kind)) {
				score.renamed += 1;
				continue;
			}
			score.extra += 1;
			note("extra", at);
		}
	}
	await server.close();
	nav.close();
	const { precision, recall } = report(name, scores, causes);
	return precision >= NEEDED_PRECISION && recall >= NEEDED_RECALL;
}

/**
 * Returns the definitions to query, by ragnav's symbol, which may have several definitions.
 *
 * @param {Awaited<ReturnType<typeof navigator>>} nav
 * @param {Server} server
 * @param {Map<string, string[]>} files
 */
async function asked(nav, server, files) {
	/** @type {Map<string, Asked[]>} */
	const symbols = new Map();
	for (const file of files.keys()) {
		for (const one of flat(await server.symbols(file))) {
			const kind = KINDS.get(one.kind);
			const position = one.selectionRange.start;
			const { items } = await nav.identify(file, position.line + 1);
			const symbol = items[0]?.symbol;
			// Pyright lists variables and lambdas with these kinds, which are no definitions in ragnav.
			if (!kind || !symbol?.endsWith(`.${one.name}`)) continue;
			const known = symbols.get(symbol) ?? [];
			symbols.set(symbol, [...known, { file, name: one.name, kind, position }]);
		}
	}
	return new Map([...symbols].sort().filter((_, at) => at % EVERY === 0));
}

/** @returns {import("./pyright-client.mjs").DocumentSymbol[]} */
function flat(
	/** @type {import("./pyright-client.mjs").DocumentSymbol[]} */ symbols,
) {
	return symbols.flatMap((one) => [one, ...flat(one.children ?? [])]);
}

/**
 * Returns pyright's references to all definitions of a symbol, as places.
 *
 * @param {Server} server
 * @param {Map<string, string[]>} files
 * @param {Asked[]} definitions
 */
async function truthOf(server, files, definitions) {
	/** @type {Set<string>} */
	const places = new Set();
	for (const { file, position } of definitions) {
		for (const found of await server.references(file, position)) {
			const lines = files.get(found.file);
			if (lines && !isDeclared(lines, found.line, found.column))
				places.add(`${found.file}:${found.line}:${found.column}`);
		}
	}
	return places;
}

/**
 * Reports whether pyright counts a place that is no reference in ragnav: the names of further
 * definitions (overloads, setters, `else` branches), strings in `__all__`, and the alias of an
 * import.
 *
 * @param {string[]} lines
 * @param {number} line
 * @param {number} column
 */
function isDeclared(lines, line, column) {
	const text = lines[line - 1] ?? "";
	const before = text.slice(0, column);
	if (/^\s*(?:async\s+)?(?:def|class)\s+$/.test(before)) return true;
	if (/\bimport\b.*\bas\s+$|^\s*\w+ as\s+$/.test(before)) return true;
	const isString = /["']$/.test(before) && /^\w+["']/.test(text.slice(column));
	if (!isString) return false;
	const above = lines.slice(0, line).findLastIndex((one) => /^\S/.test(one));
	return [above, above - 1, line - 1].some((at) =>
		/^__all__\b/.test(lines[at] ?? ""),
	);
}

/**
 * Reports whether a place refers to the symbol by another name, which ragnav counts and pyright
 * does not: a variable or an alias with the symbol as its value, or the class whose call runs the
 * method. These are counted separately.
 *
 * @param {Map<string, string[]>} files
 * @param {string} at
 * @param {string} symbol
 * @param {string} kind
 */
function isByAnotherName(files, at, symbol, kind) {
	const [file = "", line, column] = at.split(":");
	const text = files.get(file)?.[Number(line) - 1] ?? "";
	const name = /^\w+/.exec(text.slice(Number(column)))?.[0] ?? "";
	if (!symbol.endsWith(`.${name}`)) return true;
	// `append = self.append`: the name without a receiver is a variable.
	return kind === "method" && !/\.\s*$/.test(text.slice(0, Number(column)));
}

/**
 * @param {Awaited<ReturnType<typeof navigator>>} nav
 * @param {string} symbol
 */
async function answerOf(nav, symbol) {
	const { items, meta } = await nav.whereUsed(symbol, {
		confidence: "all",
		limit: 10_000,
	});
	if (meta.error_code)
		throw new Problem(`${symbol}: ${meta.error_code}: ${meta.message}`);
	const places = (/** @type {string} */ resolution) => {
		const rows = items.filter((item) => item.resolution === resolution);
		return new Set(
			rows.map((item) => `${item.file}:${item.line}:${item.start_utf16}`),
		);
	};
	return { resolved: places("resolved"), candidates: places("candidate") };
}
