import { RagnavError } from "../errors.js";
import type { NamedHost } from "./mount.js";

/** What a segment of a path cannot contain on every system, and what separates a name from a commit. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a control character is no part of a name
const FORBIDDEN = /[/\\:\u0000-\u001f\ufffd]/;

/** The folders of installed packages and caches, which no walk enters. */
const SKIPPED = ["node_modules", "bower_components", "__pycache__"];

/**
 * Checks the names of several repositories.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` if there is none, or a name is invalid or given twice
 */
export function checkNames(roots: readonly NamedHost[]): void {
	if (roots.length === 0) throw invalid("give at least one repository");
	const known = new Set<unknown>();
	for (const root of roots) {
		const name: unknown = root?.name;
		const problem = problemOf(name);
		if (problem !== null) {
			throw invalid(
				`${JSON.stringify(name)} cannot name a repository: ${problem}`,
			);
		}
		if (known.has(name)) {
			throw invalid(
				`two repositories have the name ${JSON.stringify(name)}; give each another one`,
			);
		}
		known.add(name);
	}
}

function problemOf(name: unknown): string | null {
	if (typeof name !== "string" || name === "") return "it must be a text";
	if (FORBIDDEN.test(name)) {
		return "it must be one segment of a path, without / \\ : and control characters";
	}
	if (name.startsWith(".")) return "it begins with a dot";
	if (SKIPPED.includes(name)) return "no walk enters a folder of this name";
	return null;
}

function invalid(message: string): RagnavError {
	return new RagnavError("INVALID_ARGUMENT", message);
}
