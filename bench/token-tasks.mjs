/** The tokens that a model reads for 40 tasks, by several ways to answer them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { inRoot } from "../js/build/paths.mjs";
import { chance } from "./chance.mjs";
import { navigator } from "./navigator.mjs";
import { ripgrepProgram } from "./ripgrep.mjs";

/** @typedef {{ kind: string, symbol: string, name: string, call: Call, lines: Set<string> }} Task */
/** @typedef {{ name: string, arguments: Record<string, unknown> }} Call */
/** @typedef {{ first: number, all: number, right: number, shown: number }} Cost */
/** @typedef {{ way: string, kind: string, first: number, all: number, right: number, precision: number }} Summary */

const TASKS_OF_A_KIND = 10;
const SEED = 7;
/** A token is four bytes. */
export const BYTES_OF_A_TOKEN = 4;
const FILES_READ = 3;
/** Long, since other programs may take the processors. */
const TIMEOUT_MS = 300_000;
const WAYS = ["MCP", "rg -n -w -C2", "3 files"];

/**
 * Returns what the tasks cost, for each kind of task and way, and then for each way.
 *
 * @param {string} folder
 * @returns {Promise<Summary[]>}
 */
export async function tokenCosts(folder) {
	const tasks = await tasksOf(folder);
	const client = new Client({ name: "bench", version: "1" });
	const cli = inRoot("pkg", "dist", "cjs", "cli.js");
	const args = [cli, "mcp", "--repo", folder];
	await client.connect(
		new StdioClientTransport({ command: process.execPath, args }),
	);
	/** @type {Map<string, Cost[][]>} */
	const costs = new Map();
	for (const task of tasks) {
		const found = [
			await costOfMcp(client, task),
			costOfRipgrep(folder, task),
			costOfFiles(folder, task),
		];
		costs.set(task.kind, [...(costs.get(task.kind) ?? []), found]);
	}
	await client.close();
	return [...costs, ["all", [...costs.values()].flat()]].flatMap(
		([kind, tasks]) =>
			WAYS.map((way, at) =>
				summaryOf(
					String(kind),
					way,
					/** @type {Cost[][]} */ (tasks).map((task) => task[at]),
				),
			),
	);
}

/**
 * Returns tasks about functions and methods that are used, chosen by chance. The right lines are
 * those of `locate` and of resolved references, which other benches hold against compilers.
 *
 * @param {string} folder
 * @returns {Promise<Task[]>}
 */
async function tasksOf(folder) {
	const nav = await navigator(folder);
	const definitions = await candidates(nav);
	const { pick } = chance(SEED);
	/** @type {Task[]} */
	const tasks = [];
	for (const kind of ["definition", "callers", "impact", "explain"]) {
		for (let count = 0; count < TASKS_OF_A_KIND; ) {
			const symbol = definitions[pick(definitions.length)] ?? "";
			const task = await taskOf(nav, kind, symbol);
			if (task.lines.size === 0) continue;
			tasks.push(task);
			count += 1;
		}
	}
	nav.close();
	return tasks;
}

/** @param {import("../js/core/navigator.js").Navigator} nav */
async function candidates(nav) {
	const { items } = await nav.files({ limit: 10_000 });
	const code = items.filter(({ language }) => language !== null);
	const symbols = [];
	for (const { file } of code.filter(({ file }) => !/test|docs/.test(file))) {
		const outline = await nav.outline(file);
		const all = outline.items.flatMap((item) => [item, ...item.children]);
		symbols.push(...all.map(({ symbol }) => String(symbol)));
	}
	return symbols.sort();
}

/**
 * @param {import("../js/core/navigator.js").Navigator} nav
 * @param {string} kind
 * @param {string} symbol
 * @returns {Promise<Task>}
 */
async function taskOf(nav, kind, symbol) {
	const name = symbol.split(".").at(-1) ?? "";
	/** @type {Record<string, Call>} */
	const calls = {
		definition: { name: "rag_locate", arguments: { symbol } },
		callers: {
			name: "rag_where_used",
			arguments: { symbol, confidence: "resolved" },
		},
		impact: { name: "rag_lineage", arguments: { symbol, depth: 2 } },
		explain: {
			name: "rag_lineage",
			arguments: { symbol, direction: "downstream" },
		},
	};
	const call = calls[kind] ?? { name: "", arguments: {} };
	const lines = new Set(await rightLines(nav, kind, symbol));
	return { kind, symbol, name, call, lines };
}

/**
 * @param {import("../js/core/navigator.js").Navigator} nav
 * @param {string} kind
 * @param {string} symbol
 */
