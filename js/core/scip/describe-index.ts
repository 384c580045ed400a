import type { CompilerIndexState } from "../../generated/glue.js";
import { countWords } from "../counts.js";

/** Says how many documents of an index are used, and why others are not. */
export function describeCompilerIndex(index: CompilerIndexState): string {
	const { path, problem, used, proven } = index;
	if (problem !== null) return `${path}: not used: ${problem}`;
	const counts: [number, string][] = [
		[index.changed, "changed"],
		[index.affected, "resting on changed ones"],
		[index.missing, "missing"],
		[index.outside, "outside of the repository"],
	];
	const unused = counts.filter(([count]) => count > 0);
	const words = unused.map(([count, what]) => `${count} ${what}`);
	const byText = proven > 0 ? ` (${proven} proven by their texts)` : "";
	const documents = countWords(used, "document");
	return `${path}: ${[`${documents} used${byText}`, ...words].join(", ")}`;
}
