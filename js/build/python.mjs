import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashOf, makeFolder } from "./cache.mjs";
import { aptInstall, hasApt } from "./debian.mjs";
import { inCache } from "./paths.mjs";
import { findProgram, output, Problem, run, say } from "./run.mjs";

/** Debian has what makes environments in a package of its own. */
const DEBIAN_PYTHON = "python3-venv";

/**
 * Packages in exact versions.
 *
 * @typedef {object} PythonEnvironment
 * @property {string} name
 * @property {string[]} requirements
 * @property {boolean} [alone] without what the packages depend on
 */

/** @type {{ file: string | undefined } | undefined} */
let found;

/** Python itself and not a script that chooses one, which would be measured with it. */
export function pythonProgram() {
	found ??= { file: pythonItself() };
	return found.file;
}

function pythonItself() {
	const named = findProgram(["python3", "python"]);
	if (!named) return undefined;
	const code =
		"import sys; assert sys.version_info >= (3,); print(sys.executable)";
	return output(named, ["-c", code])?.trim();
}

/**
 * The Python of a virtual environment with these packages, which is made once per user.
 *
 * What it gives is Python and no command of a package: those name the folder that they were installed into, which has another name by then.
 *
 * @param {PythonEnvironment} environment
 */
export async function pythonEnvironment({ name, requirements, alone = false }) {
	const base = pythonProgram() ?? (await installPython());
	// An environment is bound to the Python that it was made with.
	const version = output(base, ["--version"]);
	const hash = hashOf({ values: [base, version, requirements, alone] });
	const folder = inCache("python", `${name}-${hash}`);
	if (!existsSync(folder)) {
		say(`Python packages: installing ${requirements.join(", ")}`);
		await makeFolder(folder, async (unfinished) => {
			await makeEnvironment(base, unfinished);
			await install(pythonIn(unfinished), requirements, alone);
		});
	}
	return pythonIn(folder);
}

async function installPython() {
	if (hasApt()) await aptInstall([DEBIAN_PYTHON]);
	found = undefined;
	const python = pythonProgram();
	if (python) return python;
	throw new Problem("Missing Python 3. Install it (https://www.python.org).");
}

/** @param {string} folder */
function pythonIn(folder) {
	return process.platform === "win32"
		? join(folder, "Scripts", "python.exe")
		: join(folder, "bin", "python");
}

/**
 * @param {string} base
 * @param {string} folder
 */
async function makeEnvironment(base, folder) {
	const isWhole = output(base, ["-c", "import ensurepip, venv"]) !== undefined;
	if (!isWhole && hasApt()) await aptInstall([DEBIAN_PYTHON]);
	await run(base, ["-m", "venv", folder]);
}

/**
 * @param {string} python
 * @param {string[]} requirements
 * @param {boolean} alone
 */
async function install(python, requirements, alone) {
	const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
	// Compiling one would take longer than anybody expects of a test.
	const which = ["--only-binary", ":all:", ...(alone ? ["--no-deps"] : [])];
	try {
		await run(python, [
			"-m",
			"pip",
			"install",
			...[...quiet, "--retries", "2", ...which, ...requirements],
		]);
	} catch (error) {
		if (!(error instanceof Problem)) throw error;
		throw new Problem(
			`pip could not install ${requirements.join(", ")}, see above. It needs a package index and wheels for this system.`,
		);
	}
}
