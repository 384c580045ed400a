import { Console } from "node:console";
import { setTimeout as sleep } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { LanguagePlugin } from "../../core/language-plugins.js";
import type { LimitOptions } from "../../core/limits.js";
import { startCompiling } from "../../core/wasm-module.js";
import { CallsUnderWay } from "./calls.js";
import { Roots } from "./roots.js";
import { newServer } from "./server.js";

export { newServer, Roots };

export interface ServeOptions {
	/** The folders of the repositories. */
	repos: string[];
	readOnly: boolean;
	/** The names of the tools to list. Default: all but `rag_move_plan`. */
	tools: string[] | undefined;
	limits: LimitOptions;
	/** Further languages. */
	languages: LanguagePlugin[];
	/** The absolute paths of SCIP indexes. */
	scip: string[];
}

/**
 * The time for running calls after the input has ended, in milliseconds. Clients wait for two
 * seconds before they kill the process.
 */
const GRACE_MS = 1500;
/** The time for cancelled calls: a build releases its lock, or finishes writing. */
const CANCEL_MS = 3000;
/** The time before the process exits, whatever still runs, such as a request to a model. */
const EXIT_MS = 100;

/**
 * Serves the Model Context Protocol over standard input and output until the input ends, or until
 * SIGINT or SIGTERM.
 */
export async function serve(options: ServeOptions): Promise<void> {
	startCompiling();
	// Standard output carries protocol messages only.
	globalThis.console = new Console(process.stderr, process.stderr);
	const { repos, readOnly, tools, limits, languages, scip } = options;
	const roots = new Roots(repos, { readOnly, limits, languages, scip });
	const calls = new CallsUnderWay();
	const server = newServer(roots, {
		readOnly,
		tools,
		timeout_ms: limits.timeout_ms ?? undefined,
		onCall: () => calls.begin(),
	});
	server.onerror = ({ message }) => {
		process.stderr.write(`ragnav mcp: ${message}\n`);
	};
	const ended = endOf(process.stdin);
	const interrupted = interruption();
	const closed = new Promise<void>((resolve) => {
		server.onclose = resolve;
	});
	await server.connect(new StdioServerTransport());
	await Promise.race([ended, interrupted, closed]);
	await Promise.race([calls.none(), interrupted, closed, delay(GRACE_MS)]);
	await server.close();
	await Promise.race([calls.none(), delay(CANCEL_MS)]);
	roots.close();
	setTimeout(() => process.exit(), EXIT_MS).unref();
}

function endOf(input: NodeJS.ReadStream): Promise<void> {
	return new Promise((resolve) => {
		input.once("end", resolve);
		input.once("close", resolve);
	});
}

function interruption(): Promise<void> {
	return new Promise((resolve) => {
		process.once("SIGINT", () => resolve());
		process.once("SIGTERM", () => resolve());
	});
}

function delay(ms: number): Promise<void> {
	return sleep(ms, undefined, { ref: false });
}
