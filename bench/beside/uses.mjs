/** Which references and definitions several tools find, beside compilers. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { say } from "../../js/build/run.mjs";
import { commit } from "../corpus.mjs";
import { navigator } from "../navigator.mjs";
import { copyFolder } from "../workspace.mjs";
import { codegraphDefinitions, installedCodegraph } from "./codegraph.mjs";
import { CORPORA, folderOf, titleOf } from "./corpora.mjs";
import { addRows, emptyScore, ratiosOf } from "./score-uses.mjs";
import { ctagsProgram, ctagsVersion, ragnavVersion } from "./versions.mjs";

/** @typedef {import("./corpora.mjs").Corpus} Corpus */
/** @typedef {import("./corpora.mjs").Declaration} Declaration */
/** @typedef {import("./corpora.mjs").Place} Place */
/** @typedef {import("./corpora.mjs").Truth} Truth */
/** @typedef {import("./results.mjs").Result} Result */
/** @typedef {import("./results.mjs").Row} Row */
/** @typedef {import("./run.mjs").Context} Context */
/**
 * @typedef {object} Tool
 * @property {string} tool
 * @property {string} version
 * @property {string} uses the command that finds references
 * @property {string} definitions the command that finds definitions
 * @property {(declaration: Declaration) => Promise<Place[]>} [usesOf]
 * @property {(declaration: Declaration) => Promise<boolean>} hasDefinition
 */

const KINDS = /** @type {const} */ (["function", "method", "type"]);
const LIMIT = 10_000;

/** @type {Promise<{ uses: Row[], definitions: Row[] }> | undefined} */
let measured;

/**
 * @param {Context} context
 * @returns {Promise<Result>}
 */
export async function whereUsed(context) {
	measured ??= measure(context);
	return {
		part: "where-used",
		title: "References beside compilers",
		note: "For each declaration that the compiler finds, the tool lists its references, other than imports. A row is right if the compiler finds a use of the declaration on its line or, since some tools name the line on which a statement starts, on one of the 5 lines after it. It is wrong if the compiler says that it means something else. ragnav's rows are its resolved ones. The truth of Go is go/types, that of TypeScript is its language service.",
		columns: [
			{ key: "uses", title: "references", unit: "count" },
			{ key: "precision", title: "precision", unit: "share", better: "more" },
			{ key: "recall", title: "recall", unit: "share", better: "more" },
		],
		chart: "recall",
		rows: (await measured).uses,
	};
}

/**
 * @param {Context} context
 * @returns {Promise<Result>}
 */
export async function definitions(context) {
	measured ??= measure(context);
	return {
		part: "definitions",
		title: "Definitions beside compilers",
		note: "For each declaration that the compiler finds, the tool lists the definitions of its name. The declaration is found if one of them is in its file and has the line of its name.",
		columns: [
			{ key: "declarations", title: "declarations", unit: "count" },
			{ key: "found", title: "found", unit: "share", better: "more" },
		],
		chart: "found",
		rows: (await measured).definitions,
	};
}

/** @param {Context} context */
async function measure({ data, temp }) {
	/** @type {Row[]} */
	const uses = [];
	/** @type {Row[]} */
	const definitions = [];
	for (const corpus of CORPORA) {
		say(`${corpus.repository}: asking the compiler`);
		const root = folderOf(data, corpus);
		const truth = await corpus.truthOf(root);
		const copy = join(temp, corpus.repository.replace("/", "-"));
		copyFolder(root, copy, [".git", "node_modules"]);
		// As its users have it: ignore rules count, and all files are tracked.
		await commit(corpus.repository, copy);
		for (const open of [ragnavTool, codegraphTool, ctagsTool]) {
			const tools = await open(copy, temp);
			for (const tool of tools) {
				say(`${corpus.repository}: asking ${tool.tool}`);
				if (tool.usesOf) uses.push(...(await usesRows(corpus, truth, tool)));
				if (tool.definitions)
					definitions.push(...(await definitionRows(corpus, truth, tool)));
			}
		}
	}
	return { uses, definitions };
}

/**
 * @param {Corpus} corpus
 * @param {Truth} truth
 * @param {Tool} tool
 * @returns {Promise<Row[]>}
 */
