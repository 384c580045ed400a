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
		return printedBy("JavaUses.java", root);
	},
};

/**
 * The parser of `javac`.
 *
 * @type {import("../facts-comparison.mjs").Parser}
 */
export const JAVA_PARSER = {
	name: "javac 17",
	language: "java",
	async factsOf(root) {
		return printedBy("JavaFacts.java", root);
	},
};

/**
 * @param {string} program
 * @param {string} root
 */
function printedBy(program, root) {
	const [java] = need("java");
	const source = inRoot("bench", "truth", program);
	const printed = output(java, [source, root], { timeout: TIMEOUT_MS });
	if (printed === undefined) throw new Problem(`javac failed on ${root}.`);
	return printed;
}
