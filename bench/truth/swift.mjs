import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import swift from "@shikijs/langs/swift";

/** @typedef {import("../ctags.mjs").Row} Row */
/** @typedef {{ text: string, line: number, scopes: string[] }} Token */
/** @typedef {import("vscode-textmate").IRawGrammar} RawGrammar */

const require = createRequire(import.meta.url);
/** @type {typeof import("vscode-oniguruma")} */
const oniguruma = require("vscode-oniguruma");
/** @type {typeof import("vscode-textmate")} */
const textmate = require("vscode-textmate");

/**
 * The grammar by which editors colour Swift. No package has a parser of Swift, so this grammar
 * replaces one. It rejects no file.
 *
 * @type {import("../truths.mjs").Truth}
 */
export const SWIFT_TEXTMATE = {
	name: "TextMate (Shiki 4.6.0)",
	async definitionsOf(files) {
		const grammar = await loadGrammar();
		return files.map((file) => {
			const tokens = tokensOf(grammar, readFileSync(file, "utf8"));
			return [file, definitionsOf(file, tokens)];
		});
	},
};

/** The ends of the scopes of names, after `entity.name.type.`, and their kinds. */
const KINDS = new Map([
	["class", "class"],
	["struct", "class"],
	["actor", "class"],
	["protocol", "interface"],
	["enum", "enum"],
	["typealias", "type"],
]);

const EXTENSION = "meta.definition.type.extension.swift";
const ASSOCIATED_TYPE = "variable.language.associatedtype.swift";
const KEYWORD = "keyword.other.declaration-specifier.swift";
const FUNCTION = /^meta\.definition\.(function|macro)\.swift$/;
const SPECIAL = /^meta\.definition\.function\.(initializer|subscript)\.swift$/;
const BODY = /^meta\.definition\.(type|function)\.body\.swift$/;

async function loadGrammar() {
	const wasm = readFileSync(
		require.resolve("vscode-oniguruma/release/onig.wasm"),
	);
	await oniguruma.loadWASM(wasm);
	const registry = new textmate.Registry({
		onigLib: Promise.resolve({
			createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
			createOnigString: (text) => new oniguruma.OnigString(text),
		}),
		loadGrammar: async () => null,
	});
	const raw = /** @type {RawGrammar} */ (/** @type {unknown} */ (swift[0]));
	return registry.addGrammar(raw);
}

/**
 * @param {import("vscode-textmate").IGrammar} grammar
 * @param {string} text
 * @returns {Token[]}
 */
function tokensOf(grammar, text) {
	/** @type {Token[]} */
	const found = [];
	let state = textmate.INITIAL;
	for (const [index, line] of text.split(/\r?\n/).entries()) {
		const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
		for (const { startIndex, endIndex, scopes } of tokens) {
			const part = line.slice(startIndex, endIndex);
			found.push({ text: part, line: index + 1, scopes });
		}
		found.push({ text: "\n", line: index + 1, scopes: [] });
		state = ruleStack;
	}
	return found.filter(
		({ scopes }) => !scopes.some((scope) => scope.startsWith("comment.")),
	);
}

/**
 * @param {string} file
 * @param {Token[]} tokens
 * @returns {Row[]}
 */
function definitionsOf(file, tokens) {
	/** @type {Row[]} */
	const rows = [];
	for (const [index, token] of tokens.entries()) {
		const { text, line, scopes } = token;
		const named = definitionOf(token);
		// The name of an extension has a token for each segment, and for each dot.
		const isBeforeDot =
			isExtended(scopes) && isExtended(tokens[index + 1]?.scopes);
		if (named && !isBeforeDot) rows.push({ file, line, ...named });
		if (text === "var" && scopes.at(-1) === KEYWORD) {
			const name = computedProperty(tokens, index + 1);
			if (name) rows.push({ file, ...name, kind: functionKind(scopes) });
		}
	}
	return rows;
}

/**
 * Returns the kind and the name of the definition whose name a token is.
 *
 * @param {Token} token
 */
function definitionOf({ text, scopes }) {
	const [last = "", before = ""] = scopes.toReversed();
	if (last.startsWith("punctuation.")) return undefined;
	const named = scopes.find((scope) => scope.startsWith("entity.name."));
	const around = named ? (scopes[scopes.indexOf(named) - 1] ?? "") : "";
	if (named === "entity.name.type.swift" && around === EXTENSION)
		return { kind: "class", name: text.slice(text.lastIndexOf(".") + 1) };
	const kind = KINDS.get(
		/^entity\.name\.type\.(\w+)/.exec(named ?? "")?.[1] ?? "",
	);
	if (kind) return { kind, name: text };
	if (last === ASSOCIATED_TYPE) return { kind: "type", name: text };
	if (named === "entity.name.function.swift" && FUNCTION.test(around))
		return { kind: functionKind(scopes), name: text };
	if (last !== "storage.type.function.swift") return undefined;
	if (SPECIAL.test(before) || text === "deinit")
		return { kind: "method", name: text.replace(/[?!]$/, "") };
	return undefined;
}

/** @param {string[]} [scopes] */
function isExtended(scopes = []) {
	const at = scopes.indexOf("entity.name.type.swift");
	return at > 0 && scopes[at - 1] === EXTENSION;
}

/** @param {string[]} scopes */
function functionKind(scopes) {
	const around = scopes.findLast((scope) => BODY.test(scope)) ?? "";
	return around.includes(".type.") ? "method" : "function";
}

/**
 * Returns the name of a property with accessors, from the tokens after `var`. A property with
 * `willSet` or `didSet` is stored.
 *
 * @param {Token[]} tokens
 * @param {number} start
 */
function computedProperty(tokens, start) {
	let depth = 0;
	let text = "";
	let line = 0;
	for (const token of tokens.slice(start, start + 200)) {
		if (token.text.trim() && !line) line = token.line;
		for (const letter of token.text) {
			if (depth === 0 && text.includes("{")) {
				if (/\s/.test(letter)) continue;
				const isStored = /^(willSet|didSet)/.test(token.text.trim());
				const name = /^\s*`?([\p{L}_][\p{L}\p{N}_]*)`?\s*:/u.exec(text)?.[1];
				return isStored || !name ? undefined : { name, line };
			}
			if (depth === 0 && /[=;})]/.test(letter)) return undefined;
			if (depth === 0 && letter === "\n" && !continues(text, tokens, token))
				return undefined;
			if ("([<".includes(letter)) depth += 1;
			if (")]>".includes(letter) && !(letter === ">" && text.endsWith("-")))
				depth -= 1;
			text += letter;
		}
	}
	return undefined;
}

/**
 * Reports whether a declaration goes on in the next line.
 *
 * @param {string} text
 * @param {Token[]} tokens
 * @param {Token} lineBreak
 */
function continues(text, tokens, lineBreak) {
	const rest = tokens.slice(tokens.indexOf(lineBreak) + 1);
	const next = rest.find((token) => token.text.trim());
	return (
		/([:,&.]|->)\s*$/.test(text) || next?.text.trim().startsWith("{") === true
	);
}
