/** ragnav's WebAssembly component, run in Node by jco: one navigator during a scenario. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transpile } from "../../bench/component.mjs";
import { loadPackage } from "../../bench/navigator.mjs";
import { component } from "../../js/build/paths.mjs";
import { Problem } from "../../js/build/run.mjs";
import { answerOf, CLAIMS, ROWS } from "./ragnav-answer.mjs";
import { ragnavVersion } from "./ragnav-api.mjs";

/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {Parameters<typeof answerOf>[0]} Envelope */
/** @typedef {import("../../bench/component.mjs").Buffer} Buffer */

/** @type {ReturnType<typeof transpile> | undefined} */
let transpiled;

/** @type {import("../types.d.ts").Adapter} */
export const ragnavComponent = {
	name: "ragnav-component",
	index_paths: [".llmc"],
	asks: ["definitions", "references", "search"],
	has_buffers: true,
	claims: CLAIMS,
	version: ragnavVersion,
	open,
};

/**
 * @param {string} folder
 * @returns {Promise<import("../types.d.ts").Session>}
 */
async function open(folder) {
	transpiled ??= transpileOnce();
	const instantiate = await transpiled;
	const { nodeHost } = await loadPackage();
	/** @type {Map<string, Buffer>} */
	const buffers = new Map();
	const host = nodeHost(folder);
	const { Navigator } = instantiate(host, () => [
		...buffers.values(),
	]).navigation;
	const navigator = Navigator.open({ repo: folder });
	return {
		async index() {
			navigator.buildGraph?.();
		},
		async interruptIndex() {
			const stop = () => {
				throw new Error("The build is interrupted.");
			};
			const interrupted = { ...host, write: stop };
			const builder = instantiate(interrupted).navigation.Navigator.open({});
			try {
				builder.buildGraph?.();
			} catch {
				// A build that was interrupted fails, which is what this step is for.
			}
		},
		async setBuffer(file, text) {
			if (text === null) buffers.delete(file);
			else buffers.set(file, { path: file, text });
		},
		async ask(asked) {
			return answerOf(envelope(() => navigator.query?.(...queryOf(asked))));
		},
		async close() {
			/** @type {Disposable} */ (/** @type {unknown} */ (navigator))[
				Symbol.dispose
			]();
		},
	};
}

async function transpileOnce() {
	const file = join(component, "ragnav.wasm");
	if (!existsSync(file))
		throw new Problem(
			"Missing component/ragnav.wasm. Build it: npm run build:component",
		);
	const folder = mkdtempSync(join(tmpdir(), "freshness-component-"));
	process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
	return transpile(file, folder);
}

/**
 * Returns the envelope of an answer, which is inside the error if the query failed.
 *
 * @param {() => unknown} query
 * @returns {Envelope}
 */
function envelope(query) {
	try {
		return JSON.parse(String(query()));
	} catch (thrown) {
		const { val } = /** @type {{ val?: { answer?: string } }} */ (thrown);
		if (val?.answer === undefined) throw thrown;
		return JSON.parse(val.answer);
	}
}

/**
 * @param {Asked} asked
 * @returns {[name: string, given: string]}
 */
function queryOf(asked) {
	switch (asked.ask) {
		case "definitions":
			return ["locate", JSON.stringify({ symbol: asked.symbol })];
		case "references":
			return [
				"where_used",
				JSON.stringify({ symbol: asked.symbol, limit: ROWS }),
			];
		case "search":
			return ["search", JSON.stringify({ query: asked.text, limit: ROWS })];
	}
}
