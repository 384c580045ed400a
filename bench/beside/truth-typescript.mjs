import { join, relative } from "node:path";
import ts from "typescript-api";
import { filesUnder } from "../../js/build/cache.mjs";
import {
	languageService,
	meaningAt,
	mentionsOf,
} from "../links_truth_typescript.mjs";

/** @typedef {import("typescript-api").Node} Node */
/** @typedef {import("typescript-api").SourceFile} SourceFile */
/** @typedef {import("./corpora.mjs").Kind} Kind */
/** @typedef {import("./corpora.mjs").Place} Place */
/** @typedef {import("./corpora.mjs").Declaration} Declaration */
/** @typedef {{ line: number, column: number }} Position a line from 1, a column from 0 */
/** @typedef {{ name: string, kind: Kind, file: string, places: Position[] }} Declared */

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
const TEST = /(^|\/)(tests?|__tests__|benchmarks)\/|\.test\.|\.spec\./;
const IMPORTS = ["imported", "exported again"];
/** The lines after the start of a statement that may hold the name that a row means. */
export const LINES_AFTER = 5;

/**
 * Asks TypeScript's language service for the declarations of a folder with their uses: functions,
 * classes, interfaces, types and enumerations outside of functions, and methods of classes, in
 * files that are no tests.
 *
 * @param {string} root
 * @returns {Promise<import("./corpora.mjs").Truth>}
 */
export async function typescriptTruth(root) {
	const files = filesUnder(root).filter(
		(file) => SOURCE.test(file) && !file.includes("/node_modules/"),
	);
	const service = languageService(root, files);
	const program = service.getProgram();
	const pathOf = (/** @type {string} */ file) =>
		relative(root, file).replaceAll("\\", "/");
	/** @type {Set<string>} */
	const imports = new Set();
	const declarations = files
		.filter((file) => !TEST.test(pathOf(file)))
		.flatMap((file) => {
			const source = program?.getSourceFile(file);
			return source ? declaredIn(source) : [];
		})
		.flatMap(({ name, kind, file, places }) => {
			const [first] = places;
			if (!first) return [];
			const mentions = mentionsOf(service, file, places);
			for (const { file, line, cause } of mentions)
				if (IMPORTS.includes(cause)) imports.add(`${pathOf(file)}:${line}`);
			/** @type {Place[]} */
			const uses = mentions
				.filter(({ cause }) => !IMPORTS.includes(cause))
				.map(({ file, line }) => [pathOf(file), line]);
			return [{ name, kind, file: pathOf(file), ...first, places, uses }];
		});
	/** @type {import("./corpora.mjs").Truth["meaningOf"]} */
	const meaningOf = (declaration, [file, line]) => {
		if (imports.has(`${file}:${line}`)) return "import";
		const source = program?.getSourceFile(join(root, file));
		if (!source) return "unknown";
		const asked = {
			file: join(root, declaration.file),
			places: /** @type {Declared} */ (/** @type {unknown} */ (declaration))
				.places,
		};
		const meanings = namesFrom(source, line, declaration.name).map((at) =>
			meaningAt(service, { file: source.fileName, ...at }, asked),
		);
		const isUnsure = meanings.some((each) => !each || each === "alias");
		return isUnsure ? "unknown" : "other";
	};
	return {
		name: `the language service of TypeScript ${ts.version}`,
		declarations,
		meaningOf,
	};
}

/**
 * @param {SourceFile} source
 * @returns {Declared[]}
 */
function declaredIn(source) {
	/** @type {Map<string, Declared>} */
	const found = new Map();
	const visit = (/** @type {Node} */ node, /** @type {string} */ holder) => {
		const declared = kindOf(node);
		if (declared) {
			const { name, kind } = declared;
			const key = `${holder}.${name.text}`;
			const one = found.get(key) ?? {
				...{ name: name.text, kind },
				...{ file: source.fileName, places: [] },
			};
			one.places.push(positionOf(source, name.getStart(source)));
			found.set(key, one);
			if (kind !== "type") return;
		}
		if (ts.isFunctionLike(node)) return;
		const inner = ts.isClassLike(node)
			? `${holder}.${node.name?.text}`
			: holder;
		ts.forEachChild(node, (child) => visit(child, inner));
	};
	visit(source, "");
	return [...found.values()];
}

/**
 * @param {Node} node
 * @returns {{ name: import("typescript-api").Identifier, kind: Kind } | undefined}
 */
function kindOf(node) {
	const kind = declaredKind(node);
	if (!kind) return undefined;
	const { name } = /** @type {import("typescript-api").NamedDeclaration} */ (
		node
	);
	return name && ts.isIdentifier(name) ? { name, kind } : undefined;
}

/**
 * @param {Node} node
 * @returns {Kind | undefined}
 */
function declaredKind(node) {
	if (ts.isFunctionDeclaration(node)) return "function";
	if (ts.isMethodDeclaration(node))
		return ts.isClassLike(node.parent) ? "method" : undefined;
	const isType =
		ts.isClassDeclaration(node) ||
		ts.isInterfaceDeclaration(node) ||
		ts.isTypeAliasDeclaration(node) ||
		ts.isEnumDeclaration(node);
	if (isType) return "type";
	const value = ts.isVariableDeclaration(node) ? node.initializer : undefined;
	const isFunction =
		value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
	return isFunction ? "function" : undefined;
}

/**
 * Returns the places of a name on a line, or else on the first of the next lines that has it.
 *
 * @param {SourceFile} source
 * @param {number} line
 * @param {string} name
 * @returns {Position[]}
 */
function namesFrom(source, line, name) {
	const lines = source.text.split("\n");
	for (let at = line; at <= line + LINES_AFTER; at += 1) {
		const text = lines[at - 1] ?? "";
		const found = [...text.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)]
			.filter(([word]) => word === name)
			.map(({ index }) => ({ line: at, column: index }));
		if (found.length > 0) return found;
	}
	return [];
}

/**
 * @param {SourceFile} source
 * @param {number} offset
 * @returns {Position}
 */
function positionOf(source, offset) {
	const { line, character } = source.getLineAndCharacterOfPosition(offset);
	return { line: line + 1, column: character };
}
