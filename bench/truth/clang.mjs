import { inRoot } from "../../js/build/paths.mjs";
import { pythonEnvironment } from "../../js/build/python.mjs";
import { output, Problem } from "../../js/build/run.mjs";

const TIMEOUT_MS = 1_800_000;

const LANGUAGES = /** @type {const} */ ({ c: "c", cpp: "c++" });

/**
 * Clang's semantic analysis, by its library. Headers of the system come from the installed
 * compilers.
 *
 * @param {"c" | "c++"} language
 * @returns {import("../compilers.mjs").Compiler}
 */
export function clang(language) {
	return {
		name: "libclang 18.1.1",
		async usesOf(root) {
			return printedBy("clang_uses.py", [root, language]);
		},
	};
}

/**
 * Clang's parser, by its library. It needs to know what headers declare, too.
 *
 * @param {keyof typeof LANGUAGES} language the name in ragnav
 * @returns {import("../facts-comparison.mjs").Parser}
 */
export function clangParser(language) {
	return {
		name: "libclang 18.1.1",
		language,
		async factsOf(root, folder) {
			const args = [root, LANGUAGES[language], ...(folder ? [folder] : [])];
			return printedBy("clang_facts.py", args);
		},
	};
}

/**
 * @param {string} program
 * @param {string[]} args
 */
async function printedBy(program, args) {
	const python = await pythonEnvironment({
		name: "clang",
		requirements: ["libclang==18.1.1"],
	});
	const script = inRoot("bench", "truth", program);
	const printed = output(python, [script, ...args], { timeout: TIMEOUT_MS });
	if (printed === undefined) throw new Problem(`Clang failed on ${args[0]}.`);
	return printed;
}
