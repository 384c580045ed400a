import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inCache, inRoot } from "./paths.mjs";
import { asProgram, output, Problem, run, say } from "./run.mjs";

/** What tells libFuzzer which branches an input took; all of it is in stable compilers. */
const INSTRUMENTED = [
	"-Cpasses=sancov-module",
	"-Cllvm-args=-sanitizer-coverage-level=4",
	"-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
	"-Cllvm-args=-sanitizer-coverage-pc-table",
	"-Cllvm-args=-sanitizer-coverage-trace-compares",
	"--cfg=fuzzing",
];

/** An input that takes longer is a finding, in seconds: all of them are answered in time linear to their size. */
const SLOW = 10;
/** The same where a run is a test, on a machine that may have other work: only what hangs. */
const HANGS = 120;
/** What ends a run that is a test, if its seconds do not end before: a machine twice as fast finds nothing that another did not. */
const TEST_INPUTS = 20_000;
const MAX_BYTES = 1 << 16;
/** What a target may take of memory, in MiB. */
const MAX_MEMORY = 2048;
/** So many targets run beside each other. */
const AT_ONCE = 2;
/** What is kept of what a target prints: a finding is told at the end. */
const MAX_PRINTED = 16_384;

/**
 * Runs fuzz targets for a bounded time each, from the committed seeds and what earlier runs found to be new; what is to be `reproducible`, as
 * tests are, from the seeds alone and with chance that is always the same. A finding is written to the working folder and fails the run.
 *
 * @param {{ seconds: number, only?: string[] | undefined, reproducible?: boolean }} options
 */
export async function fuzz({ seconds, only, reproducible = false }) {
	const targets = only ?? targetNames();
	const folder = await build();
	say(`fuzz: ${targets.join(" ")}, ${seconds} s each`);
	const waiting = [...targets];
	/** @type {string[]} */
	const found = [];
	const work = async () => {
		for (let name = waiting.shift(); name; name = waiting.shift()) {
			const target = { name, program: join(folder, name) };
			const { isSound, printed } = await fuzzOne(target, seconds, reproducible);
			if (!isSound) found.push(name);
			say(isSound ? summary(name, printed) : `fuzz: ${name}\n${printed}`);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	if (found.length > 0)
		throw new Problem(`Fuzzing found something: ${found.join(" ")}`);
}

/**
 * @param {{ name: string, program: string }} target
 * @param {number} seconds
 * @param {boolean} reproducible
 * @returns {Promise<{ isSound: boolean, printed: string }>}
 */
async function fuzzOne({ name, program }, seconds, reproducible) {
	const corpus = reproducible
		? mkdtempSync(join(tmpdir(), "ragnav-fuzz-"))
		: inCache("fuzz", name);
	mkdirSync(corpus, { recursive: true });
	try {
		return await outcome(program, [
			corpus,
			inRoot("fuzz", "seeds", name),
			`-max_total_time=${seconds}`,
			`-timeout=${reproducible ? HANGS : SLOW}`,
			`-max_len=${MAX_BYTES}`,
			`-rss_limit_mb=${MAX_MEMORY}`,
			...(reproducible ? ["-seed=1", `-runs=${TEST_INPUTS}`] : []),
			"-print_final_stats=1",
		]);
	} finally {
		if (reproducible) rmSync(corpus, { recursive: true });
	}
}

/**
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ isSound: boolean, printed: string }>}
 */
function outcome(program, args) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			cwd: inRoot(),
			stdio: ["ignore", "ignore", "pipe"],
		});
		let printed = "";
		child.stderr.on("data", (text) => {
			printed = (printed + text).slice(-MAX_PRINTED);
		});
		child.on("error", reject);
		child.on("close", (code) => resolve({ isSound: code === 0, printed }));
	});
}

/**
 * What came of a target that found nothing, in one line.
 *
 * @param {string} name
 * @param {string} printed
 */
function summary(name, printed) {
	/** @param {RegExp} what */
	const number = (what) => what.exec(printed)?.[1] ?? "?";
	const done = /DONE {3}cov: (\d+) ft: \d+ corp: (\d+)/.exec(printed);
	return [
		`fuzz: ${name}: ${number(/number_of_executed_units: (\d+)/)} inputs`,
		`${number(/average_exec_per_sec: +(\d+)/)} a second`,
		`${done?.[1] ?? "?"} branches`,
		`${done?.[2] ?? "?"} inputs worth keeping`,
		`${number(/peak_rss_mb: +(\d+)/)} MiB`,
	].join(", ");
}

/** The targets that there are. */
export function targetNames() {
	return readdirSync(inRoot("fuzz", "targets"))
		.filter((file) => file.endsWith(".rs"))
		.map((file) => file.slice(0, -".rs".length));
}

/** Compiles the targets and gives the folder that they are in. */
async function build() {
	const host = /^host: (.*)$/m.exec(output("rustc", ["-vV"]) ?? "")?.[1];
	if (!host) throw new Problem("rustc does not tell the host's target.");
	const target = inCache("target", "fuzz");
	await run(
		"cargo",
		[
			...["build", "--release", "--locked", "--target", host],
			...["--manifest-path", inRoot("fuzz", "Cargo.toml")],
		],
		{
			env: {
				...process.env,
				CARGO_TARGET_DIR: target,
				CARGO_ENCODED_RUSTFLAGS: INSTRUMENTED.join("\x1f"),
			},
		},
	);
	return join(target, host, "release");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await asProgram(async () => {
		const { values } = parseArgs({
			options: {
				seconds: { type: "string", default: "60" },
				only: { type: "string" },
			},
		});
		const seconds = Number(values.seconds);
		if (!Number.isInteger(seconds) || seconds < 1)
			throw new Problem("--seconds takes a whole number above 0.");
		const only = values.only?.split(",");
		const unknown = only?.find((name) => !targetNames().includes(name));
		if (unknown)
			throw new Problem(
				`No target ${unknown}. There are: ${targetNames().join(" ")}`,
			);
		await fuzz({ seconds, only });
	});
}
