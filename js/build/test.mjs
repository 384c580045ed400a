import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import { buildComponent } from "./component.mjs";
import { replaySeeds } from "./fuzz.mjs";
import { checkTypes, lintJavaScript, runNodeTests } from "./js-checks.mjs";
import { pkg } from "./paths.mjs";
import { writeReference } from "./reference.mjs";
import { checkRelease } from "./release.mjs";
import { asProgram, both, Problem, runPackage } from "./run.mjs";
import {
	checkRustFormat,
	lintRust,
	lintRustWithAllFeatures,
	testRust,
} from "./rust-checks.mjs";
import { installServices } from "./services.mjs";
import { runNpm, setUp } from "./setup.mjs";
import { writeSite } from "./site.mjs";
import { checkBudget, packageSizes, shownSizes } from "./size.mjs";
import { print, runSteps } from "./steps.mjs";
import { checkSupplyChain } from "./supply-chain.mjs";
import { buildExtension, packExtension } from "./vscode.mjs";

/** The steps of CI. `npm run test:long` searches for unknown defects. */
const STEPS = {
	setup: async () => void (await setUp()),
	format: checkRustFormat,
	lint: lintJavaScript,
	clippy: lintRust,
	"clippy-all": lintRustWithAllFeatures,
	rust: () => testRust(),
	fuzz: replayWhereSetUp,
	build: async () => void (await both(build(), buildComponent(await setUp()))),
	size: reportSizes,
	types: checkTypes,
	publint: () => runPackage(["publint"], [pkg, "--strict"], { stdout: true }),
	"package-types": checkPackageTypes,
	reference: writeReference,
	release: () => checkRelease({ accept: false }),
	services: installServices,
	"supply-chain": () => checkSupplyChain({ advisories: false }),
	node: () => runNodeTests("js"),
	examples: () => runNodeTests("examples"),
	consumers: () => runNodeTests("consumers"),
	vscode: async () => {
		await buildExtension();
		await packExtension();
		await runNodeTests("vscode");
	},
	viewer: () => runNodeTests("viewer"),
	site: async () => {
		await writeSite();
		await runNodeTests("site");
	},
	component: async () => {
		await buildComponent(await setUp());
		await runNodeTests("component");
	},
};

async function replayWhereSetUp() {
	if (process.platform === "win32")
		print("Not replayed: libFuzzer is not set up for Windows here.");
	else await replaySeeds();
}

function reportSizes() {
	const sizes = packageSizes();
	print(shownSizes(sizes));
	checkBudget(sizes);
}

/** Checks that TypeScript finds the types for every way to import the package. */
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
			"./languages/*",
		];
		await runPackage(
			["@arethetypeswrong/cli", "attw"],
			[join(folder, tarball), ...which],
			{ stdout: true },
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

// What speeds up the next compilation takes 2.4 GB, more than everything else that this one writes.
process.env.CARGO_INCREMENTAL ??= "0";

await asProgram(() => runSteps(STEPS, process.argv.slice(2)));
