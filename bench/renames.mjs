/**
 * Renames definitions chosen by chance, and compiles: a rename is right if the compiler finds
 * nothing new. With `--write` it writes `bench/REPORT-renames.md`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import ts from "typescript-api";
import { build } from "../js/build/build.mjs";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem, say } from "../js/build/run.mjs";
import { chance } from "./chance.mjs";
import { sources } from "./corpus.mjs";
import { loadPackage } from "./navigator.mjs";
import { npmPackage } from "./npm-corpus.mjs";
import { configure, pyrightPackage } from "./pyright-client.mjs";
import { table } from "./table.mjs";

/** @typedef {(folder: string) => Map<string, number> | Promise<Map<string, number>>} Compile */

/** @type {{ release: string, fetch: (release: string) => Promise<string>, compile: Compile }[]} */
const CORPORA = [
	{ release: "rxjs@7.8.2", fetch: npmPackage, compile: typescriptErrors },
	{ release: "zod@4.1.12", fetch: npmPackage, compile: typescriptErrors },
	{ release: "click-8.1.8", fetch: sources, compile: pyrightErrors },
	{ release: "rich-13.9.4", fetch: sources, compile: pyrightErrors },
];
const HEAD = [
	...["repository", "asked", "refused", "applied", "edits"],
	...["break code", "refused because"],
];
const RENAMES = Number(process.env.RAGNAV_RENAMES ?? 25);
const SEED = 23;
const SUFFIX = "Renamed";
const SOURCE = /\.[cm]?[jt]sx?$|\.py$/;
/** The share of the plans that may be applied which must be right. */
const NEEDED = 0.97;

await asProgram(async () => {
	await build();
	const rows = [];
	let isEnough = true;
	for (const corpus of CORPORA) {
		const result = await renameIn(corpus);
		rows.push(rowOf(corpus.release, result));
		isEnough &&= result.broken.length <= (1 - NEEDED) * result.applied;
	}
	const report = table(HEAD, rows);
	say(report);
	if (process.argv.includes("--write")) {
		writeFileSync(inRoot("bench", "REPORT-renames.md"), page(report));
	}
	if (!isEnough) throw new Problem("Too many renames break code.");
});

/**
 * @typedef {{ asked: number, applied: number, edits: number, broken: string[], refused: Map<string,
 * number> }} Result
 */

/**
 * @param {typeof CORPORA[number]} corpus
 * @returns {Promise<Result>}
 */
async function renameIn({ release, fetch, compile }) {
	const { open, nodeHost, applyPlan } = await loadPackage();
	const original = await fetch(release);
	const folder = mkdtempSync(join(tmpdir(), "ragnav-renames-"));
	/** @type {Result} */
	const result = {
		asked: 0,
		applied: 0,
		edits: 0,
		broken: [],
		refused: new Map(),
	};
	try {
		cpSync(original, folder, { recursive: true });
		const nav = await open(nodeHost(folder, { readOnly: true }));
		const before = await compile(folder);
		for (const symbol of await chosen(nav, folder)) {
			const old = symbol.slice(symbol.lastIndexOf(".") + 1);
			const plan = await nav.renamePlan(symbol, `${old}${SUFFIX}`);
			result.asked += 1;
			if (plan.refusals.length > 0) {
				for (const { reason } of plan.refusals) {
					result.refused.set(reason, (result.refused.get(reason) ?? 0) + 1);
				}
				continue;
			}
			applyPlan(folder, plan);
			const added = newErrors(before, await compile(folder), old);
			result.applied += 1;
			result.edits += plan.items.length;
			if (added.length > 0) {
				result.broken.push(symbol);
				say(`${release} ${symbol}: ${added[0]}`);
			}
			for (const { file } of plan.files) {
				cpSync(join(original, file), join(folder, file));
			}
		}
		nav.close();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return result;
}

/**
 * Returns symbols chosen by chance among those that other code may refer to.
 *
 * @param {import("../js/core/navigator.js").Navigator} nav
 * @param {string} folder
 */
async function chosen(nav, folder) {
	const files = filesUnder(folder)
		.map((file) => relative(folder, file))
		.filter((file) => SOURCE.test(file));
	/** @type {Set<string>} */
	const all = new Set();
	for (const file of files.sort()) {
		const add = (
			/** @type {import("../js/core/api.js").OutlineItem} */ item,
		) => {
			if (!/^(?:__.*__|constructor)$/.test(item.name)) all.add(item.symbol);
			if (item.kind === "class") item.children.forEach(add);
		};
		(await nav.outline(file)).items.forEach(add);
	}
	const left = [...all];
	const { pick } = chance(SEED);
	const count = Math.min(RENAMES, left.length);
	return Array.from(
		{ length: count },
		() => /** @type {string} */ (left.splice(pick(left.length), 1)[0]),
	);
}

/**
 * Returns the errors that there are more of, with the old name for the new one.
 *
 * @param {Map<string, number>} before
 * @param {Map<string, number>} after
 * @param {string} name
 */
function newErrors(before, after, name) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const [error, count] of after) {
		const known = error.replaceAll(`${name}${SUFFIX}`, name);
		counts.set(known, (counts.get(known) ?? 0) + count);
	}
	return [...counts]
		.filter(([error, count]) => count > (before.get(error) ?? 0))
		.map(([error]) => error);
}

/** @type {Compile} */
function typescriptErrors(folder) {
	const files = filesUnder(folder).filter((file) => SOURCE.test(file));
	const program = ts.createProgram(files, {
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler,
		customConditions: ["@zod/source"],
		noEmit: true,
		skipLibCheck: true,
		strict: true,
		target: ts.ScriptTarget.ESNext,
		types: [],
	});
	const errors = ts.getPreEmitDiagnostics(program).map((error) => {
		const file = relative(folder, error.file?.fileName ?? "");
		return `${file}: ${ts.flattenDiagnosticMessageText(error.messageText, " ")}`;
	});
	return counted(errors);
}

/** @type {Compile} */
async function pyrightErrors(folder) {
	configure(folder);
	const script = join(await pyrightPackage(), "index.js");
	const { stdout } = spawnSync(
		process.execPath,
		[script, "--outputjson", "--project", folder],
		{ encoding: "utf8", maxBuffer: 1 << 28 },
	);
	/** @type {{ generalDiagnostics: { file: string, severity: string, message: string }[] }} */
	const { generalDiagnostics } = JSON.parse(stdout);
	const errors = generalDiagnostics.filter(
		({ severity }) => severity === "error",
	);
	return counted(
		errors.map(({ file, message }) => `${relative(folder, file)}: ${message}`),
	);
}

/** @param {string[]} errors */
function counted(errors) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const error of errors) counts.set(error, (counts.get(error) ?? 0) + 1);
	return counts;
}

/**
 * @param {string} release
 * @param {Result} result
 */
function rowOf(release, { asked, applied, edits, broken, refused }) {
	const reasons = [...refused].sort(([, a], [, b]) => b - a);
	const why = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ");
	const numbers = [asked, asked - applied, applied, edits, broken.length];
	return [release, ...numbers.map(String), why];
}

function page(/** @type {string} */ report) {
	return `# Renames beside compilers

\`npm run renames -- --write\` wrote this page.

Of each repository ${RENAMES} definitions, chosen by chance, get another name.
A plan without refusals is applied, and the compiler runs: TypeScript ${ts.version}, or pyright for Python.
A rename breaks code if the compiler then finds an error that it did not find before.

${report}
`;
}
