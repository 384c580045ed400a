import { readFileSync } from "node:fs";
import ts from "typescript-api";

/*
 * Finds references by TypeScript's language service.
 */

/** @typedef {{ file: string, line: number, column: number, cause: string }} Mention */

const JAVASCRIPT = /\.[cm]?jsx?$/;

/**
 * Creates a language service over TypeScript and JavaScript files.
 *
 * @param {string} root
 * @param {string[]} files
 */
export function languageService(root, files) {
	/** @type {import("typescript-api").CompilerOptions} */
	const options = {
		allowJs: true,
		checkJs: false,
		jsx: ts.JsxEmit.Preserve,
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler,
		customConditions: ["@zod/source"],
		noEmit: true,
		strict: true,
		target: ts.ScriptTarget.ESNext,
		types: [],
	};
	return ts.createLanguageService({
		getCompilationSettings: () => options,
		getCurrentDirectory: () => root,
		getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
		getScriptFileNames: () => files,
		getScriptSnapshot: (file) => {
			const text = ts.sys.readFile(file);
			return text === undefined
				? undefined
				: ts.ScriptSnapshot.fromString(text);
		},
		getScriptVersion: () => "0",
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		readDirectory: ts.sys.readDirectory,
		directoryExists: ts.sys.directoryExists,
		getDirectories: ts.sys.getDirectories,
	});
}

/**
 * Returns the references to the definition at a place, without its own names and those of its
 * aliases.
 *
 * It omits references to a member of a supertype, a subtype or another object of the same shape.
 *
 * @param {import("typescript-api").LanguageService} service
 * @param {string} file
 * @param {{ line: number, column: number }[]} places of the definition and its overloads
 * @returns {Mention[]}
 */
export function mentionsOf(service, file, places) {
	const program = service.getProgram();
	const source = program?.getSourceFile(file);
	const [first] = places;
	if (!program || !source || !first) return [];
	const offsets = places.map(({ line, column }) =>
		source.getPositionOfLineAndCharacter(line - 1, column),
	);
	const groups = service.findReferences(file, offsets[0] ?? 0) ?? [];
	const own = groups.filter(({ definition }) => {
		const { fileName, kind, textSpan } = definition;
		const isOwn = fileName === file && offsets.includes(textSpan.start);
		return isOwn || kind === ts.ScriptElementKind.alias;
	});
	/** @type {Map<string, Mention>} */
	const found = new Map();
	for (const { fileName, textSpan, isInString } of own.flatMap(
		(group) => group.references,
	)) {
		const at = program.getSourceFile(fileName);
		if (!at || isInString) continue;
		if (fileName === file && offsets.includes(textSpan.start)) continue;
		const node = nodeAt(at, textSpan.start);
		if (!node || !isMention(node)) continue;
		const { line, character } = at.getLineAndCharacterOfPosition(
			textSpan.start,
		);
		const mention = { file: fileName, line: line + 1, column: character };
		found.set(`${fileName}:${textSpan.start}`, {
			...mention,
			cause: causeOf(node),
		});
	}
	return [...found.values()];
}

/**
 * @param {import("typescript-api").SourceFile} source
 * @param {number} position
 */
