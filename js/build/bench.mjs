import { build } from "./build.mjs";
import { inRoot } from "./paths.mjs";
import { asProgram, run } from "./run.mjs";

await asProgram(async () => {
	await build();
	await run(
		process.execPath,
		[inRoot("bench", "run.mjs"), ...process.argv.slice(2)],
		{ stdout: true },
	);
});
