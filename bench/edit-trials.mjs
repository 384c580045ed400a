/**
 * Tries edit plans on a repository: applies each plan that is not refused, and compares what a
 * compiler finds before and after.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript-api";
import { filesUnder } from "../js/build/cache.mjs";
import { say } from "../js/build/run.mjs";
import { loadPackage } from "./navigator.mjs";

/** The source files that are edited and compiled. */
export const SOURCE = /\.[cm]?[jt]sx?$|\.py$/;

/** The columns of {@link rowOf}. */
export const HEAD = [
	...["repository", "asked", "refused", "applied", "edits"],
	...["break code", "refused because"],
];

/**
 * Counts the errors of a compiler by their texts.
 *
 * @typedef {(folder: string) => Map<string, number> | Promise<Map<string, number>>} Compile
 */

/** @typedef {import("../js/core/navigator.js").Navigator} Navigator */

/** @typedef {Awaited<ReturnType<Navigator["movePlan"] | Navigator["renamePlan"]>>} Plan */

/**
 * A definition, and how to make the plan of its edits.
 *
 * @typedef {object} Trial
 * @property {string} symbol
 * @property {() => Promise<Plan>} plan
 * @property {(error: string) => string} known returns an error as it read before the edits
 */

/**
 * @typedef {{ asked: number, applied: number, edits: number, broken: string[], refused: Map<string,
 * number> }} Result
 */

/**
 * Tries the plans one after the other, each on the files as they were.
 *
 * @param {{ release: string, fetch: (release: string) => Promise<string>, compile: Compile }} corpus
 * @param {(nav: Navigator, folder: string) => Promise<Trial[]>} choose
 * @returns {Promise<Result>}
 */
export async function tryPlans({ release, fetch, compile }, choose) {
	const { open, nodeHost, applyPlan } = await loadPackage();
	const original = await fetch(release);
	const folder = mkdtempSync(join(tmpdir(), "ragnav-edits-"));
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
		for (const { symbol, plan: make, known } of await choose(nav, folder)) {
			const plan = await make();
			result.asked += 1;
			if (plan.refusals.length > 0 || plan.meta.status === "ERROR") {
				countRefusals(result, plan);
				continue;
			}
			applyPlan(folder, plan);
			const added = newErrors(before, await compile(folder), known);
			result.applied += 1;
			result.edits += plan.items.length;
			if (added.length > 0) {
				result.broken.push(symbol);
				say(`${release} ${symbol}: ${added[0]}`);
			}
			for (const { file } of plan.files) restore(original, folder, file);
		}
		nav.close();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return result;
}

/**
 * @param {Result} result
 * @param {Plan} plan
 */
function countRefusals({ refused }, { refusals }) {
	for (const reason of new Set(refusals.map(({ reason }) => reason))) {
		refused.set(reason, (refused.get(reason) ?? 0) + 1);
	}
}

/**
 * @param {string} original
 * @param {string} folder
 * @param {string} file
 */
function restore(original, folder, file) {
	const from = join(original, file);
	if (existsSync(from)) cpSync(from, join(folder, file));
	else rmSync(join(folder, file));
}

/**
 * Returns the errors that there are more of.
 *
 * @param {Map<string, number>} before
 * @param {Map<string, number>} after
 * @param {(error: string) => string} known
 */
function newErrors(before, after, known) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const [error, count] of after) {
		counts.set(known(error), (counts.get(known(error)) ?? 0) + count);
	}
	return [...counts]
		.filter(([error, count]) => count > (before.get(error) ?? 0))
		.map(([error]) => error);
}

/**
 * Counts the errors of TypeScript by their texts alone: a definition with one may move to another
 * file.
 *
 * @type {Compile}
 */
export function typescriptErrors(folder) {
	const files = filesUnder(folder).filter((file) => SOURCE.test(file));
	const program = ts.createProgram(files, {
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler,
		customConditions: ["@zod/source"],
		allowImportingTsExtensions: true,
		noEmit: true,
		skipLibCheck: true,
		strict: true,
		target: ts.ScriptTarget.ESNext,
		types: [],
	});
	const errors = ts.getPreEmitDiagnostics(program);
	return counted(
		errors.map(({ messageText }) =>
			ts.flattenDiagnosticMessageText(messageText, " "),
		),
	);
}

/** @param {string[]} errors */
export function counted(errors) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const error of errors) counts.set(error, (counts.get(error) ?? 0) + 1);
	return counts;
}

/**
 * @param {string} release
 * @param {Result} result
 */
export function rowOf(release, { asked, applied, edits, broken, refused }) {
	const reasons = [...refused].sort(([, a], [, b]) => b - a);
	const why = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ");
	const numbers = [asked, asked - applied, applied, edits, broken.length];
	return [release, ...numbers.map(String), why];
}
