import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** @typedef {import("../ctags.mjs").Row} Row */
/** @typedef {{ start: number, end: number }} Range */
/** @typedef {{ pos: Range, value: string }} Name */
/**
 * A node of the syntax tree, or an answer that tells why there is none.
 *
 * @typedef {Record<string, unknown> & { type: string, pos: Range, error?: string }} Node
 */
/** @typedef {{ parseSource(text: string, options: { dialect: string }): Node }} Parsers */

/** @type {Parsers} */
const parsers = createRequire(import.meta.url)("scalameta-parsers");

/** @type {import("../truths.mjs").Truth} */
export const SCALAMETA = {
	name: "scalameta 4.14.2",
	definitionsOf: (files) => files.map((file) => [file, definitionsOf(file)]),
};

/** The kinds of definitions that are not functions. */
const KINDS = new Map([
	["Defn.Class", "class"],
	["Defn.Object", "class"],
	["Defn.Given", "class"],
	["Pkg.Object", "class"],
	["Defn.Trait", "interface"],
	["Defn.Enum", "enum"],
	["Defn.Type", "type"],
	["Decl.Type", "type"],
	["Ctor.Secondary", "method"],
]);

const FUNCTIONS = new Set(["Defn.Def", "Decl.Def", "Defn.Macro"]);

/** The nodes whose functions are methods: the members of a class and of a structural type. */
const MEMBERS = new Set(["Template.Body", "Stat.Block"]);

/**
 * Returns the definitions of a file, or `undefined` if every dialect refuses it.
 *
 * @param {string} file
 * @returns {Row[] | undefined}
 */
function definitionsOf(file) {
	const text = readFileSync(file, "utf8");
	const tree = parse(file, text);
	if (!tree) return undefined;
	const lineAt = linesOf(text);
	/** @type {Row[]} */
	const rows = [];
	const place = { isMember: false, isExtension: false };
	visit(tree, place, (name, kind) => {
		rows.push({ file, line: lineAt(name.pos.start), kind, name: name.value });
	});
	return rows;
}

/**
 * @param {string} file
 * @param {string} text
 */
function parse(file, text) {
	const dialects = file.endsWith(".sbt")
		? ["Sbt1"]
		: ["Scala3", "Scala213", "Scala212"];
	for (const dialect of dialects) {
		const tree = parsers.parseSource(text, { dialect });
		if (!tree.error) return tree;
	}
	return undefined;
}

/**
 * @param {Node} node
 * @param {{ isMember: boolean, isExtension: boolean }} place
 * @param {(name: Name, kind: string) => void} report
 */
function visit(node, place, report) {
	const name = /** @type {Name | undefined} */ (node.name);
	const kind = kindOf(node, place.isMember);
	if (kind && name?.value) report(name, kind);
	const isExtension =
		node.type === "Defn.ExtensionGroup" ||
		(place.isExtension && node.type === "Term.Block");
	const inner = {
		isMember: MEMBERS.has(node.type) || (isExtension && place.isMember),
		isExtension,
	};
	for (const child of Object.values(node)) {
		for (const one of Array.isArray(child) ? child : [child]) {
			if (one && typeof one === "object" && "type" in one)
				visit(one, inner, report);
		}
	}
}

/**
 * @param {Node} node
 * @param {boolean} isMember
 */
function kindOf(node, isMember) {
	if (FUNCTIONS.has(node.type) || isGivenFunction(node))
		return isMember ? "method" : "function";
	return KINDS.get(node.type);
}

/**
 * Reports whether a node is a given instance with parameters. Without them, it is a value.
 *
 * @param {Node} node
 */
function isGivenFunction({ type, paramClauseGroups }) {
	return (
		type === "Defn.GivenAlias" &&
		Array.isArray(paramClauseGroups) &&
		paramClauseGroups.length > 0
	);
}

/** @param {string} text */
function linesOf(text) {
	/** @type {number[]} */
	const starts = [0];
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
		starts.push(at + 1);
	return (/** @type {number} */ offset) => {
		let [low, high] = [0, starts.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((starts[middle] ?? 0) <= offset) low = middle;
			else high = middle;
		}
		return low + 1;
	};
}
