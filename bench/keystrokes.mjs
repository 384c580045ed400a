/**
 * Measures answers about a file that is being typed in: each asks about another unsaved text of it.
 * With `--write` it writes `bench/REPORT-keystrokes.md`.
 */
import {
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "../js/build/build.mjs";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { print } from "./ask.mjs";
import { chance } from "./chance.mjs";
import { sources } from "./corpus.mjs";
import { loadPackage } from "./navigator.mjs";
import { findPeers } from "./peers.mjs";
import { median } from "./rounds.mjs";
import { table } from "./table.mjs";

/** @typedef {{ text: string, line: number, at: number, inserted: string }} Edited */
/** @typedef {Awaited<ReturnType<typeof openOver>>} Buffer */

const RELEASE = "rich-13.9.4";
const SIZES = [1_000, 10_000];
const EDITS = 31;
const SEED = 17;
const FILE = "typed.py";
/** A method that the text defines and calls. */
const ASKED = "Segment.split_and_crop_lines";
const REPORT = inRoot("bench", "REPORT-keystrokes.md");
const HEAD = `# Answers while a person types

\`npm run keystrokes -- --write\` wrote this page. It puts modules of ${RELEASE} together into one
file of so many lines, and asks about unsaved texts of it, each once: each has one more comment at
the end of some line than the one before. The times are medians of ${EDITS} edits, in milliseconds,
all in one process.

The last column divides the time by that of an incremental parse of the same edit by
web-tree-sitter, which answers no question yet. Its full parse is what an edit costs without the
tree before it.`;

await asProgram(async () => {
	await build();
	const { treeSitter, versions } = await findPeers();
	if (!treeSitter) throw new Problem("web-tree-sitter could not be installed.");
	const rows = [];
	for (const size of SIZES) rows.push(...(await rowsOf(size, treeSitter)));
	const head = ["lines", "what", "median", "× incremental parse"];
	const peers = versions.filter((version) => version.startsWith("web-"));
	const report = `${HEAD}\n\n${table(head, rows)}\n\nBeside: ${peers.join(", ")}.\n`;
	print(report);
	if (process.argv.includes("--write")) writeFileSync(REPORT, report);
});

/**
 * @param {number} size
 * @param {string} treeSitter
 */
async function rowsOf(size, treeSitter) {
	const text = await textOf(size);
	const parses = await parseTimes(text, treeSitter);
	/** @type {[string, number][]} */
	const measured = [
		["web-tree-sitter: incremental parse", parses.incremental],
		["web-tree-sitter: full parse", parses.full],
	];
	for (const isIndexed of [true, false]) {
		const buffer = await openOver(text, isIndexed);
		try {
			const of = isIndexed ? "with an index" : "without an index";
			for (const [name, ask] of questions(buffer.nav))
				measured.push([`${name}, ${of}`, await medianOf(buffer, ask)]);
		} finally {
			buffer.close();
		}
	}
	return measured.map(([name, milliseconds]) => [
		size.toLocaleString("en"),
		name,
		milliseconds.toFixed(1),
		(milliseconds / parses.incremental).toFixed(1),
	]);
}

/** @param {number} size the number of lines */
async function textOf(size) {
	const folder = await sources(RELEASE);
	const files = filesUnder(join(folder, "rich")).filter((file) =>
		/^(?!_).*\.py$/.test(file.split("/").at(-1) ?? ""),
	);
	const first = files.filter((file) => file.endsWith("/segment.py"));
	const others = files.filter((file) => !first.includes(file));
	/** @type {string[]} */
	const lines = [];
	for (const file of [...first, ...others]) {
		if (lines.length >= size) break;
		lines.push(...readFileSync(file, "utf8").trimEnd().split("\n"));
	}
	return `${lines.join("\n")}\n`;
}

/**
 * @param {import("../js/entries/node.js").Navigator} nav
 * @returns {[string, () => Promise<{ meta: { error_code?: string | null } }>][]}
 */
function questions(nav) {
	return [
		["identify", () => nav.identify(FILE, 300)],
		["outline", () => nav.outline(FILE)],
		["locate", () => nav.locate(`sym:typed.${ASKED}`)],
		["where used", () => nav.whereUsed(`sym:typed.${ASKED}`)],
	];
}

/**
 * Opens a navigator over a folder with one file, of which an editor has an unsaved text.
 *
 * @param {string} text
 * @param {boolean} isIndexed
 */
async function openOver(text, isIndexed) {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "ragnav-typed-")));
	writeFileSync(join(folder, FILE), text);
	const { open, nodeHost } = await loadPackage();
	const unsaved = { path: FILE, text, version: 0 };
	const nav = await open({
		...nodeHost(folder, { readOnly: true }),
		overlay: () => [unsaved],
	});
	if (isIndexed) await nav.buildGraph();
	return {
		nav,
		unsaved,
		close() {
			nav.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/**
 * @param {Buffer} buffer
 * @param {() => Promise<{ meta: { error_code?: string | null } }>} ask
 */
async function medianOf({ unsaved }, ask) {
	/** @type {number[]} */
	const times = [];
	for (const { text } of edits(unsaved.text)) {
		unsaved.text = text;
		unsaved.version += 1;
		const start = performance.now();
		const { meta } = await ask();
		times.push(performance.now() - start);
		if (meta.error_code) throw new Problem(meta.error_code);
	}
	return median(times);
}

/**
 * Edits a text step by step.
 *
 * @param {string} original
 * @returns {Edited[]}
 */
function edits(original) {
	const { pick } = chance(SEED);
	let text = original;
	return Array.from({ length: EDITS }, (_, number) => {
		const ends = [...text.matchAll(/:\n/g)].map(({ index }) => index + 1);
		const at = ends[pick(ends.length)] ?? 0;
		const inserted = ` # ${number}`;
		const line = text.slice(0, at).split("\n").length - 1;
		text = text.slice(0, at) + inserted + text.slice(at);
		return { text, line, at, inserted };
	});
}

/**
 * @param {string} text
 * @param {string} modules
 */
async function parseTimes(text, modules) {
	const library = join(
		resolve(modules),
		"web-tree-sitter",
		"web-tree-sitter.js",
	);
	const grammar = join(
		modules,
		"tree-sitter-python",
		"tree-sitter-python.wasm",
	);
	const { Language, Parser, Edit } = await import(pathToFileURL(library).href);
	await Parser.init();
	const parser = new Parser();
	parser.setLanguage(await Language.load(grammar));
	let tree = parser.parse(text);
	/** @type {Record<"incremental" | "full", number[]>} */
	const times = { incremental: [], full: [] };
	for (const { text: edited, line, at, inserted } of edits(text)) {
		const column = at - (edited.lastIndexOf("\n", at - 1) + 1);
		const point = { row: line, column };
		let start = performance.now();
		const edit = {
			...{ startIndex: at, oldEndIndex: at, newEndIndex: at + inserted.length },
			...{ startPosition: point, oldEndPosition: point },
			newEndPosition: { row: line, column: column + inserted.length },
		};
		tree.edit(Edit ? new Edit(edit) : edit);
		const reparsed = parser.parse(edited, tree);
		times.incremental.push(performance.now() - start);
		tree.delete();
		tree = reparsed;
		start = performance.now();
		parser.parse(edited).delete();
		times.full.push(performance.now() - start);
	}
	return { incremental: median(times.incremental), full: median(times.full) };
}
