import { inRoot } from "../../js/build/paths.mjs";
import { pythonEnvironment } from "../../js/build/python.mjs";
import { output, Problem } from "../../js/build/run.mjs";

const TIMEOUT_MS = 1_800_000;

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
			const python = await pythonEnvironment({
				name: "clang",
				requirements: ["libclang==18.1.1"],
			});
			const program = inRoot("bench", "truth", "clang_uses.py");
			const args = [program, root, language];
			const printed = output(python, args, { timeout: TIMEOUT_MS });
			if (printed === undefined) throw new Problem(`Clang failed on ${root}.`);
			return printed;
		},
	};
}
