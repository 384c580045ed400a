import { fileURLToPath } from "node:url";
import { buildPackage } from "./package.mjs";
import { asProgram, both, say, since } from "./run.mjs";
import { setUpCompilers } from "./setup.mjs";
import { packageSizes, shownSizes } from "./size.mjs";
import { installTools, tools } from "./tools.mjs";
import { buildFullWasm, buildWasm, checkSameGlue } from "./wasm.mjs";

/**
 * Sets up what is missing and builds what changed.
 *
 * @param {{ full?: boolean }} [options] `full`: whether the core with every language is worth the minutes that it takes; without, it
 * is in the package only where it was compiled before
 */
export async function build({ full = true } = {}) {
	const toolchain = await setUpCompilers();
	const installed = installTools(tools());
	// wasm-opt runs on one core: cargo compiles the next module meanwhile.
	const [, hasFull] = await both(
		both(buildWasm(toolchain, installed), installed),
		buildFullWasm(toolchain, { onlyIfKnown: !full, installed }),
	);
	if (hasFull) checkSameGlue();
	await buildPackage({ hasFull });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const started = performance.now();
	await asProgram(async () => {
		await build();
		say(shownSizes(packageSizes()));
		say(`pkg/ is up to date (${since(started)})`);
	});
}
