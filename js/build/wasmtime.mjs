import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./cache.mjs";
import { inCache } from "./paths.mjs";
import { findProgram, output, run } from "./run.mjs";

const WASMTIME = "wasmtime==50.0.1";

/**
 * A Python that has wasmtime, in an environment of its own in the cache folder; `undefined` where there is no Python that can make one.
 *
 * @returns {Promise<string | undefined>}
 */
export async function pythonWithWasmtime() {
	const folder = inCache("python", WASMTIME.replace("==", "-"));
	if (!existsSync(folder)) {
		const python = findProgram(["python3", "python"]);
		if (
			!python ||
			output(python, ["-c", "import ensurepip, venv"]) === undefined
		)
			return undefined;
		await makeFolder(folder, async (unfinished) => {
			await run(python, ["-m", "venv", unfinished]);
			const pip = ["-m", "pip", "install", "--quiet", WASMTIME];
			await run(programOf(unfinished), pip);
		});
	}
	return programOf(folder);
}

/** @param {string} environment */
function programOf(environment) {
	return process.platform === "win32"
		? join(environment, "Scripts", "python.exe")
		: join(environment, "bin", "python");
}