async function usesRows(corpus, truth, { tool, version, uses, usesOf }) {
	const rows = [];
	for (const kind of KINDS) {
		const score = emptyScore();
		for (const one of truth.declarations)
			if (one.kind === kind)
				addRows(score, truth, one, (await usesOf?.(one)) ?? []);
		if (score.uses === 0) continue;
		rows.push({
			...{ tool, version, corpus: titleOf(corpus), what: `${kind}s` },
			command: uses,
			values: ratiosOf(score),
		});
	}
	return rows;
}

/**
 * @param {Corpus} corpus
 * @param {Truth} truth
 * @param {Tool} tool
 * @returns {Promise<Row[]>}
 */
async function definitionRows(corpus, { declarations }, tool) {
	const rows = [];
	for (const kind of KINDS) {
		const all = declarations.filter((one) => one.kind === kind);
		if (all.length === 0) continue;
		let found = 0;
		for (const one of all) if (await tool.hasDefinition(one)) found += 1;
		rows.push({
			...{ tool: tool.tool, version: tool.version },
			...{ corpus: titleOf(corpus), what: `${kind}s` },
			command: tool.definitions,
			values: { declarations: all.length, found: found / all.length },
		});
	}
	return rows;
}

/**
 * @param {string} folder
 * @returns {Promise<Tool[]>}
 */
async function ragnavTool(folder) {
	const nav = await navigator(folder);
	const rowsOf = async (
		/** @type {Declaration} */ { file, line, column },
		/** @type {"resolved" | "candidate"} */ resolution,
	) => {
		const symbol = `${file}:${line}:${column + 1}`;
		const { items } = await nav.whereUsed(symbol, { limit: LIMIT });
		return items
			.filter((item) => item.resolution === resolution)
			.filter(({ kind }) => kind !== "import")
			.map(({ file, line }) => /** @type {Place} */ ([file, line]));
	};
	const version = ragnavVersion();
	return [
		{
			...{ tool: "ragnav", version },
			uses: "ragnav where-used FILE:LINE:COLUMN",
			definitions: "ragnav locate NAME",
			usesOf: (declaration) => rowsOf(declaration, "resolved"),
			async hasDefinition({ name, file, line }) {
				const { items } = await nav.locate(name);
				return items.some(
					(item) =>
						item.file === file &&
						item.start_line <= line &&
						item.end_line >= line,
				);
			},
		},
	];
}

/**
 * @param {string} folder
 * @param {string} temp
 * @returns {Promise<Tool[]>}
 */
async function codegraphTool(folder, temp) {
	const all = await codegraphDefinitions(folder, join(temp, "home"));
	const { version } = await installedCodegraph();
	const definitionOf = (/** @type {Declaration} */ { name, file, line }) =>
		all
			.filter((each) => each.name === name && each.file === file)
			.filter(({ start, end }) => start <= line && line <= end)
			.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
	return [
		{
			...{ tool: "codegraph", version },
			uses: "codegraph init; the edges of its index that `codegraph callers` shows",
			definitions:
				"codegraph init; the nodes of its index that `codegraph query` shows",
			usesOf: async (declaration) =>
				(definitionOf(declaration)?.uses ?? [])
					.filter(([edge]) => edge !== "imports")
					.map(([, file, line]) => /** @type {Place} */ ([file, line])),
			hasDefinition: async (declaration) =>
				definitionOf(declaration) !== undefined,
		},
	];
}

/**
 * @param {string} folder
 * @returns {Promise<Tool[]>}
 */
async function ctagsTool(folder) {
	const args = ["-R", "--fields=+n", "--sort=no", "-f", "-", "."];
	const { stdout } = spawnSync(ctagsProgram(), args, {
		cwd: folder,
		encoding: "utf8",
		maxBuffer: 1 << 30,
	});
	const places = new Set(
		stdout.split("\n").map((tag) => {
			const [name, file] = tag.split("\t");
			const line = /\tline:(\d+)/.exec(tag)?.[1];
			return `${name} ${file?.replace(/^\.\//, "")}:${line}`;
		}),
	);
	return [
		{
			...{ tool: "ctags", version: ctagsVersion() },
			uses: "",
			definitions: "ctags -R --fields=+n",
			hasDefinition: async ({ name, file, line }) =>
				places.has(`${name} ${file}:${line}`),
		},
	];
}
