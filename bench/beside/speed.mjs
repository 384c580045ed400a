/** The time, memory and disk that whole processes take over Django. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesUnder } from "../../js/build/cache.mjs";
import { output } from "../../js/build/run.mjs";
import { codegraph, ragnav, ripgrep } from "../commands.mjs";
import { measured } from "../measured.mjs";
import { djangoCorpus, removeCorpus } from "../measured-corpora.mjs";
import { ripgrepProgram } from "../ripgrep.mjs";
import { timed } from "../rounds.mjs";
import { Served } from "../served.mjs";
import { editor } from "../subjects/rebuild.mjs";
import { installedCodegraph } from "./codegraph.mjs";
import { ctagsProgram, ctagsVersion, ragnavVersion } from "./versions.mjs";

/** @typedef {import("../measured.mjs").Command} Command */
/** @typedef {import("../rounds.mjs").Subject} Subject */
/** @typedef {import("./results.mjs").Row} Row */
/** @typedef {{ tool: string, version: string, shown: string, what: string, subject: Omit<Subject, "name"> }} Measured */

const ROUNDS = 5;
const TAGS = "tags";

/**
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./results.mjs").Result>}
 */
export async function speed({ temp }) {
	const corpus = await djangoCorpus(temp);
	const sockets = join(temp, "sockets");
	mkdirSync(sockets);
	const served = new Served(corpus.ours, sockets);
	const all = await subjectsOver(corpus, join(temp, "home"), served);
	const rows = [];
	for (const what of new Set(all.map((one) => one.what))) {
		const measurements = all.filter((one) => one.what === what);
		const subjects = measurements.map(({ shown, subject }) => ({
			...{ name: shown, ...subject },
		}));
		const uncounted = what === "first build" ? 0 : 1;
		const taken = await timed(subjects, ROUNDS, { uncounted });
		for (const [at, { wall, cpu, memory, disk }] of taken.entries()) {
			const { tool, version, shown = "" } = measurements[at] ?? {};
			rows.push(
				rowOf(
					{ tool, version, what, shown, corpus: corpus.title },
					{ wall, cpu, memory, disk },
				),
			);
		}
	}
	await served.stop();
	removeCorpus(corpus);
	return {
		part: "speed",
		title: "Time, memory and disk of whole processes",
		note: `Medians of ${ROUNDS} rounds, in which the tools take turns. Time is from start to exit, CPU is that of the process and its children, memory is the peak of the largest process, and disk is what the first build leaves. ragnav says with its rows how fresh they are, for which it looks at all files; codegraph and ctags do not. "ragnav, served" is a command that \`ragnav serve\` answers: time and memory are the command's, and the server runs besides.`,
		columns: [
			{ key: "wall", title: "time", unit: "milliseconds", better: "less" },
			{ key: "cpu", title: "CPU", unit: "milliseconds", better: "less" },
			{ key: "memory", title: "memory", unit: "bytes", better: "less" },
			{ key: "disk", title: "disk", unit: "bytes", better: "less" },
		],
		chart: "wall",
		rows,
	};
}

/**
 * @param {{ tool?: string | undefined, version?: string | undefined, what: string, shown: string, corpus: string }} about
 * @param {Record<string, number | undefined>} taken
 * @returns {Row}
 */
function rowOf({ tool = "", version = "", what, shown, corpus }, taken) {
	const known = Object.entries(taken).filter(
		([, value]) => value !== undefined && Number.isFinite(value),
	);
	return {
		...{ tool, version, corpus, what, command: shown },
		values: Object.fromEntries(
			known.map(([key, value]) => [key, Math.round(Number(value))]),
		),
	};
}

/**
 * Returns what is measured; the first build comes first, since the others need its index.
 *
 * @param {import("../measured-corpora.mjs").Corpus} corpus
 * @param {string} home
 * @param {Served} served
 * @returns {Promise<Measured[]>}
 */
async function subjectsOver({ ours, theirs, edited, asked }, home, served) {
	const { script, version } = await installedCodegraph();
	const own = (/** @type {string} */ what, /** @type {string[]} */ ...args) =>
		of("ragnav", ragnavVersion(), what, ragnav(ours, ...args), args);
	const fromServer = (
		/** @type {string} */ what,
		/** @type {string[]} */ ...args
	) => {
		const tool = "ragnav, served";
		const command = served.command(...args);
		const shown = `ragnav ${args.join(" ")}`;
		const measurement = of(tool, ragnavVersion(), what, command, args);
		return before({ ...measurement, shown }, () => served.start());
	};
	const peer = (
		/** @type {string} */ what,
		/** @type {string[]} */ ...args
	) => {
		const command = codegraph(script, home, theirs, ...args);
		return of("codegraph", version, what, command, args);
	};
	const rg = (/** @type {string} */ what, /** @type {string} */ flags) => {
		const program = ripgrepProgram();
		const command = ripgrep(program, ours, flags, asked.function);
		const [, rgVersion = ""] =
			output(program, ["--version"])?.split(/\s+/) ?? [];
		return of("rg", rgVersion, what, command, [flags, asked.function]);
	};
	const tags = (/** @type {string} */ what) => {
		const args = ["-R", "--fields=+n", "-f", TAGS, "."];
		const command = { program: ctagsProgram(), args, cwd: theirs };
		return of("ctags", ctagsVersion(), what, command, args);
	};
	const name = asked.function;
	const first = "first build";
	const same = "build, nothing changed";
	const edit = "build, one edited file";
	const measurements = [
		withDisk(own(first, "build-graph"), join(ours, ".llmc")),
		withDisk(peer(first, "init", "-y"), join(theirs, ".codegraph")),
		withDisk(tags(first), join(theirs, TAGS)),
		...[own(same, "build-graph"), peer(same, "sync"), tags(same)],
		...[
			before(own(edit, "build-graph"), editor(ours, edited)),
			before(peer(edit, "sync"), editor(theirs, edited)),
		],
		...[
			own(`references of ${name}`, "where-used", name),
			fromServer(`references of ${name}`, "where-used", name),
			peer(`references of ${name}`, "callers", name),
			rg(`references of ${name}`, "-nw"),
		],
		...[
			own(`definitions of ${name}`, "locate", name),
			fromServer(`definitions of ${name}`, "locate", name),
			peer(`definitions of ${name}`, "query", name),
		],
		...[
			own(`text ${name}`, "search", name),
			fromServer(`text ${name}`, "search", name),
			rg(`text ${name}`, "-nF"),
		],
	];
	return measurements;
}

/**
 * @param {string} tool
 * @param {string} version
 * @param {string} what
 * @param {Command} command
 * @param {string[]} args
 * @returns {Measured}
 */
const of = (tool, version, what, command, args) => ({
	...{ tool, version, what, shown: [tool, ...args].join(" ") },
	subject: { measure: () => measured(command) },
});

/**
 * @param {Measured} measurement
 * @param {() => unknown} work
 * @returns {Measured}
 */
const before = (measurement, work) => ({
	...measurement,
	subject: { ...measurement.subject, before: work },
});

/**
 * @param {Measured} measurement
 * @param {string} index
 * @returns {Measured}
 */
const withDisk = (measurement, index) => ({
	...measurement,
	subject: {
		...measurement.subject,
		before: () => rmSync(index, { recursive: true, force: true }),
		disk: () =>
			filesUnder(index).reduce((sum, file) => sum + statSync(file).size, 0),
	},
});
