import type { Direction, PassageKind, SearchMode } from "../../../core/api.js";

export const PANELS = [
	"search",
	"outline",
	"used",
	"lineage",
	"changes",
	"ask",
] as const;
export type Panel = (typeof PANELS)[number];

/** The pane that a narrow window shows. */
export const VIEWS = ["files", "results", "source"] as const;
export type View = (typeof VIEWS)[number];

/** The place that the source pane shows. */
export type Place =
	| { kind: "none" }
	| { kind: "file"; file: string; line: number | null }
	| { kind: "symbol"; symbol: string };

/** The content of the page's address. */
export interface Route {
	place: Place;
	query: string;
	mode: SearchMode;
	panel: Panel;
	/** The subject of `used` and `lineage`: a symbol, or a place as `file:line:column`. */
	subject: string;
	direction: Direction;
	depth: number;
	/** The commit with which the files are compared. */
	since: string;
	question: string;
	/** The kind of passages that a question is about; `null` for all. */
	only: PassageKind | null;
	view: View;
}

const MODES: readonly SearchMode[] = ["literal", "regex", "ranked"];
const DIRECTIONS: readonly Direction[] = ["upstream", "downstream"];
export const PASSAGE_KINDS: readonly PassageKind[] = ["code", "docs", "tests"];
export const DEPTHS: readonly number[] = [1, 2, 3, 4];
const DEFAULT_DEPTH = 2;
/** The name of the commit that is checked out. */
export const LAST_COMMIT = "HEAD";

/**
 * Parses an address: `#/src/a.py:12?q=total&mode=ranked`, `#/sym:src.a.f`. Defaults replace unknown
 * values.
 */
export function parseRoute(hash: string): Route {
	const [path = "", parameters = ""] = splitOnce(
		hash.replace(/^#\/?/, ""),
		"?",
	);
	const values = new URLSearchParams(parameters);
	const place = parsePlace(decoded(path));
	const query = values.get("q") ?? "";
	return {
		place,
		query,
		mode: oneOf(MODES, values.get("mode")) ?? "literal",
		panel: oneOf(PANELS, values.get("panel")) ?? defaultPanel(place),
		subject: values.get("of") ?? defaultSubject(place),
		direction: oneOf(DIRECTIONS, values.get("direction")) ?? "upstream",
		depth: oneOf(DEPTHS, Number(values.get("depth"))) ?? DEFAULT_DEPTH,
		since: values.get("since") || LAST_COMMIT,
		question: values.get("question") ?? "",
		only: oneOf(PASSAGE_KINDS, values.get("only")) ?? null,
		view: oneOf(VIEWS, values.get("view")) ?? defaultView(place, query),
	};
}

/** Returns the address of a route, without the values that are defaults. */
export function routeHash(route: Route): string {
	const { place, query, mode, panel, subject, direction, depth } = route;
	const { since, question, only, view } = route;
	const values: [string, string, boolean][] = [
		["q", query, query === ""],
		["mode", mode, mode === "literal"],
		["panel", panel, panel === defaultPanel(place)],
		["of", subject, subject === defaultSubject(place)],
		["direction", direction, direction === "upstream"],
		["depth", String(depth), depth === DEFAULT_DEPTH],
		["since", since, since === LAST_COMMIT],
		["question", question, question === ""],
		["only", only ?? "", only === null],
		["view", view, view === defaultView(place, query)],
	];
	const parameters = values
		.filter(([, , isDefault]) => !isDefault)
		.map(([name, value]) => `${name}=${readable(value)}`);
	const tail = parameters.length > 0 ? `?${parameters.join("&")}` : "";
	return `#/${placeText(place)}${tail}`;
}

/** Reports whether two places are the same. */
export function isSamePlace(one: Place, other: Place): boolean {
	return placeText(one) === placeText(other);
}

function parsePlace(text: string): Place {
	if (text === "") return { kind: "none" };
	if (text.startsWith("sym:")) return { kind: "symbol", symbol: text };
	// The column that editors and answers print is ignored.
	const [, file = text, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(text) ?? [];
	return { kind: "file", file, line: line ? Number(line) : null };
}

function placeText(place: Place): string {
	if (place.kind === "none") return "";
	if (place.kind === "symbol") return readable(place.symbol);
	const { file, line } = place;
	return `${readable(file)}${line ? `:${line}` : ""}`;
}

function defaultPanel({ kind }: Place): Panel {
	return kind === "symbol" ? "used" : "search";
}

function defaultSubject(place: Place): string {
	return place.kind === "symbol" ? place.symbol : "";
}

/** Returns the pane of a route that names none. */
export function defaultView({ kind }: Place, query: string): View {
	return kind === "none" && query !== "" ? "results" : "source";
}

/** Encodes a text, except for the two characters that make addresses readable. */
function readable(text: string): string {
	return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%3A", ":");
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function splitOnce(text: string, mark: string): string[] {
	const at = text.indexOf(mark);
	return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function oneOf<T>(values: readonly T[], value: unknown): T | undefined {
	return values.find((one) => one === value);
}
