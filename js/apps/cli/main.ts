#!/usr/bin/env node
// This file is bundled as CommonJS, which Node loads faster than ES modules.
import { readFileSync } from "node:fs";
import module from "node:module";
import { setFlagsFromString } from "node:v8";
import { coreFile } from "../../entries/core-file-node.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-codes.js";
import { isAnyServed } from "./serve/socket-folder.js";

declare const __RAGNAV_VERSION__: string;

/** Commands that do not use the core, or whose server compiles it. */
const WITHOUT_CORE = new Set([
	"complete",
	"completions",
	"help",
	"init",
	"lsp",
	"mcp",
	"viewer",
]);

/** Since V8 12, the work after which a function of WebAssembly is optimised. */
const OPTIMISE_AFTER = 13_000_000;

/**
 * Gives an older V8 the default of later ones. It would optimise so early that a short command
 * waits for its compiler at the end.
 */
function optimiseLate(): void {
	const [version] = process.versions.v8.split(".");
	if (Number(version) >= 12) return;
	setFlagsFromString(`--wasm-tiering-budget=${OPTIMISE_AFTER}`);
}

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

/** Compiles the core in another thread, while this one loads the program. */
async function compileCore(): Promise<WebAssembly.Module> {
	return WebAssembly.compile(readFileSync(coreFile));
}

async function main(argv: string[]): Promise<number> {
	if (isVersion(argv)) {
		process.stdout.write(`${__RAGNAV_VERSION__}\n`);
		return EXIT_OK;
	}
	keepCompiled();
	optimiseLate();
	// A server answers with a core of its own. A command that finds no server compiles one later.
	const core = needsCore(argv) && !isAnyServed() ? compileCore() : undefined;
	const { runProgram } =
		require("./program.js") as typeof import("./program.js");
	return runProgram(argv, { version: __RAGNAV_VERSION__, core });
}

// A reader that has seen enough (`ragnav … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	process.exit(error.code === "EPIPE" ? EXIT_OK : EXIT_ERROR);
});

void main(process.argv.slice(2)).then((exitCode) => {
	process.exitCode = exitCode;
});
