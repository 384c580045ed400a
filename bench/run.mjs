import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, say } from "../js/build/run.mjs";
import { packageSizes } from "../js/build/size.mjs";
import { django } from "./corpus.mjs";
import { processes } from "./processes.mjs";
import { table } from "./table.mjs";
import { split, warm } from "./warm.mjs";

const COMMAND = "npm run bench -- --write";
const ROUNDS = 15;

await asProgram(async () => {
	const folder = await django();
	say("bench: warm searches");
	const { files, timings } = await warm(folder, ROUNDS);
	const spent = await split(folder, ROUNDS);
	say("bench: processes");
	const cold = await processes(folder, ROUNDS);
	const report = [
		"# Measurements",
		"",
		`${machine()}; ${new Date().toISOString().slice(0, 10)}; \`${COMMAND}\`.`,
		`Corpus: Django 5.1, ${files} files in scope. ${ROUNDS} rounds, interleaved.`,
		"",
		table(
			["", "median", "min", "to its peer"],
			[...timings, ...cold]
				.map(timeCells)
				.concat(spent.map(splitCells), sizeRows()),
		),
		"",
		"A search's peer is Node reading and scanning the same files (warm) or ripgrep (cold), a start's is bare Node, a size's its budget.",
		"",
		"## Against the aims",
		"",
		...aims([...timings, ...cold]),
		"",
	].join("\n");
	process.stdout.write(report);
	if (process.argv.includes("--write"))
		writeFileSync(inRoot("bench", "REPORT.md"), report);
});

/**
 * What was aimed at, what came of it, and why.
 *
 * @param {import("./rounds.mjs").Timing[]} timings
 */
function aims(timings) {
	const median = (/** @type {string} */ name) =>
		timings.find((timing) => timing.name === name)?.median ?? Number.NaN;
	const read = median("Node: read and scan the same files, absent text");
	const walk = median("Node: walk, read and scan, absent text");
	const search = median("ragnav: live search, absent text");
	const start = median("ragnav route, small folder") - median("node -e 0");
	const gzip = (packageSizes()["core.wasm.gzip"] ?? Number.NaN) / 1000;
	return [
		`- Warm live search, at most 1.2 × Node's read-and-scan: × ${(search / read).toFixed(2)}, ${verdict(search / read <= 1.2)}. A live answer has to list the folders too, and Node's own walk, read and scan is × ${(walk / read).toFixed(2)}; beside that ragnav takes × ${(search / walk).toFixed(2)}.`,
		`- Command line start, at most 60 ms above bare Node: ${start.toFixed(0)} ms, ${verdict(start <= 60)}.`,
		`- The core (the aim is for Python alone), at most 250 kB gzip: ${gzip.toFixed(0)} kB, ${verdict(gzip <= 250)}. tree-sitter with Python's grammar is some 120 kB of it, the grammars of JavaScript, TypeScript and TSX some 480; most of the rest is the regular expression engine with its Unicode tables and the glob matcher, which make searches and ignore rules behave as in ripgrep.`,
	];
}

/** @param {boolean} isMet */
function verdict(isMet) {
	return isMet ? "met" : "missed";
}

/** @param {import("./rounds.mjs").Timing} timing */
function timeCells({ name, median, min, ratio }) {
	return [
		name,
		milliseconds(median),
		milliseconds(min),
		ratio === undefined ? "" : `× ${ratio.toFixed(2)}`,
	];
}

/** @param {{ name: string, median: number }} part */
function splitCells({ name, median }) {
	const where =
		name === "core" ? "the core and the way to it" : `the host's ${name}`;
	return [
		`of a warm search, absent text: ${where}`,
		milliseconds(median),
		"",
		"",
	];
}

function sizeRows() {
	/** @type {Record<string, number>} */
	const budget = JSON.parse(
		readFileSync(inRoot("js", "build", "size-budget.json"), "utf8"),
	);
	const sizes = Object.entries(packageSizes()).filter(
		([name]) => name in budget,
	);
	return sizes.map(([name, size]) => [
		`bytes of ${name}`,
		`${(size / 1000).toFixed(0)} kB`,
		"",
		`× ${(size / (budget[name] ?? Number.NaN)).toFixed(2)}`,
	]);
}

/** @param {number} time */
function milliseconds(time) {
	return `${time.toFixed(1)} ms`;
}

function machine() {
	const [first] = cpus();
	const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
	return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`;
}
