import type { StatusResult } from "../../core/api.js";
import { describeCompilerIndex } from "../../core/scip/describe-index.js";

/** Returns a line for each SCIP index: how many of its documents are used, and why others are not. */
export function compilerIndexText({
	compiler_indexes,
}: Pick<StatusResult, "compiler_indexes">): string[] {
	return compiler_indexes.map(describeCompilerIndex);
}
