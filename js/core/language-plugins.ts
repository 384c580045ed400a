/** Languages that a program adds: grammars of tree-sitter with their queries. */

import type { LanguagePlugin as CorePlugin, Glue } from "../generated/glue.js";
import { fromCore, messageOf, RagnavError } from "./errors.js";
import { grammarFunction, linkGrammarLater } from "./grammar-module.js";
import { type GrammarHolder, readUrl } from "./grammars.js";
import { unpacked, viewOf } from "./unpack.js";

/**
 * A language that ragnav does not ship: a grammar of tree-sitter with the queries that its authors
 * publish.
 *
 * Only pass grammars that you trust. A grammar is code that runs in the memory of the core: it can
 * make answers wrong and stop the core, but it has no access to files or to the network.
 */
export interface LanguagePlugin {
	/** The name, in lower-case letters, digits and `_`. No other language may have it. */
	name: string;
	/** The extensions of its files, such as `["ml"]`. No other language may have them. */
	extensions: readonly string[];
	/** The grammar, a file such as `tree-sitter-ocaml.wasm`: its bytes, or its URL. */
	wasm: BufferSource | URL | string;
	/** The text of its `queries/tags.scm`, which captures definitions and references. */
	tags: string;
	/** The text of its `queries/locals.scm`, which captures scopes. Default: none. */
	locals?: string | null | undefined;
}

/** A plug-in whose grammar has been read. */
export interface LoadedPlugin {
	/** The plug-in as the core takes it. */
	plugin: CorePlugin;
	bytes: Uint8Array<ArrayBuffer>;
	/** The compiled grammar, once a query has needed it. */
	compiled?: CompiledPlugin;
}

/** A compiled grammar of a plug-in. */
export interface CompiledPlugin {
	module: WebAssembly.Module;
	/** The name of the function that returns the grammar. */
	functionName: string;
}

const KEYS: readonly string[] = [
	"name",
	"extensions",
	"wasm",
	"tags",
	"locals",
] satisfies (keyof LanguagePlugin)[];

/**
 * Reads the grammars of plug-ins.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a malformed plug-in; `LANGUAGE_UNAVAILABLE` if a
 * grammar cannot be read.
 */
export async function readPlugins(
	given: readonly LanguagePlugin[] | null | undefined,
	glue: Glue,
): Promise<LoadedPlugin[]> {
	if (given === undefined || given === null) return [];
	if (!Array.isArray(given)) {
		throw invalid(`languages must be a list, not ${typeof given}`);
	}
	for (const plugin of given) checkPlugin(plugin);
	return Promise.all(given.map((plugin) => readPlugin(plugin, glue)));
}

/**
 * Adds plug-ins to a new instance of the core, without their grammars.
 *
 * @throws a `RagnavErrorValue` for a name or an extension that is malformed or taken.
 */
export function addPlugins(glue: Glue, plugins: readonly LoadedPlugin[]): void {
	for (const { plugin } of plugins) glue.addLanguage(plugin);
}

/**
 * Loads the grammar of a plug-in into an instance of the core. A grammar that failed is not tried
 * again, since its bytes and queries stay the same.
 *
 * @throws {RagnavError} `LANGUAGE_UNAVAILABLE` for a grammar or queries that cannot be used.
 */
export function loadPluginGrammar(
	holder: GrammarHolder,
	loaded: LoadedPlugin,
): Promise<void> {
	const { name } = loaded.plugin;
	const linked = holder.grammars.get(name) ?? link(holder, loaded);
	holder.grammars.set(name, linked);
	return linked;
}

async function link(
	holder: GrammarHolder,
	loaded: LoadedPlugin,
): Promise<void> {
	const { name } = loaded.plugin;
	try {
		loaded.compiled ??= await compile(loaded);
		const { module, functionName } = loaded.compiled;
		await linkGrammarLater(holder, name, module, functionName);
	} catch (thrown) {
		throw unusable(name, thrown);
	}
}

async function compile({
	plugin,
	bytes,
}: LoadedPlugin): Promise<CompiledPlugin> {
	const module = await WebAssembly.compile(bytes);
	return { module, functionName: grammarFunction(module, plugin.name) };
}

function unusable(name: string, thrown: unknown): RagnavError {
	// The core says what is wrong with the queries, and with the version of the grammar.
	const ofCore = thrown instanceof RagnavError ? undefined : fromCore(thrown);
	const message =
		ofCore?.message ??
		`its \`wasm\` is no grammar (${messageOf(thrown)}); ` +
			`pass the file tree-sitter-${name}.wasm of the grammar's package, ` +
			"or what `tree-sitter build --wasm` writes";
	return new RagnavError("LANGUAGE_UNAVAILABLE", message);
}

async function readPlugin(
	{ name, extensions, wasm, tags, locals }: LanguagePlugin,
	glue: Glue,
): Promise<LoadedPlugin> {
	const bytes = await readWasm(name, wasm);
	const grammar_hash = glue.hashGrammar(bytes);
	return {
		plugin: {
			name,
			extensions: [...extensions],
			tags,
			locals: locals ?? null,
			grammar_hash,
		},
		bytes,
	};
}

async function readWasm(
	name: string,
	wasm: BufferSource | URL | string,
): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await unpacked(
			bytesOf(wasm) ?? (await readUrl(new URL(String(wasm)))),
		);
	} catch (thrown) {
		const message =
			`the grammar of ${name} cannot be read (${messageOf(thrown)}); ` +
			"pass its bytes, or a URL that can be fetched";
		throw new RagnavError("LANGUAGE_UNAVAILABLE", message);
	}
}

/** Returns a view of bytes; `undefined` for any other value. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
	if (ArrayBuffer.isView(value)) return viewOf(value);
	const isBuffer = Object.prototype.toString.call(value).endsWith("Buffer]");
	return isBuffer ? viewOf(value as ArrayBuffer) : undefined;
}

function checkPlugin(plugin: unknown): asserts plugin is LanguagePlugin {
	if (typeof plugin !== "object" || plugin === null) {
		throw invalid(`each of languages must be an object, not ${plugin}`);
	}
	const { name, extensions, wasm, tags, locals } =
		plugin as Partial<LanguagePlugin>;
	if (typeof name !== "string") {
		throw invalid("each of languages must have a name");
	}
	const unknown = Object.keys(plugin).find((key) => !KEYS.includes(key));
	if (unknown !== undefined) {
		const known = KEYS.join(", ");
		throw invalid(`the language ${name} has no ${unknown}; it has ${known}`);
	}
	const isText = (value: unknown) => typeof value === "string";
	if (!Array.isArray(extensions) || !extensions.every(isText)) {
		throw invalid(`extensions of ${name} must be a list of texts`);
	}
	if (!isText(tags)) {
		throw invalid(`tags of ${name} must be the text of its tags.scm`);
	}
	if (locals !== undefined && locals !== null && !isText(locals)) {
		throw invalid(`locals of ${name} must be the text of its locals.scm`);
	}
	const isWasm =
		bytesOf(wasm) !== undefined || (isText(wasm) && URL.canParse(wasm));
	if (!isWasm && !(wasm instanceof URL)) {
		throw invalid(`wasm of ${name} must be bytes or a URL`);
	}
}

function invalid(message: string): RagnavError {
	return new RagnavError("INVALID_ARGUMENT", message);
}
