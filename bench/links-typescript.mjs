/**
 * Compares the references of `whereUsed` with those of TypeScript's language service, over packages
 * or over folders that are named.
 */
import { writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import ts from "typescript-api";
import { build } from "../js/build/build.mjs";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { askNative, print } from "./ask.mjs";
import {
	languageService,
	lineOf,
	meaningAt,
	mentionsOf,
} from "./links_truth_typescript.mjs";
import { navigator } from "./navigator.mjs";
import { npmPackage } from "./npm-corpus.mjs";
import { table } from "./table.mjs";

/**
 * The packages. That of commander is JavaScript with types in comments. The last one has no types,
 * so the service resolves little; its result is only shown.
 */
const PACKAGES = [
	"rxjs@7.8.2",
	"zod@4.1.12",
	"commander@14.0.2",
	"express@4.21.2",
];
const JUDGED = 3;
const NEEDED = { precision: 0.98, recall: 0.95 };
/** Methods are harder: they need the type of their receiver. */
const NEEDED_OF_METHODS = { precision: 0.97, recall: 0.9 };
const CAUSES = 5;
const EXAMPLES = Number(process.env.RAGNAV_EXAMPLES ?? 2);
const REPORT = inRoot("bench", "REPORT-typescript.md");
const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * @typedef {{ right: number, wrong: number, unknown: number, alias: number, missed: number,
 * guessed: number, misguessed: number }} Score
 */
/**
 * @typedef {{ symbol: string, kind: string, file: string, places: { line: number, column: number
 * }[] }} Asked
 */
/** @typedef {{ score: Map<string, Score>, causes: Map<string, string[]> }} Tally */

await asProgram(async () => {
	await build();
	const folders = process.argv.slice(2).filter((one) => !one.startsWith("--"));
	for (const folder of folders)
		await compare(basename(folder), resolve(folder));
	if (folders.length > 0) return;
	const failed = [];
	const rows = [];
	for (const [at, release] of PACKAGES.entries()) {
		const { total, methods, kinds } = await compare(
			release,
			await npmPackage(release),
		);
		if (at < JUDGED) rows.push(...rowsOf(release, kinds));
		const areEnough =
			isEnough(total, NEEDED) && isEnough(methods, NEEDED_OF_METHODS);
		if (!areEnough && at < JUDGED) failed.push(release);
	}
	if (process.argv.includes("--write")) writeFileSync(REPORT, pageOf(rows));
	if (failed.length > 0)
		throw new Problem(`Too little is resolved in ${failed.join(", ")}.`);
});

/**
 * @param {string} release
 * @param {string} folder
 */
async function compare(release, folder) {
	const files = filesUnder(folder).filter((file) => SOURCE.test(file));
	const symbols = await definitions(folder, files);
	const service = languageService(folder, files);
	const nav = await navigator(folder);
	/** @type {Tally} */
	const tally = { score: new Map(), causes: new Map() };
	for (const asked of symbols) {
		const { symbol, file, places } = asked;
		const truth = new Map(
			mentionsOf(service, file, places).map((mention) => [
				place(relative(folder, mention.file), mention.line, mention.column),
				mention,
			]),
		);
		const { items } = await nav.whereUsed(symbol, { limit: 10_000 });
		judge({ tally, service, folder }, asked, truth, items);
	}
	nav.close();
	return report(release, symbols.length, tally);
}

/**
 * @param {{ tally: Tally, service: import("typescript-api").LanguageService, folder: string }}
 * package
 * @param {Asked} asked
 * @param {Map<string, import("./links_truth_typescript.mjs").Mention>} truth
 * @param {import("../js/entries/node.js").NavItem[]} items
 */
function judge({ tally, service, folder }, asked, truth, items) {
	const { symbol, kind } = asked;
	const score = tally.score.get(kind) ?? none();
	tally.score.set(kind, score);
	const difference = (
		/** @type {string} */ cause,
		/** @type {string} */ file,
		/** @type {number} */ line,
	) => {
		const found = tally.causes.get(cause) ?? [];
		found.push(
			`${symbol} ${file}:${line}: ${lineOf(join(folder, file), line)}`,
		);
		tally.causes.set(cause, found);
	};
	const resolved = new Set();
	// Other files may mention the symbol, too: documents, for one.
	for (const item of items.filter(({ file }) => SOURCE.test(file))) {
		const at = place(item.file, item.line, item.start_utf16);
		const isRight = truth.has(at);
		if (item.resolution === "resolved") {
			resolved.add(at);
			if (isRight) {
				score.right += 1;
				continue;
			}
			const file = join(folder, item.file);
			const mention = { file, line: item.line, column: item.start_utf16 };
			const meaning = meaningAt(service, mention, asked);
			if (meaning === undefined) score.unknown += 1;
			else if (meaning === "alias") score.alias += 1;
			else {
				score.wrong += 1;
				const cause = `wrong: of a ${kind}, meant is a ${meaning}`;
				difference(cause, item.file, item.line);
			}
		} else score[isRight ? "guessed" : "misguessed"] += 1;
	}
	for (const [at, { file, line, cause }] of truth) {
		if (resolved.has(at)) continue;
		score.missed += 1;
		difference(`missed: ${cause}`, relative(folder, file), line);
	}
}

/** @returns {Score} */
function none() {
	return {
		right: 0,
		wrong: 0,
		unknown: 0,
		alias: 0,
		missed: 0,
		guessed: 0,
		misguessed: 0,
	};
}

/** @param {Score} score */
function precision({ right, wrong }) {
	return right / Math.max(1, right + wrong);
}

/** @param {Score} score */
function recall({ right, missed }) {
	return right / Math.max(1, right + missed);
}

/**
 * Returns a row of the report for each kind of definition.
 *
 * @param {string} release
 * @param {Map<string, Score>} kinds
 */
function rowsOf(release, kinds) {
	return [...kinds].sort().map(([kind, score]) => {
		const { right, missed, guessed } = score;
		const shown = right + guessed;
		return [
			release,
			kind,
			String(right + missed),
			precision(score).toFixed(4),
			recall(score).toFixed(4),
			(shown / Math.max(1, right + missed)).toFixed(4),
		];
	});
}

/** @param {string[][]} rows */
function pageOf(rows) {
	const head = [
		"package",
		"kind",
		"references",
		"precision",
		"recall",
		"with candidates",
	];
	return `# References of TypeScript

\`npm run links-typescript -- --write\` wrote this page.

For each definition, \`whereUsed\` lists its references. A row counts as right if the language service
of TypeScript ${ts.version} finds a reference at its place. Precision and recall are those of resolved
rows; the last column is the recall with candidates. A use of a variable that holds the definition
counts neither way, since the service counts it for the variable.

${table(head, rows)}
`;
}

/**
 * @param {Score} score
 * @param {{ precision: number, recall: number }} needed
 */
function isEnough(score, needed) {
	return precision(score) >= needed.precision && recall(score) >= needed.recall;
}

/**
 * @param {string} release
 * @param {number} symbols
 * @param {Tally} tally
 */
function report(release, symbols, { score, causes }) {
	print(`\n${release}: ${symbols} symbols`);
	const total = none();
	for (const [kind, part] of [...score].sort()) {
		for (const key of /** @type {(keyof Score)[]} */ (Object.keys(total)))
			total[key] += part[key];
		print(`  ${line(kind, part)}`);
	}
	print(`  ${line("all", total)}`);
	const largest = [...causes].sort(([, a], [, b]) => b.length - a.length);
	for (const [cause, examples] of largest.slice(0, CAUSES)) {
		print(`  ${examples.length} ${cause}`);
		const step = Math.max(1, Math.floor(examples.length / EXAMPLES));
		for (const [at, example] of examples.entries())
			if (at % step === 0 && at / step < EXAMPLES) print(`      ${example}`);
	}
	return { total, methods: score.get("method") ?? none(), kinds: score };
}

/**
 * @param {string} kind
 * @param {Score} score
 */
function line(kind, score) {
	const { right, wrong, missed, guessed, misguessed } = score;
	const added = guessed / Math.max(1, right + missed);
	const guesses = guessed / Math.max(1, guessed + misguessed);
	return [
		`${kind.padEnd(10)} precision ${precision(score).toFixed(3)}, recall ${recall(score).toFixed(3)}`,
		`${right} right, ${wrong} wrong, ${missed} missed`,
		`${score.alias} through a variable, ${score.unknown} unknown to the service`,
		`candidates add ${added.toFixed(3)} at precision ${guesses.toFixed(3)}`,
	].join("; ");
}

/**
 * Returns the definitions of the files with the places of their names; overloads count as one.
 *
 * @param {string} folder
 * @param {string[]} files
 */
async function definitions(folder, files) {
	/** @type {Map<string, Asked>} */
	const found = new Map();
	for (const { file, facts } of await askNative("native_facts", files)) {
		for (const [path, kind, line, column] of facts?.names ?? []) {
			const symbol = `sym:${moduleOf(relative(folder, file))}.${path}`;
			const key = `${file} ${symbol}`;
			/** @type {Asked} */
			const one = found.get(key) ?? { symbol, kind, file, places: [] };
			one.places.push({ line, column });
			found.set(key, one);
		}
	}
	return [...found.values()];
}

/** @param {string} file */
function moduleOf(file) {
	const segments = file.replace(SOURCE, "").split("/");
	if (segments.at(-1) === "index") segments.pop();
	return segments.map((segment) => segment.replaceAll(".", "%2E")).join(".");
}

/**
 * @param {string} file
 * @param {number} line
 * @param {number} column
 */
function place(file, line, column) {
	return `${file}:${line}:${column}`;
}
