import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { pkg } from "./paths.mjs";
import { asProgram } from "./run.mjs";

const cli = join(pkg, "dist", "cjs", "cli.js");

await asProgram(async () => {
	await build();
	// npm runs scripts in the checkout, but a relative path starts at the user's folder.
	process.chdir(process.env.INIT_CWD ?? process.cwd());
	process.argv[1] = cli;
	// Runs in this process, so that exit code and signals are those of the command.
	await import(pathToFileURL(cli).href);
});
