import { fileURLToPath } from "node:url";
import { buildGrammars } from "./grammars.mjs";
import { buildPackage } from "./package.mjs";
import { asProgram, both, say, since } from "./run.mjs";
import { setUpCompilers } from "./setup.mjs";
import { packageSizes, shownSizes } from "./size.mjs";
import { installTools, tools } from "./tools.mjs";
import { buildWasm } from "./wasm.mjs";

/** Installs missing tools and builds changed outputs. */
export async function build() {
	const toolchain = await setUpCompilers();
	const installed = installTools(tools());
	await both(
		both(buildWasm(toolchain, installed), installed),
		buildGrammars(toolchain),
	);
	await buildPackage();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const started = performance.now();
	await asProgram(async () => {
		await build();
		say(shownSizes(packageSizes()));
		say(`pkg/ is up to date (${since(started)})`);
	});
}
