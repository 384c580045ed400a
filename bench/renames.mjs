/**
 * Renames definitions chosen by chance, and compiles: a rename is right if the compiler finds
 * nothing new. With `--write` it writes `bench/REPORT-renames.md`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript-api";
import { build } from "../js/build/build.mjs";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem, say } from "../js/build/run.mjs";
import { chance } from "./chance.mjs";
import { sources } from "./corpus.mjs";
import {
	counted,
	HEAD,
	rowOf,
	SOURCE,
	tryPlans,
	typescriptErrors,
} from "./edit-trials.mjs";
import { npmPackage } from "./npm-corpus.mjs";
import { configure, pyrightPackage } from "./pyright-client.mjs";
import { table } from "./table.mjs";

/** @type {{ release: string, fetch: (release: string) => Promise<string>, compile: import("./edit-trials.mjs").Compile }[]} */
const CORPORA = [
	{ release: "rxjs@7.8.2", fetch: npmPackage, compile: typescriptErrors },
	{ release: "zod@4.1.12", fetch: npmPackage, compile: typescriptErrors },
	{ release: "click-8.1.8", fetch: sources, compile: pyrightErrors },
	{ release: "rich-13.9.4", fetch: sources, compile: pyrightErrors },
];
const RENAMES = Number(process.env.RAGNAV_RENAMES ?? 25);
const SEED = 23;
const SUFFIX = "Renamed";
/** The share of the plans that may be applied which must be right. */
const NEEDED = 0.97;

await asProgram(async () => {
	await build();
	const rows = [];
	let isEnough = true;
	for (const corpus of CORPORA) {
		const result = await tryPlans(corpus, chosen);
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
 * Returns the renames of symbols chosen by chance among those that other code may refer to.
 *
 * @param {import("../js/core/navigator.js").Navigator} nav
 * @param {string} folder
 * @returns {Promise<import("./edit-trials.mjs").Trial[]>}
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
	return Array.from({ length: count }, () => {
		const [symbol = ""] = left.splice(pick(left.length), 1);
		const old = symbol.slice(symbol.lastIndexOf(".") + 1);
		const fresh = `${old}${SUFFIX}`;
		const plan = () => nav.renamePlan(symbol, fresh);
		return { symbol, plan, known: (error) => error.replaceAll(fresh, old) };
	});
}

/** @type {import("./edit-trials.mjs").Compile} */
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

function page(/** @type {string} */ report) {
	return `# Renames beside compilers

\`npm run renames -- --write\` wrote this page.

Of each repository ${RENAMES} definitions, chosen by chance, get another name.
A plan without refusals is applied, and the compiler runs: TypeScript ${ts.version}, or pyright for Python.
A rename breaks code if the compiler then finds an error that it did not find before.

${report}
`;
}
