/** Whether the calls that `whereUsed` resolves are those that Django's imported modules make. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "../js/build/build.mjs";
import { makeFolder } from "../js/build/cache.mjs";
import { inCache, inRoot } from "../js/build/paths.mjs";
import { asProgram, output, Problem, run } from "../js/build/run.mjs";
import { django, need } from "./corpus.mjs";

const NEEDED = 0.97;
/** One of so many functions and classes is asked about. */
const EVERY = 3;
const LISTED = 20;

/** @typedef {[file: string, line: number, column: number, target: string, name: string]} Call */

await asProgram(async () => {
	await build();
	const folder = await django("5.1");
	const calls = await truth(folder);
	/** @type {Map<string, Call[]>} */
	const targets = new Map();
	for (const call of calls) {
		const key = `${call[3]} ${call[4]}`;
		targets.set(key, [...(targets.get(key) ?? []), call]);
	}
	const meant = new Map(
		calls.map((call) => [placeOf(call), `${call[3]} ${call[4]}`]),
	);
	const nav = await navigator(folder);
	const score = { found: 0, missed: 0, wrong: 0, unknown: 0 };
	/** @type {string[]} */
	const examples = [];
	const asked = [...targets].sort().filter((_, at) => at % EVERY === 0);
	for (const [target, expected] of asked) {
		const answered = await places(nav, target);
		for (const call of expected) {
			const isFound = answered.has(placeOf(call));
			score[isFound ? "found" : "missed"] += 1;
			if (!isFound) examples.push(`missed ${placeOf(call)} of ${target}`);
		}
		for (const at of answered) {
			const truly = meant.get(at);
			if (truly === undefined) score.unknown += 1;
			else if (truly !== target) {
				score.wrong += 1;
				examples.push(`wrong ${at}: ${target}, truly ${truly}`);
			}
		}
	}
	nav.close();
	const recall = score.found / (score.found + score.missed);
	const precision = score.found / (score.found + score.wrong);
	console.log(
		`${asked.length} of ${targets.size} functions and classes, ${JSON.stringify(score)}`,
	);
	console.log(`precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`);
	console.log(examples.slice(0, LISTED).join("\n"));
	if (Math.min(recall, precision) < NEEDED) {
		throw new Problem(
			`less than ${NEEDED} of the calls are resolved as the interpreter does`,
		);
	}
});

/**
 * @param {string} file
 * @param {number} line
 * @param {number} column
 */
function place(file, line, column) {
	return `${file}:${line}:${column}`;
}

function placeOf(/** @type {Call} */ [file, line, column]) {
	return place(file, line, column);
}

/** The calls in Django's modules and what they mean, from a Python that has what Django needs. */
async function truth(/** @type {string} */ folder) {
	const [python] = need("python3");
	const environment = inCache("corpora", "Django-5.1-python");
	if (!existsSync(environment)) {
		await makeFolder(environment, async (unfinished) => {
			await run(python, [
				"-m",
				"pip",
				"-q",
				"install",
				"--target",
				unfinished,
				"asgiref",
				"sqlparse",
				"tzdata",
			]);
		});
	}
	const script = inRoot("bench", "links_truth.py");
	const code = `import sys; sys.path.insert(0, ${JSON.stringify(environment)}); sys.argv = ["", ${JSON.stringify(folder)}]; exec(open(${JSON.stringify(script)}).read())`;
	const printed = output(python, ["-c", code]);
	if (printed === undefined)
		throw new Problem("Django's modules could not be imported.");
	return /** @type {Call[]} */ (JSON.parse(printed));
}

async function navigator(/** @type {string} */ folder) {
	const at = (/** @type {string[]} */ ...names) =>
		inRoot("pkg", "dist", "esm", ...names);
	const { open } = /** @type {typeof import("../js/entries/node.js")} */ (
		await import(at("node.js"))
	);
	const { nodeHost } = /** @type {typeof import("../js/hosts/node.js")} */ (
		await import(at("hosts", "node.js"))
	);
	const nav = await open(nodeHost(folder, { readOnly: true }));
	await nav.buildGraph();
	return nav;
}

/**
 * The places of the calls that are resolved to a target.
 *
 * @param {Awaited<ReturnType<typeof navigator>>} nav
 * @param {string} target
 */
async function places(nav, target) {
	const [file = "", name = ""] = target.split(" ");
	const module = join(file)
		.replace(/(?:\/__init__)?\.py$/, "")
		.replaceAll("/", ".");
	const { items } = await nav.whereUsed(`sym:${module}.${name}`, {
		limit: 10_000,
		confidence: "resolved",
	});
	const calls = items.filter(({ kind }) => kind === "call");
	return new Set(
		calls.map((item) => place(item.file, item.line, item.start_utf16)),
	);
}
