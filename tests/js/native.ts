// Questions that are put to the core as it is compiled for this machine, and to the npm package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type {
	FilesOptions,
	LineageOptions,
	Navigator,
	SearchOptions,
	WhereUsedOptions,
} from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";

export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** A question that both are asked. */
export type Question =
	| { ask: "search"; query: string; options: SearchOptions }
	| { ask: "identify"; file: string; line: number }
	| { ask: "locate"; symbol: string }
	| { ask: "outline"; file: string }
	| { ask: "files"; options?: FilesOptions }
	| { ask: "where_used"; symbol: string; options?: WhereUsedOptions }
	| {
			ask: "lineage";
			symbol: string;
			direction: string;
			options?: LineageOptions;
	  }
	| { ask: "build" }
	| { ask: "status" }
	| { ask: "route" };

/** The time of both hosts. */
const NOW = "2026-01-01T00:00:00.000Z";

/** The host without what the native host does not know: rules from outside the root. */
export function hostOf(root: string, repo = root) {
	const { ignoreRules, ...host } = nodeHost(root);
	return { ...host, root: repo, now: () => NOW };
}

export function askNatively(
	root: string,
	questions: Question[],
	repo = root,
): unknown[] {
	const git = hostOf(root).gitHead();
	const input = JSON.stringify({ root, repo, git, questions });
	const args = ["run", "--quiet", "--locked", "--example", "native_answers"];
	const output = execFileSync("cargo", args, {
		cwd: CHECKOUT,
		input,
		maxBuffer: 1 << 28,
	});
	return JSON.parse(output.toString());
}

export function ask(nav: Navigator, question: Question): Promise<unknown> {
	switch (question.ask) {
		case "search":
			return nav.search(question.query, question.options);
		case "identify":
			return nav.identify(question.file, question.line);
		case "locate":
			return nav.locate(question.symbol);
		case "outline":
			return nav.outline(question.file);
		case "files":
			return nav.files(question.options);
		case "where_used":
			return nav.whereUsed(question.symbol, question.options);
		case "lineage":
			return nav.lineage(question.symbol, question.direction, question.options);
		case "build":
			return withoutDocuments(nav.buildGraph());
		case "status":
			return withoutMemory(nav.status());
		case "route":
			return nav.route();
	}
}

/** The native program builds the index alone. */
async function withoutDocuments(built: ReturnType<Navigator["buildGraph"]>) {
	const { documents, ...answer } = await built;
	assert.equal(documents, null);
	return answer;
}

/** How much memory an answer takes is no part of it. */
async function withoutMemory(status: ReturnType<Navigator["status"]>) {
	const { wasm_memory_bytes, ...answer } = await status;
	assert.ok(wasm_memory_bytes > 0);
	return answer;
}
