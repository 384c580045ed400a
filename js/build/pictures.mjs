import { build } from "./build.mjs";
import { inRoot } from "./paths.mjs";
import { asProgram, run } from "./run.mjs";
import { buildExtension } from "./vscode.mjs";

/** The tests that show what the pictures do. */
const TESTS = ["viewer/viewer.test.ts", "vscode/pictures.test.ts"];

// Takes the pictures of the two READMEs again: of the viewer and of the editor extension.
await asProgram(async () => {
	await build();
	await buildExtension();
	const files = TESTS.map((file) => inRoot("tests", file));
	await run(process.execPath, ["--import", "tsx", "--test", ...files], {
		stdout: true,
		env: { ...process.env, RAGNAV_PICTURES: "1" },
	});
});
