import { build } from "./build.mjs";
import { fuzz } from "./fuzz.mjs";
import { runNodeTests } from "./js-checks.mjs";
import { runLong } from "./long.mjs";
import { inRoot } from "./paths.mjs";
import { asProgram, run } from "./run.mjs";
import { testRust } from "./rust-checks.mjs";
import { installServices } from "./services.mjs";
import { setUp } from "./setup.mjs";
import { runSteps } from "./steps.mjs";
import { checkSupplyChain } from "./supply-chain.mjs";

/** The time of each fuzz target, in seconds. */
const FUZZ_SECONDS = 300;

/** The number of random cases of a native property that does not set its own. */
const CASES = { PROPTEST_CASES: "4096" };

/**
 * The number of random cases of properties in JavaScript. With it, tests try every fault of a host.
 */
const RUNS = { RAGNAV_PROPERTY_RUNS: "200", RAGNAV_FAULT_PERCENT: "100" };

/** The tests that take hours: random inputs may find what `npm test` does not. */
const STEPS = {
	setup: async () => void (await setUp()),
	rust: () => testRust([], CASES),
	fuzz: () => fuzz({ seconds: FUZZ_SECONDS }),
	build: () => build(),
	services: installServices,
	node: () => runNodeTests("js", RUNS),
	trials: () => runLong("trials", []),
	soak: () => runLong("soak", []),
	chaos: () => runLong("chaos", []),
	"supply-chain": () => checkSupplyChain({ advisories: true }),
	reproducible: () => runScript("js", "build", "reproducible.mjs"),
	peers: () => runScript("bench", "run.mjs"),
};

/** @param {string[]} path of a script of this checkout */
function runScript(...path) {
	return run(process.execPath, [inRoot(...path)], { stdout: true });
}

await asProgram(() => runSteps(STEPS, process.argv.slice(2)));
