import { inRoot } from "../../js/build/paths.mjs";
import { output, Problem } from "../../js/build/run.mjs";
import { need } from "../corpus.mjs";

const TIMEOUT_MS = 600_000;

/**
 * The attribution of `javac`, of the installed JDK.
 *
 * @type {import("../compilers.mjs").Compiler}
 */
export const JAVAC = {
	name: "javac 17",
	async usesOf(root) {
		const [java] = need("java");
		const program = inRoot("bench", "truth", "JavaUses.java");
		const printed = output(java, [program, root], { timeout: TIMEOUT_MS });
		if (printed === undefined) throw new Problem(`javac failed on ${root}.`);
		return printed;
	},
};