async function rightLines(nav, kind, symbol) {
	if (kind === "definition") {
		const { items } = await nav.locate(symbol);
		return items.map(({ file, start_line }) => `${file}:${start_line}`);
	}
	const { items } =
		kind === "explain"
			? await nav.lineage(symbol, "downstream", { limit: 10_000 })
			: kind === "impact"
				? await nav.lineage(symbol, "upstream", { depth: 2, limit: 10_000 })
				: await nav.whereUsed(symbol, { limit: 10_000 });
	const resolved = items.filter(({ resolution }) => resolution === "resolved");
	return resolved.map(({ file, line }) => `${file}:${line}`);
}

/**
 * @param {Client} client
 * @param {Task} task
 * @returns {Promise<Cost>}
 */
async function costOfMcp(client, { call, lines }) {
	const cost = { first: 0, all: 0, right: 0, shown: 0 };
	for (let cursor; ; ) {
		const args = { ...call.arguments, cursor };
		const answer = await client.callTool(
			{ ...call, arguments: args },
			undefined,
			{ timeout: TIMEOUT_MS },
		);
		const text = /** @type {any} */ (answer.content)[0].text;
		const structured = /** @type {any} */ (answer.structuredContent);
		const items = structured.items;
		cost.shown += items.length;
		cost.right += items.filter((/** @type {any} */ item) =>
			lines.has(`${item.file}:${item.line ?? item.start_line}`),
		).length;
		if (cost.first === 0)
			cost.first = tokens(text.split("\n").slice(0, 3).join("\n"));
		cost.all += tokens(text);
		cursor = structured.cursor;
		if (cursor === undefined) return cost;
	}
}

/**
 * @param {string} folder
 * @param {Task} task
 * @returns {Cost}
 */
function costOfRipgrep(folder, { name, lines }) {
	const text = ripgrep(folder, ["-n", "-w", "-C2", "--no-heading", "-F", name]);
	const cost = { first: 0, all: tokens(text), right: 0, shown: 0 };
	let bytes = 0;
	for (const row of text.split("\n")) {
		bytes += Buffer.byteLength(row) + 1;
		const [, file, line] = /^(.+?):(\d+):/.exec(row) ?? [];
		if (file === undefined) continue;
		cost.shown += 1;
		if (!lines.has(`${file}:${line}`)) continue;
		cost.right += 1;
		if (cost.first === 0) cost.first = Math.ceil(bytes / BYTES_OF_A_TOKEN);
	}
	if (cost.first === 0) cost.first = cost.all;
	return cost;
}

/**
 * @param {string} folder
 * @param {Task} task
 * @returns {Cost}
 */
function costOfFiles(folder, { name, lines }) {
	const counts = ripgrep(folder, ["-c", "-w", "-F", name]).trim().split("\n");
	const files = counts
		.map((row) => /^(.+):(\d+)$/.exec(row))
		.map((found) => ({ file: found?.[1] ?? "", count: Number(found?.[2]) }))
		.sort((a, b) => b.count - a.count)
		.slice(0, FILES_READ);
	const cost = { first: 0, all: 0, right: 0, shown: 0 };
	for (const { file, count } of files) {
		cost.all += tokens(readFileSync(join(folder, file), "utf8"));
		cost.shown += count;
		cost.right += [...lines].filter((line) =>
			line.startsWith(`${file}:`),
		).length;
		if (cost.right > 0 && cost.first === 0) cost.first = cost.all;
	}
	if (cost.first === 0) cost.first = cost.all;
	return cost;
}

/**
 * @param {string} folder
 * @param {string[]} args
 */
function ripgrep(folder, args) {
	const { stdout } = spawnSync(
		ripgrepProgram(),
		["--no-config", ...args, "."],
		{
			cwd: folder,
			encoding: "utf8",
			maxBuffer: 1 << 30,
		},
	);
	return stdout.replaceAll(/^\.\//gm, "");
}

/** @param {string} text */
function tokens(text) {
	return Math.ceil(Buffer.byteLength(text) / BYTES_OF_A_TOKEN);
}

/**
 * @param {string} kind
 * @param {string} way
 * @param {(Cost | undefined)[]} costs
 * @returns {Summary}
 */
function summaryOf(kind, way, costs) {
	const known = costs.filter((cost) => cost !== undefined);
	const sum = (/** @type {keyof Cost} */ key) =>
		known.reduce((total, cost) => total + cost[key], 0);
	return {
		...{ kind, way },
		first: median(known.map(({ first }) => first)),
		all: median(known.map(({ all }) => all)),
		right: sum("right"),
		precision: sum("shown") === 0 ? 0 : sum("right") / sum("shown"),
	};
}

/** @param {number[]} values */
function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[values.length >> 1] ?? 0;
}
