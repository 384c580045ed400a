import type {
	DefinitionKind,
	MeantDefinition,
	OccurrenceItem,
} from "../../core/api.js";
import { scipLanguage } from "./languages.js";
import {
	type Document,
	type Occurrence,
	type Range,
	ROLE,
	type SymbolInformation,
} from "./messages.js";
import { symbolOf } from "./symbol.js";

/** The numbers of the kinds in SCIP. */
const KINDS: Record<DefinitionKind, number> = {
	class: 7,
	enum: 11,
	function: 17,
	interface: 21,
	method: 26,
	namespace: 30,
	module: 29,
	type: 55,
};

/** A row of a definition. */
type DefinitionRow = OccurrenceItem & {
	whole: NonNullable<OccurrenceItem["whole"]>;
};

/** Returns the document of a file, from all rows of `occurrences`. */
export function documentOf(
	path: string,
	language: string,
	rows: readonly OccurrenceItem[],
	packageName: string,
): Document {
	const definitions = rows.filter(isDefinition);
	return {
		path,
		language: scipLanguage(language),
		occurrences: occurrencesOf(rows, packageName),
		symbols: definitions.map((row) => informationOf(row, packageName)),
	};
}

function isDefinition(row: OccurrenceItem): row is DefinitionRow {
	return row.whole !== null;
}

/** Returns the occurrences. What is at one place and means one symbol is one, with all its roles. */
function occurrencesOf(
	rows: readonly OccurrenceItem[],
	packageName: string,
): Occurrence[] {
	const found = new Map<string, Occurrence>();
	for (const row of rows) {
		const symbol = symbolOf(row.definition, packageName);
		const key = `${row.line} ${row.start_utf16} ${symbol}`;
		const known = found.get(key);
		const roles = rolesOf(row) | (known?.roles ?? 0);
		const enclosing = enclosingOf(row) ?? known?.enclosing;
		found.set(key, { range: rangeOf(row), symbol, roles, enclosing });
	}
	return [...found.values()];
}

function rolesOf({ kind }: OccurrenceItem): number {
	if (kind === "definition") return ROLE.definition;
	return kind === "import" ? ROLE.import : ROLE.reference;
}

function rangeOf({ line, start_utf16, end_utf16 }: OccurrenceItem): Range {
	return {
		startLine: line - 1,
		start: start_utf16,
		endLine: line - 1,
		end: end_utf16,
	};
}

function enclosingOf({ whole }: OccurrenceItem): Range | undefined {
	if (whole === null || whole.end_utf16 === null) return undefined;
	return {
		startLine: whole.start_line - 1,
		start: whole.start_utf16,
		endLine: whole.end_line - 1,
		end: whole.end_utf16,
	};
}

function informationOf(
	{ definition, whole }: DefinitionRow,
	packageName: string,
): SymbolInformation {
	const isReference = definition.kind === "method";
	return {
		symbol: symbolOf(definition, packageName),
		kind: KINDS[definition.kind],
		name: definition.path.at(-1)?.name ?? "",
		enclosing: enclosingSymbol(definition, packageName),
		signature: whole.signature ?? undefined,
		documentation: whole.docstring ?? undefined,
		implements: whole.implements.map((base) => ({
			symbol: symbolOf(base, packageName),
			isReference,
		})),
	};
}

/** Returns the symbol of the nearest definition around a definition. */
function enclosingSymbol(
	{ file, path }: MeantDefinition,
	packageName: string,
): string | undefined {
	const around = path.slice(0, -1);
	const last = around.findLastIndex(({ kind }) => kind !== null);
	if (last < 0) return undefined;
	return symbolOf({ file, path: around.slice(0, last + 1) }, packageName);
}