function nodeAt(source, position) {
	/** @type {import("typescript-api").Node | undefined} */
	let found;
	const visit = (/** @type {import("typescript-api").Node} */ node) => {
		if (position < node.getFullStart() || position >= node.end) return;
		for (const comment of typedComments(node, source)) visit(comment);
		if (position < node.getStart(source)) return;
		found = node;
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/**
 * Returns the documentation comments of a node in which types have a meaning: those of JavaScript.
 *
 * @param {import("typescript-api").Node} node
 * @param {import("typescript-api").SourceFile} source
 */
function typedComments(node, source) {
	if (!JAVASCRIPT.test(source.fileName)) return [];
	/** @type {import("typescript-api").JSDoc[] | undefined} */
	const own = Reflect.get(node, "jsDoc");
	return own ?? [];
}

/**
 * Reports whether a name is a reference: not a declaration, and not in a string or in the text of a
 * comment.
 *
 * @param {import("typescript-api").Node} node
 */
function isMention(node) {
	if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return false;
	const { parent } = node;
	const isInText =
		ts.isJSDoc(parent) ||
		ts.isJSDocLinkLike(parent) ||
		ts.isJSDocMemberName(parent);
	if (isInText) return false;
	if (ts.isJSDocTypedefTag(parent)) return false;
	const isGiven =
		(ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) &&
		parent.propertyName !== undefined &&
		parent.name === node;
	const isNamed =
		(ts.isPropertyAssignment(parent) ||
			ts.isFunctionLike(parent) ||
			(ts.isVariableDeclaration(parent) && !isRequire(parent)) ||
			ts.isClassLike(parent) ||
			ts.isTypeAliasDeclaration(parent) ||
			ts.isInterfaceDeclaration(parent) ||
			ts.isPropertyDeclaration(parent) ||
			ts.isPropertySignature(parent) ||
			ts.isNamespaceExport(parent) ||
			ts.isNamespaceImport(parent)) &&
		parent.name === node;
	return !isGiven && !isNamed;
}

/**
 * Reports whether a variable is an import by `require`.
 *
 * @param {import("typescript-api").VariableDeclaration} declaration
 */
function isRequire({ initializer }) {
	return (
		initializer !== undefined &&
		ts.isCallExpression(initializer) &&
		ts.isIdentifier(initializer.expression) &&
		initializer.expression.text === "require"
	);
}

/**
 * Describes the kind of a reference.
 *
 * @param {import("typescript-api").Node} node
 */
function causeOf(node) {
	const { parent } = node;
	if (ts.isPropertyAccessExpression(parent) && parent.name === node)
		return `member of ${receiver(parent.expression)}`;
	if (ts.isQualifiedName(parent)) return "member of a namespace in a type";
	if (ts.isBindingElement(parent)) return "taken out of an object";
	if (ts.isShorthandPropertyAssignment(parent)) return "shorthand in an object";
	if (ts.isImportSpecifier(parent) || ts.isImportClause(parent))
		return "imported";
	if (ts.isExportSpecifier(parent)) return "exported again";
	if (ts.isTypeNode(parent)) return "a type";
	return "a name by itself";
}

/** @param {import("typescript-api").Expression} expression */
function receiver(expression) {
	switch (expression.kind) {
		case ts.SyntaxKind.ThisKeyword:
			return "`this`";
		case ts.SyntaxKind.Identifier:
			return "a variable or parameter";
		case ts.SyntaxKind.CallExpression:
			return "what a call gives";
		case ts.SyntaxKind.NewExpression:
			return "what is constructed";
		case ts.SyntaxKind.PropertyAccessExpression:
			return "a member";
		default:
			return "another expression";
	}
}

/** The maximum number of assignments to follow from a variable. */
const STEPS = 5;

/**
 * Returns the kind of definition that the service finds for a name; `alias` for a variable with the
 * definition as its value, whose uses the service counts only for the variable; `undefined` if it
 * finds none.
 *
 * @param {import("typescript-api").LanguageService} service
 * @param {{ file: string, line: number, column: number }} mention
 * @param {{ file: string, places: { line: number, column: number }[] }} asked
 */
export function meaningAt(service, mention, asked) {
	const program = service.getProgram();
	const offsetOf = (
		/** @type {{ file: string, line: number, column: number }} */ at,
	) =>
		program
			?.getSourceFile(at.file)
			?.getPositionOfLineAndCharacter(at.line - 1, at.column) ?? 0;
	const asking = program?.getSourceFile(asked.file);
	const lineAt = (/** @type {number} */ offset) =>
		(asking?.getLineAndCharacterOfPosition(offset).line ?? 0) + 1;
	const lines = asked.places.map((at) => at.line);
	if (program && isMemberOfConstant(program, mention, asked)) return "alias";
	let at = { fileName: mention.file, start: offsetOf(mention) };
	let kind;
	for (let step = 0; step < STEPS; step += 1) {
		const found = service.getDefinitionAtPosition(at.fileName, at.start) ?? [];
		const [first] = found;
		if (!first) return kind;
		kind ??= first.kind;
		// A reference without a name of its own is at another position of its line.
		const isOwn = found.some(
			({ fileName, textSpan }) =>
				fileName === asked.file && lines.includes(lineAt(textSpan.start)),
		);
		if (isOwn) return "alias";
		const source = program?.getSourceFile(first.fileName);
		const given = source && givenTo(nodeAt(source, first.textSpan.start));
		if (!given) return kind;
		at = { fileName: first.fileName, start: given };
	}
	return kind;
}

/**
 * Reports whether a name is a member of a constant whose value is an object with the definition.
 * The service counts it only for the type that the constant declares.
 *
 * @param {import("typescript-api").Program} program
 * @param {{ file: string, line: number, column: number }} mention
 * @param {{ file: string, places: { line: number, column: number }[] }} asked
 */
function isMemberOfConstant(program, mention, asked) {
	const source = program.getSourceFile(mention.file);
	const access =
		source &&
		nodeAt(
			source,
			source.getPositionOfLineAndCharacter(mention.line - 1, mention.column),
		)?.parent;
	if (!access || !ts.isPropertyAccessExpression(access)) return false;
	const checker = program.getTypeChecker();
	const named = checker.getSymbolAtLocation(access.expression);
	const symbol =
		named && named.flags & ts.SymbolFlags.Alias
			? checker.getAliasedSymbol(named)
			: named;
	const declaration = symbol?.valueDeclaration;
	if (!declaration || !ts.isVariableDeclaration(declaration)) return false;
	const value = declaration.initializer;
	const isConstant =
		ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const &&
		declaration.getSourceFile().fileName === asked.file;
	if (!isConstant || !value || !ts.isObjectLiteralExpression(value))
		return false;
	const file = declaration.getSourceFile();
	const offsets = asked.places.map(({ line, column }) =>
		file.getPositionOfLineAndCharacter(line - 1, column),
	);
	return value.properties.some(
		({ name }) => name && offsets.includes(name.getStart()),
	);
}

/**
 * Returns the position of the last name in a variable's value, if the value is a name.
 *
 * @param {import("typescript-api").Node | undefined} name
 */
function givenTo(name) {
	const declaration = name?.parent;
	if (!declaration) return undefined;
	const isVariable =
		ts.isVariableDeclaration(declaration) ||
		ts.isPropertyAssignment(declaration);
	const given = isVariable ? declaration.initializer : undefined;
	if (given && ts.isIdentifier(given)) return given.getStart();
	if (given && ts.isPropertyAccessExpression(given))
		return given.name.getStart();
	return undefined;
}

export function lineOf(/** @type {string} */ file, /** @type {number} */ line) {
	return readFileSync(file, "utf8").split("\n")[line - 1]?.trim() ?? "";
}
