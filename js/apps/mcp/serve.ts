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
	/** The names of the tools that are listed. Default: all. */
	tools: string[] | undefined;
	limits: LimitOptions;
	/** Further languages. */
	languages: LanguagePlugin[];
	/** The absolute paths of SCIP indexes. */
	scip: string[];
}

/** How long calls under way may go on once nothing more can be asked, in milliseconds: clients wait for two seconds before they use force. */
const GRACE_MS = 1500;
/** How long calls that are cancelled then are waited for: a build gives back its lock, or finishes writing. */
const CANCEL_MS = 3000;
/** What still runs after that, as a request to a model, keeps the process no longer. */
const EXIT_MS = 100;

/** Serves the Model Context Protocol over standard input and output until the input ends, or until SIGINT or SIGTERM. */
export async function serve(options: ServeOptions): Promise<void> {
	startCompiling();
	// Standard output is the protocol's, whatever prints.
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
	await Promise.race([calls.none(), interrupted, closed, waited(GRACE_MS)]);
	await server.close();
	await Promise.race([calls.none(), waited(CANCEL_MS)]);
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

function waited(ms: number): Promise<void> {
	return sleep(ms, undefined, { ref: false });
}
