import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { pkg } from "./paths.mjs";
import { asProgram } from "./run.mjs";

const cli = join(pkg, "dist", "esm", "cli.js");

await asProgram(async () => {
	// The command line has the languages of the default core.
	await build({ full: false });
	// npm runs scripts in the checkout; relative paths are meant from where the user typed them.
	process.chdir(process.env.INIT_CWD ?? process.cwd());
	process.argv[1] = cli;
	// In this same process, so that its exit code and every signal are the command's own.
	await import(pathToFileURL(cli).href);
});
