import type {
	DefinitionKind,
	MeantDefinition,
	PathPart,
} from "../../core/api.js";

/** The name of the scheme of these symbols. */
const SCHEME = "ragnav";

/** Stands for an empty name, which the grammar does not have. */
const NO_NAME = "<no name>";

/** How the grammar of SCIP ends a name of each kind. */
type Suffix = "/" | "#" | "." | "().";

const SUFFIXES: Record<DefinitionKind, Suffix> = {
	namespace: "/",
	module: "/",
	class: "#",
	interface: "#",
	enum: "#",
	type: "#",
	function: "().",
	method: "().",
};

/**
 * Returns the symbol of a definition: its file as namespaces, then the names on the way to it. So
 * two files that have the same module have different symbols.
 */
export function symbolOf(
	{ file, path }: Pick<MeantDefinition, "file" | "path">,
	packageName: string,
): string {
	const folders = file.split("/").map((name) => `${escapeName(name)}/`);
	const names = path.map(descriptorOf);
	const owner = packageName === "" ? "." : packageName.replaceAll(" ", "  ");
	return `${SCHEME} . ${owner} . ${[...folders, ...names].join("")}`;
}

/** Returns the descriptor of a name. A later definition of the same name has its ordinal. */
function descriptorOf({ name, kind, ordinal }: PathPart): string {
	const suffix = kind === null ? "." : SUFFIXES[kind];
	const later = ordinal === 0 ? "" : `+${ordinal}`;
	if (suffix === "().") return `${escapeName(name)}(${later}).`;
	return `${escapeName(name + later)}${suffix}`;
}

/** Returns a name in backticks unless it has none but the characters of simple identifiers. */
function escapeName(name: string): string {
	const shown = name === "" ? NO_NAME : name;
	if (/^[\w+$-]+$/.test(shown)) return shown;
	return `\`${shown.replaceAll("`", "``")}\``;
}
