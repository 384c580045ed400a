import { fileURLToPath } from "node:url";
import { buildPackage } from "./package.mjs";
import { asProgram, say, since } from "./run.mjs";
import { setUp } from "./setup.mjs";
import { packageSizes, shownSizes } from "./size.mjs";
import { buildWasm } from "./wasm.mjs";

/** Sets up what is missing and builds what changed. */
export async function build() {
	const toolchain = await setUp();
	await buildWasm(toolchain);
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
