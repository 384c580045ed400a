import { readFileSync } from "node:fs";
import luaparse from "luaparse";

/** @typedef {import("../ctags.mjs").Row} Row */
/** @typedef {import("luaparse").Expression} Expression */
/** @typedef {Expression | null | undefined} Target */
/** @typedef {Expression | import("luaparse").FunctionDeclaration | undefined} Value */
/** @typedef {{ name: string, line: number }} Name */
/** @typedef {Record<string, unknown> & { type: string }} Node */

/** @type {import("../truths.mjs").Truth} */
export const LUAPARSE = {
	name: "luaparse 0.3.1",
	definitionsOf: (files) => files.map((file) => [file, definitionsOf(file)]),
};

/**
 * Returns the functions that have names, and those that are assigned to a name, to an element of a
 * table or to a field in a constructor. Returns `undefined` for a text that the parser refuses.
 *
 * An element whose key is computed has no name: `a[1]`, `a[b]` and `a["b c"]`. Of an assignment of
 * several values only the first counts.
 *
 * @param {string} file
 * @returns {Row[] | undefined}
 */
function definitionsOf(file) {
	const text = readFileSync(file, "utf8");
	const chunk = parse(text);
	if (!chunk) return undefined;
	/** @type {Row[]} */
	const rows = [];
	visit(
		/** @type {Node} */ (/** @type {unknown} */ (chunk)),
		(name, isMethod) => {
			rows.push({ file, kind: isMethod ? "method" : "function", ...name });
		},
	);
	return rows;
}

/** @param {string} text */
function parse(text) {
	const options = /** @type {const} */ ({ comments: false, locations: true });
	for (const luaVersion of /** @type {const} */ (["LuaJIT", "5.3"])) {
		try {
			return luaparse.parse(text, { ...options, luaVersion });
		} catch {}
	}
	return undefined;
}

/**
 * @param {Node} node
 * @param {(name: Name, isMethod: boolean) => void} report
 */
function visit(node, report) {
	const statement = /** @type {luaparse.Node} */ (
		/** @type {unknown} */ (node)
	);
	const [target, value] = assignmentOf(statement);
	if (target && value?.type === "FunctionDeclaration") {
		const name = nameOf(target);
		const isMethod =
			target.type === "MemberExpression" && target.indexer === ":";
		if (name) report(name, isMethod);
	}
	for (const child of Object.values(node)) {
		for (const one of Array.isArray(child) ? child : [child]) {
			if (one && typeof one === "object" && "type" in one) visit(one, report);
		}
	}
}

/**
 * Returns what a node assigns to, and the value.
 *
 * @param {luaparse.Node} node
 * @returns {[target?: Target, value?: Value]}
 */
function assignmentOf(node) {
	switch (node.type) {
		case "FunctionDeclaration":
			return [node.identifier, node];
		case "AssignmentStatement":
		case "LocalStatement":
			return [node.variables[0], node.init[0]];
		case "TableKeyString":
			return [node.key, node.value];
		case "TableKey":
			return node.key.type === "StringLiteral" ? [node.key, node.value] : [];
		default:
			return [];
	}
}

/**
 * @param {Expression} target
 * @returns {Name | undefined}
 */
function nameOf(target) {
	const line = target.loc?.start.line ?? 0;
	switch (target.type) {
		case "Identifier":
			return { name: target.name, line };
		case "MemberExpression":
			return isNamed(target.base) ? nameOf(target.identifier) : undefined;
		case "IndexExpression":
			return isNamed(target.base) && target.index.type === "StringLiteral"
				? nameOf(target.index)
				: undefined;
		case "StringLiteral": {
			const name = target.raw.slice(1, -1);
			return /^[A-Za-z_]\w*$/.test(name) ? { name, line } : undefined;
		}
		default:
			return undefined;
	}
}

/**
 * Reports whether an expression is a name with names of elements.
 *
 * @param {Expression} expression
 */
function isNamed(expression) {
	return (
		nameOf(expression) !== undefined && expression.type !== "StringLiteral"
	);
}
