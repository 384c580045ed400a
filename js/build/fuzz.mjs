import { mkdirSync, readdirSync } from "node:fs";
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
const MAX_BYTES = 1 << 16;

/**
 * Runs fuzz targets for a bounded time each, from the committed seeds and what earlier runs found to be new. A finding is written to the
 * working folder and fails the run.
 *
 * @param {{ seconds: number, only?: string[] | undefined }} options
 */
export async function fuzz({ seconds, only }) {
	const targets = only ?? targetNames();
	const folder = await build();
	for (const target of targets) {
		say(`fuzz: ${target} for ${seconds} s`);
		const corpus = inCache("fuzz", target);
		mkdirSync(corpus, { recursive: true });
		await run(join(folder, target), [
			corpus,
			inRoot("fuzz", "seeds", target),
			`-max_total_time=${seconds}`,
			`-timeout=${SLOW}`,
			`-max_len=${MAX_BYTES}`,
			"-verbosity=0",
			"-print_final_stats=1",
		]);
	}
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
