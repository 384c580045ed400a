// Runs one query in the npm package, in the component in Node, and in the component in wasmtime.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
	decideRoute,
	errorResult,
	fallbackResult,
	identifySymbolAtLine,
	iterMatches,
	locateSymbol,
	makeSnippet,
	okResult,
	open,
	parseIndexStatus,
	RagnavError,
} from "#ragnav";
import { type NodeHost, nodeHost } from "#ragnav/hosts/node";
import type { Exports } from "../../bench/component.mjs";

/** A call of the component: a function such as `locator.make-snippet`, with its arguments. */
export type Call = [name: string, given: unknown[]];

/** The result of a call, with the JSON of an answer parsed. */
export type Outcome = { ok: unknown } | { error: unknown };

/** The options of a navigator. */
export interface OpenOptions {
	repo: string;
	writable?: boolean;
}

/** The time of all hosts. */
const NOW = "2026-01-01T00:00:00.000Z";

const ASK = fileURLToPath(new URL("ask.py", import.meta.url));

/** Returns the host of a folder, without the rules of the machine's user and with a fixed time. */
export function hostOf(root: string, { repo, writable }: OpenOptions) {
	const { ignoreRules, ...host } = nodeHost(root, {
		readOnly: writable === false,
	});
	const still = { ...host, root: repo, now: () => NOW };
	return still as unknown as NodeHost;
}

/** Runs calls in the npm package. */
export async function byPackage(
	host: NodeHost,
	calls: Call[],
): Promise<Outcome[]> {
	const nav = await open(host);
	const outcomes: Outcome[] = [];
	for (const [name, given] of calls) {
		const [on, method] = split(name);
		const callee = (on === "navigator" ? nav : PURE) as unknown as Functions;
		try {
			outcomes.push(fromPackage(name, await callee[method]?.(...given)));
		} catch (thrown) {
			if (!(thrown instanceof RagnavError)) throw thrown;
			outcomes.push(failed(thrown.code, thrown.message, null));
		}
	}
	nav.close();
	return outcomes;
}

/** Runs calls in the component in Node. */
export function byJco(
	instantiate: (host: NodeHost) => Exports,
	host: NodeHost,
	options: OpenOptions,
	calls: Call[],
): Outcome[] {
	const exports = instantiate(host);
	const navigator = exports.navigation.Navigator.open(options);
	const outcomes = calls.map(([name, given]): Outcome => {
		const [on, method] = split(name);
		const callee = { ...exports, navigator }[on] as Functions;
		try {
			const value = callee[method]?.(...given.map(toCamel));
			return fromComponent(name, { ok: fromCamel(value) });
		} catch (thrown) {
			const { tag, val } = thrown as ComponentError;
			const { message, answer = null } = val;
			return fromComponent(name, { error: { code: tag, message, answer } });
		}
	});
	(navigator as unknown as Disposable)[Symbol.dispose]();
	return outcomes;
}

/** Runs calls in the component in wasmtime. */
export function byWasmtime(
	python: string,
	component: string,
	root: string,
	options: OpenOptions,
	calls: Call[],
): Outcome[] {
	const input = JSON.stringify({
		component,
		root,
		now_ms: Date.parse(NOW),
		open: options,
		calls,
	});
	const printed = execFileSync(python, [ASK], { input, encoding: "utf8" });
	const outcomes: Told[] = JSON.parse(printed);
	return outcomes.map((outcome, at) => {
		const [name] = calls[at] ?? [""];
		return fromComponent(name, outcome);
	});
}

type Functions = Record<string, (...given: unknown[]) => unknown>;

/** The error that jco throws. */
interface ComponentError {
	tag: string;
	val: { message: string; answer?: string };
}

/** The result of a call of the component, with answers as JSON. */
type Told =
	| { ok: unknown }
	| { error: { code: string; message: string; answer: string | null } };

/** The pure functions of the npm package, by the names of the component. */
const PURE = {
	identifySymbolAtLine,
	locateSymbol,
	iterMatches,
	makeSnippet,
	decideRoute,
	parseIndexStatus: (text: string, repo: string) =>
		parseIndexStatus(text, { repo }),
	okResult: (options: Parameters<typeof okResult>[1]) =>
		okResult([], options).meta,
	fallbackResult: (options: Parameters<typeof fallbackResult>[1]) =>
		fallbackResult([], options).meta,
	errorResult: (options: Parameters<typeof errorResult>[0]) =>
		errorResult(options).meta,
};

/** Reports whether the component returns JSON for this call. */
function isTold(name: string): boolean {
	return name.startsWith("navigator.") && name !== "navigator.route";
}

function split(name: string): [on: string, method: string] {
	const [on = "", method = ""] = name.split(".");
	return [
		on,
		method.replace(/-./g, (letters) => letters.slice(1).toUpperCase()),
	];
}

function fromComponent(name: string, told: Told): Outcome {
	if ("ok" in told) {
		const { ok } = told;
		return { ok: isTold(name) ? JSON.parse(String(ok)) : ok };
	}
	const { code, message, answer } = told.error;
	return { error: { code, message, answer: answer && JSON.parse(answer) } };
}

function fromPackage(name: string, value: unknown): Outcome {
	if (!isTold(name)) return { ok: typed(value) };
	// The size of the memory differs between runs.
	const { wasm_memory_bytes, ...answer } = value as Answer;
	const { error_code, message } = answer.meta;
	if (error_code === null) return { ok: answer };
	return failed(error_code, message, answer);
}

interface Answer {
	meta: { error_code: string | null; message: string | null };
	wasm_memory_bytes?: number;
}

function failed(
	code: string,
	message: string | null,
	answer: unknown,
): Outcome {
	return { error: { code: kebab(code), message, answer } };
}

/** The keys whose values are cases of an enum in the component's world. */
const ENUMS = new Set(["freshness_state", "reason", "status", "source"]);

/** The keys of `meta` that the component's world lacks. */
const LEFT_OUT = new Set([
	...["files", "plan", "retrieval"],
	...["receipt", "since"],
]);

/** Converts a value of the package to the component's records. */
function typed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(typed);
	if (typeof value !== "object" || value === null) return value;
	const fields = Object.entries(value).map(([key, field]) => {
		const isCase = ENUMS.has(key) && typeof field === "string";
		return [key, isCase ? kebab(field) : typed(field)];
	});
	const record = Object.fromEntries(fields);
	if ("index_state" in record) record.last_error ??= null;
	if ("error_code" in record) {
		for (const key of [...LEFT_OUT, "reason", "head"]) delete record[key];
	}
	return record;
}

const kebab = (code: string) => code.toLowerCase().replaceAll("_", "-");

/** Converts keys to jco's spelling. */
function toCamel(value: unknown): unknown {
	return withKeys(value, (key) =>
		key.replace(/_./g, (letters) => letters.slice(1).toUpperCase()),
	);
}

/** Converts keys to the package's spelling, and absent values to `null`. */
function fromCamel(value: unknown): unknown {
	return withKeys(value ?? null, (key) =>
		key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
	);
}

function withKeys(value: unknown, rename: (key: string) => string): unknown {
	if (Array.isArray(value)) return value.map((one) => withKeys(one, rename));
	if (typeof value !== "object" || value === null) return value ?? null;
	const fields = Object.entries(value).map(([key, field]) => [
		rename(key),
		withKeys(field, rename),
	]);
	return Object.fromEntries(fields);
}
