import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import { filesUnder } from "./cache.mjs";
import { buildComponent } from "./component.mjs";
import { fuzz } from "./fuzz.mjs";
import { runLong } from "./long.mjs";
import { inRoot, pkg } from "./paths.mjs";
import { writeReference } from "./reference.mjs";
import { asProgram, Problem, run, runPackage, since } from "./run.mjs";
import { installServices } from "./services.mjs";
import { runNpm, setUp } from "./setup.mjs";
import { checkBudget, packageSizes, shownSizes } from "./size.mjs";
import { checkSupplyChain } from "./supply-chain.mjs";
import { buildExtension, packExtension } from "./vscode.mjs";

const SHOWN = { stdout: true };
const DENY = ["--", "-D", "warnings"];

/** @param {string[]} args */
const cargo = (...args) => run("cargo", args, SHOWN);

/** @param {string[]} args */
const clippy = (...args) =>
	cargo("clippy", "--locked", "--all-targets", ...args, ...DENY);

/** @type {Record<string, () => Promise<void>>} */
const STEPS = {
	setup: async () => void (await setUp()),
	format: () => cargo("fmt", "--check"),
	clippy: () => clippy(),
	"clippy-wasm": () => clippy("--features", "wasm"),
	"clippy-full": () => clippy("--features", "full"),
	"clippy-component": () => clippy("--features", "component"),
	rust: () => cargo("test", "--locked"),
	"rust-full": () => cargo("test", "--locked", "--features", "full", "lang_"),
	fuzz: fuzzALittle,
	build: () => build(),
	size: async () => {
		const sizes = packageSizes();
		print(shownSizes(sizes));
		checkBudget(sizes);
	},
	types: () =>
		runPackage(
			["typescript", "tsc"],
			// Built anew: what an earlier run recorded is not checked against a changed `lib`.
			["--build", inRoot("js"), "--force"],
			SHOWN,
		),
	lint: () =>
		runPackage(
			["@biomejs/biome", "biome"],
			["check", "--error-on-warnings", "."],
			SHOWN,
		),
	publint: () => runPackage(["publint"], [pkg, "--strict"], SHOWN),
	"package-types": checkPackageTypes,
	reference: () => writeReference(),
	services: installServices,
	"supply-chain": () => checkSupplyChain({ advisories: false }),
	node: () => runNodeTests("js"),
	// A little of what `npm run trials` and `npm run soak` do for longer.
	trials: () => runLong("trials", ["--rounds", "1", "--questions", "3"]),
	soak: () =>
		runLong("soak", [
			...["--queries", "4000", "--rebuilds", "80"],
			...["--navigators", "40"],
		]),
	consumers: () => runNodeTests("consumers"),
	vscode: async () => {
		await buildExtension();
		await packExtension();
		await runNodeTests("vscode");
	},
	viewer: () => runNodeTests("viewer"),
	component: async () => {
		await buildComponent(await setUp());
		await runNodeTests("component");
	},
};

/** Of each target, enough to find what a change broke; `npm run fuzz` looks longer. */
const FUZZ_SECONDS = 12;

async function fuzzALittle() {
	if (process.platform === "win32") {
		print("Not fuzzed: libFuzzer is not set up for Windows here.");
		return;
	}
	await fuzz({ seconds: FUZZ_SECONDS, reproducible: true });
}

/** Whether TypeScript finds the right types, however the packed package is imported. */
async function checkPackageTypes() {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-pack-"));
	try {
		await runNpm(["pack", "--silent", "--pack-destination", folder], {
			cwd: pkg,
		});
		const [tarball] = readdirSync(folder);
		if (!tarball) throw new Problem("npm pack wrote no file.");
		const which = [
			"--profile",
			"node16",
			"--exclude-entrypoints",
			"./core.wasm",
			"./full.wasm",
		];
		await runPackage(
			["@arethetypeswrong/cli", "attw"],
			[join(folder, tarball), ...which],
			SHOWN,
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** @param {string} folder below `tests` */
async function runNodeTests(folder) {
	// Node 20's runner takes files and no patterns.
	const files = filesUnder(inRoot("tests", folder)).filter((file) =>
		file.endsWith(".test.ts"),
	);
	if (files.length === 0)
		throw new Problem(`No test files in tests/${folder}.`);
	await run(process.execPath, ["--import", "tsx", "--test", ...files], SHOWN);
}

/** @param {string} line */
function print(line) {
	process.stdout.write(`${line}\n`);
}

await asProgram(async () => {
	const wanted = process.argv.slice(2);
	const unknown = wanted.find((name) => !(name in STEPS));
	if (unknown)
		throw new Problem(
			`No step ${unknown}. There are: ${Object.keys(STEPS).join(" ")}`,
		);
	const whole = performance.now();
	for (const [name, work] of Object.entries(STEPS)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		const started = performance.now();
		print(`\n── ${name}`);
		await work();
		print(`── ${name}: passed in ${since(started)}`);
	}
	print(`\nAll steps passed in ${since(whole)}.`);
});
