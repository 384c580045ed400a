import "../../entries/core-node.js";
import * as module from "node:module";
import { startCompiling } from "../../core/wasm-module.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-codes.js";

declare const __RAGNAV_VERSION__: string;

/** Commands that never use the core. */
const WITHOUT_CORE = new Set(["complete", "completions", "help", "init"]);

/** Keeps compiled JavaScript between starts. Since Node 22. */
function keepCompiled(): void {
	const { enableCompileCache } = module as { enableCompileCache?(): unknown };
	enableCompileCache?.();
}

function isVersion(argv: string[]): boolean {
	const [word] = argv;
	return argv.length === 1 && (word === "--version" || word === "-V");
}

function needsCore([command = "-", ...rest]: string[]): boolean {
	const isHelp = rest.includes("--help") || rest.includes("-h");
	return !command.startsWith("-") && !WITHOUT_CORE.has(command) && !isHelp;
}

async function main(argv: string[]): Promise<number> {
	if (isVersion(argv)) {
		process.stdout.write(`${__RAGNAV_VERSION__}\n`);
		return EXIT_OK;
	}
	keepCompiled();
	// The core compiles in another thread while the program loads and reads folders.
	if (needsCore(argv)) startCompiling();
	const { printError, runProgram } = await import("./program.js");
	try {
		return await runProgram(argv, __RAGNAV_VERSION__);
	} catch (thrown) {
		return printError(thrown);
	}
}

// A reader that has seen enough (`ragnav … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	process.exit(error.code === "EPIPE" ? EXIT_OK : EXIT_ERROR);
});

process.exitCode = await main(process.argv.slice(2));
