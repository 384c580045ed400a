import type {
	Definition,
	LineageItem,
	OutlineItem,
} from "../../../core/api.js";
import { succeeded } from "./failures.js";
import type { FilesOfRequest } from "./files-of-request.js";
import { grouped } from "./grouped.js";
import { allSteps } from "./pages.js";
import type { Settings } from "./settings.js";
import { isType } from "./symbols.js";

/** The types that are followed from one. */
const MAX_TYPES = 1000;

/** A definition with the rows that lead to it. */
export interface Related {
	definition: Definition;
	rows: LineageItem[];
}

/** What leads to a definition. */
export interface Leading {
	/** The definitions that do. */
	inside: Related[];
	/** The rows outside of every definition, such as an `impl` of Rust or a call of a module. */
	outside: LineageItem[];
}

/** Returns what directly inherits from a type. */
export function subtypes(
	files: FilesOfRequest,
	definition: Definition,
	settings: Settings,
): Promise<Leading> {
	return leading(files, definition, "extends", settings);
}

/** Returns the types from which one directly inherits. */
export async function supertypes(
	files: FilesOfRequest,
	definition: Definition,
	settings: Settings,
): Promise<Definition[]> {
	const rows = await steps(
		files,
		definition,
		"downstream",
		"extends",
		settings,
	);
	return (await meant(files, rows)).map((found) => found.definition);
}

/** Returns what calls a definition, with the calls. */
export function callers(
	files: FilesOfRequest,
	definition: Definition,
	settings: Settings,
): Promise<Leading> {
	return leading(files, definition, "calls", settings);
}

/** Returns the definitions that one calls, with its calls. */
export async function callees(
	files: FilesOfRequest,
	definition: Definition,
	settings: Settings,
): Promise<Related[]> {
	const rows = await steps(files, definition, "downstream", "calls", settings);
	return meant(files, rows);
}

/** Returns all that inherits from a type, directly or through others. */
export async function allSubtypes(
	files: FilesOfRequest,
	definition: Definition,
	settings: Settings,
): Promise<{ types: Definition[]; outside: LineageItem[] }> {
	const types = new Map<string, Definition>([[keyOf(definition), definition]]);
	const outside: LineageItem[] = [];
	for (const type of types.values()) {
		const found = await subtypes(files, type, settings);
		outside.push(...found.outside);
		for (const { definition } of found.inside) {
			if (types.size <= MAX_TYPES) types.set(keyOf(definition), definition);
		}
	}
	types.delete(keyOf(definition));
	return { types: [...types.values()], outside };
}

/** Returns the methods that override one, in the types that inherit from its type. */
export async function overrides(
	files: FilesOfRequest,
	method: Definition,
	settings: Settings,
): Promise<Definition[]> {
	const type = parentOf(await files.outline(method.file), method);
	if (type === undefined || !isType(type.parent.kind)) return [];
	const found: Definition[] = [];
	const { types } = await allSubtypes(files, type.parent, settings);
	for (const subtype of types) {
		const { file, start_line, symbol } = subtype;
		const item = await files.definitionAround(file, start_line, symbol);
		const children = item?.children ?? [];
		found.push(...children.filter(({ name }) => name === type.child.name));
	}
	return found;
}

async function leading(
	files: FilesOfRequest,
	definition: Definition,
	edge: LineageItem["edge"],
	settings: Settings,
): Promise<Leading> {
	const rows = await steps(files, definition, "upstream", edge, settings);
	return {
		inside: await enclosing(files, rows),
		outside: rows.filter(({ symbol }) => symbol === null),
	};
}

async function steps(
	files: FilesOfRequest,
	definition: Definition,
	direction: "upstream" | "downstream",
	edge: LineageItem["edge"],
	{ references }: Settings,
): Promise<LineageItem[]> {
	const subject = await files.subject(definition);
	const { repository, call } = files;
	const { answer, rows } = await allSteps(repository, subject, direction, call);
	succeeded(answer);
	return rows.filter(
		(row) =>
			row.edge === edge &&
			(references === "all" || row.resolution === "resolved"),
	);
}

/** Returns the definitions in which rows stand. */
async function enclosing(
	files: FilesOfRequest,
	rows: readonly LineageItem[],
): Promise<Related[]> {
	const found = rows.map(async (row) => {
		const { file, line, symbol } = row;
		const definition =
			symbol === null
				? undefined
				: await files.definitionAround(file, line, symbol);
		return definition && { definition, rows: [row] };
	});
	return merged(await Promise.all(found));
}

/** Returns the definitions that the names of rows mean. */
async function meant(
	files: FilesOfRequest,
	rows: readonly LineageItem[],
): Promise<Related[]> {
	const { nav } = files.repository;
	// Rows that lead to the same symbol mean the same definitions.
	const bySymbol = grouped(rows, ({ via }) => via.at(-1));
	const found = [...bySymbol.values()].map(async (group) => {
		const [{ file, line, start_utf16 }] = group;
		const place = `${file}:${line}:${start_utf16 + 1}`;
		const { items } = succeeded(await nav.definition(place, files.call));
		return items.map((definition) => ({ definition, rows: group }));
	});
	return merged((await Promise.all(found)).flat());
}

function merged(found: readonly (Related | undefined)[]): Related[] {
	const all = new Map<string, Related>();
	for (const related of found) {
		if (related === undefined) continue;
		const key = keyOf(related.definition);
		const rows = [...(all.get(key)?.rows ?? []), ...related.rows];
		all.set(key, { definition: related.definition, rows });
	}
	return [...all.values()];
}

function keyOf({ file, symbol, ordinal }: Definition): string {
	return JSON.stringify([file, symbol, ordinal]);
}

/** Returns a definition in a tree, with the one around it. */
function parentOf(
	items: readonly OutlineItem[],
	wanted: Definition,
): { parent: OutlineItem; child: OutlineItem } | undefined {
	for (const parent of items) {
		const child = parent.children.find((one) => keyOf(one) === keyOf(wanted));
		if (child !== undefined) return { parent, child };
		const deeper = parentOf(parent.children, wanted);
		if (deeper !== undefined) return deeper;
	}
	return undefined;
}
