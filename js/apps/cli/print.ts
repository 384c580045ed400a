import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import pc from "picocolors";
import supportsHyperlinks from "supports-hyperlinks";
import type {
	AgentResult,
	BuildResult,
	Definition,
	FilesResult,
	LineageItem,
	LineageResult,
	NavItem,
	OutlineItem,
	Passage,
	RagResult,
	RagToolMeta,
	RouteDecision,
	SearchResult,
	StatusResult,
	WhereUsedResult,
} from "../../entries/node.js";

/** Why an index that is there is not used for everything. */
const PARTLY_USED: ReadonlySet<RouteDecision["reason"]> = new Set([
	"INDEX_NOT_FRESH",
	"HEAD_UNKNOWN",
	"COMMIT_UNKNOWN",
	"HEAD_MOVED",
	"FILES_CHANGED",
]);

/** Changed files that a build names to a person. */
const SHOWN_CHANGES = 10;
/** And in a line of a build that came after others. */
const SHOWN_UPDATES = 3;

const MARKS = { added: "+", changed: "~", removed: "-" } as const;

/** The rows of a search for a person: place and symbol, the line with the match marked, and what it rests on. */
export function printSearch(result: SearchResult, root: string): string {
	const rows = result.items.map((item) => searchRow(item, root));
	return [...rows, ...skippedLine(result), pageSummary(result)].join("\n");
}

/** References for a person: the definitions, then place, kind and symbol of each with its line. */
export function printWhereUsed(result: WhereUsedResult, root: string): string {
	const definitions = result.definitions.map(
		(found) =>
			`${pc.dim(found.kind)} ${pc.bold(shortId(found.symbol))}  ${place(root, found.file, found.start_line)}`,
	);
	const rows = result.items.map((item) => searchRow(item, root));
	return [...definitions, ...rows, pageSummary(result)].join("\n");
}

/** A lineage for a person: a tree of symbols, each with the place where the step to it is taken. */
export function printLineage(result: LineageResult, root: string): string {
	const definitions = result.definitions.map(
		(found) =>
			`${pc.bold(shortId(found.symbol))}  ${place(root, found.file, found.start_line)}`,
	);
	const sorted = [...result.items].sort((a, b) =>
		treeKey(a) < treeKey(b) ? -1 : 1,
	);
	const rows = sorted.map((item) => {
		const far =
			item.via.length < item.depth ? undefined : item.via[item.via.length - 1];
		const name = far === undefined ? pc.dim("module level") : shortId(far);
		const doubt = item.resolution === "candidate" ? pc.yellow(" ?") : "";
		const at = place(root, item.file, item.line, item.start_utf16 + 1);
		return `${"  ".repeat(item.depth)}${pc.dim(item.edge)} ${name}${doubt}  ${at}`;
	});
	return [...definitions, ...rows, pageSummary(result)].join("\n");
}

/** Brings the steps of a lineage under the steps that they follow. */
function treeKey({ via, file, line }: LineageItem): string {
	return `${via.join(" ")} ${file} ${String(line).padStart(9, "0")}`;
}

/** Passages for a person, each under the place it stands at. */
export function printAnswer(result: AgentResult, root: string): string {
	const rows = result.items.map((passage) => {
		const { citation, match } = passage;
		const title = pc.bold(printable(titleOf(passage)));
		const at =
			citation === null
				? ""
				: `  ${place(root, citation.path, citation.start_line ?? undefined)}`;
		const news =
			match === null || match === "exact" ? "" : pc.yellow(` ${match}`);
		const text = "content" in passage ? `\n${indented(passage.content)}` : "";
		return `${title}${at}${news}${text}`;
	});
	if (result.omitted > 0) {
		rows.push(
			pc.dim(`… and ${result.omitted} more that do not fit (--budget)`),
		);
	} else if (result.truncated) {
		rows.push(pc.dim("… the last text is cut (--budget)"));
	}
	return [
		...rows,
		summary(result.meta, count(result.items.length, "passage")),
	].join("\n");
}

/** A note's section is told by its heading; code's heading is its title. */
function titleOf({ id, title, citation }: Passage): string {
	const heading = citation?.heading ?? title;
	return heading === title ? (title ?? id) : `${title} › ${heading}`;
}

function indented(text: string): string {
	return text
		.trimEnd()
		.split("\n")
		.map((line) => `    ${printable(line)}`)
		.join("\n");
}

/** Definitions for a person, one a line. */
export function printDefinitions(
	result: RagResult<Definition>,
	root: string,
): string {
	const rows = result.items.map((item) => {
		const lines = pc.dim(`lines ${item.start_line}–${item.end_line}`);
		const isNews = item.match !== null && item.match !== "exact";
		const found = isNews ? `  ${pc.yellow(item.match ?? "")}` : "";
		return `${place(root, item.file, item.start_line)}  ${pc.dim(item.kind)} ${pc.bold(shortId(item.symbol))}  ${lines}${found}`;
	});
	return [
		...rows,
		summary(result.meta, count(result.items.length, "definition")),
	].join("\n");
}

/** Prints the definitions of a file as a tree, each with its kind and lines. */
export function printOutline(
	result: RagResult<OutlineItem>,
	root: string,
): string {
	const rows: string[] = [];
	const add = (item: OutlineItem, depth: number): void => {
		const at = place(root, item.file, item.start_line);
		const lines = pc.dim(`lines ${item.start_line}–${item.end_line}`);
		const name = `${"  ".repeat(depth)}${pc.dim(item.kind)} ${pc.bold(printable(item.name))}`;
		rows.push(`${name}  ${at}  ${lines}`);
		for (const child of item.children) add(child, depth + 1);
	};
	for (const item of result.items) add(item, 0);
	return [...rows, summary(result.meta, count(rows.length, "definition"))].join(
		"\n",
	);
}

/** Prints the files that the walk admits, and those it skips with the reason. */
export function printFiles(result: FilesResult, root: string): string {
	const rows = result.items.map(({ file, language, skipped }) => {
		const why = skipped === null ? (language ?? "") : `skipped: ${skipped}`;
		return `${place(root, file)}${why === "" ? "" : pc.dim(`  ${why}`)}`;
	});
	return [...rows, pageSummary(result)].join("\n");
}

/** What a build did, for a person. */
export function printBuild(result: BuildResult, check: boolean): string {
	if (result.meta.status === "ERROR") {
		return summary(result.meta, "");
	}
	const rows = result.items
		.slice(0, SHOWN_CHANGES)
		.map(({ file, change }) => `${pc.dim(MARKS[change])} ${printable(file)}`);
	const more = result.items.length - rows.length;
	if (more > 0) {
		rows.push(
			pc.dim(`… and ${count(more, "further file")} (--json names all)`),
		);
	}
	const { added, changed, removed, unchanged, skipped } = result.counts;
	const files = `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged, ${skipped} skipped`;
	const { exact, moved, renamed, ambiguous, lost } = result.enrichment;
	const known = exact + moved + renamed + ambiguous + lost;
	if (known > 0) {
		rows.push(
			pc.dim(
				`known symbols found again: ${exact} exact, ${moved} moved, ${renamed} renamed, ${ambiguous} ambiguous, ${lost} lost`,
			),
		);
	}
	const what = result.up_to_date
		? "up to date"
		: check
			? "a build would change the index"
			: "the index is built";
	return [
		...rows,
		`${pc.bold(what)} · ${files}`,
		summary(result.meta, count(unchanged + added + changed, "file")),
	].join("\n");
}

/** What a build did that came after others, for a person: one line. */
export function printUpdate(result: BuildResult): string {
	const named = result.items.slice(0, SHOWN_UPDATES);
	const files = named.map(
		({ file, change }) => `${MARKS[change]} ${printable(file)}`,
	);
	const more = result.items.length - named.length;
	if (more > 0) files.push(`and ${count(more, "further file")}`);
	return summary(result.meta, files.join(", "));
}

/** Files that differ from the index, for a person; those that are as they were indexed are counted. */
export function printStatus(
	result: StatusResult,
	root: string,
	limit: number,
): string {
	if (result.meta.status === "ERROR") {
		return summary(result.meta, "");
	}
	const marks = {
		added: pc.green("added"),
		changed: pc.yellow("changed"),
		removed: pc.red("removed"),
		unknown: pc.red("unknown"),
	} as const;
	const rows: string[] = [];
	const unchanged = { stat: 0, other: 0 };
	let skipped = 0;
	for (const { file, verdict, proof, reason } of result.items) {
		if (verdict === "unchanged") {
			unchanged[proof === "stat" ? "stat" : "other"] += 1;
		} else if (verdict === "skipped") {
			skipped += 1;
		} else {
			const why = reason === null ? proof : reason;
			rows.push(`${marks[verdict]} ${place(root, file)} ${pc.dim(`(${why})`)}`);
		}
	}
	const shown = rows.slice(0, limit);
	if (shown.length < rows.length) {
		shown.push(pc.dim(`… and ${rows.length - shown.length} more (--limit)`));
	}
	const proven = `${unchanged.stat} unchanged by their stamp, ${unchanged.other} by their content`;
	return [
		...shown,
		pc.dim(`${proven}, ${skipped} skipped`),
		pc.dim(`${Math.ceil(result.wasm_memory_bytes / 1e6)} MB of WebAssembly`),
		summary(result.meta, count(rows.length, "difference")),
	].join("\n");
}

/** The route for a person. */
export function printRoute(route: RouteDecision): string {
	const use = route.use_rag
		? pc.green("the index may be used")
		: pc.yellow(
				PARTLY_USED.has(route.reason)
					? "the index answers for files that are proven unchanged, the others are read live"
					: "answers come from the live files",
			);
	const lines = [`${freshness(route.freshness_state)} ${route.reason}: ${use}`];
	lines.push(`HEAD     ${told(route.head, pc.dim("none"))}`);
	if (route.git_root) {
		lines.push(`git root ${printable(route.git_root)}`);
	}
	if (route.status !== null) {
		const { index_state, last_indexed_commit, last_indexed_at } = route.status;
		lines.push(
			`index    ${printable(index_state)}, of commit ${told(last_indexed_commit, "unknown")}, built ${told(last_indexed_at, "at an unknown time")}`,
		);
	}
	return lines.join("\n");
}

/** What somebody else wrote, or what stands for it where it is not known. */
function told(text: string | null | undefined, unknown: string): string {
	return text ? printable(text) : unknown;
}

function searchRow(item: NavItem, root: string): string {
	const at = place(root, item.file, item.line, item.start_utf16 + 1);
	const symbol = item.symbol === null ? "" : shownSymbol(item, item.symbol);
	const kind = item.kind === "text" ? "" : pc.dim(`  ${item.kind}`);
	const doubt = item.resolution === "candidate" ? pc.yellow("  ?") : "";
	const summary = item.enrichment?.summary;
	const known = summary ? `\n    ${pc.dim(`“${printable(summary)}”`)}` : "";
	return `${at}${kind}${doubt}${symbol}\n    ${marked(item)}${known}`;
}

/** The symbol around a row; a definition is the symbol itself. */
function shownSymbol({ kind }: NavItem, symbol: string): string {
	const id = shortId(symbol);
	return kind === "definition" ? `  ${pc.bold(id)}` : pc.dim(`  in ${id}`);
}

/** The hit's line with the match marked; a line that was cut is shown as it was cut. */
function marked(item: NavItem): string {
	const shown =
		item.snippet.text.split("\n")[
			item.line - item.snippet.location.start_line
		] ?? "";
	const whole = !shown.startsWith("…") && !shown.endsWith("…");
	if (!whole) {
		return printable(shown.trim());
	}
	const before = printable(shown.slice(0, item.start_utf16)).trimStart();
	const match = printable(shown.slice(item.start_utf16, item.end_utf16));
	return (
		before +
		pc.bold(pc.red(match)) +
		printable(shown.slice(item.end_utf16)).trimEnd()
	);
}

/** Text of a file or of an index, without what would steer the terminal or turn round the order of what is shown. */
export function printable(text: string): string {
	return text.replaceAll(STEERING, (letter) =>
		letter === "\t" ? "  " : "\ufffd",
	);
}

/** Control characters, and those that override or isolate a direction: they reach beyond the text that they are in. */
const STEERING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** `file:line`, to be clicked on: a link where the terminal knows links, else relative to the working folder. */
function place(
	root: string,
	file: string,
	line?: number,
	column?: number,
): string {
	const path = join(root, file);
	const shown = printable(relative(process.cwd(), path) || file);
	const at = line === undefined ? "" : `:${pc.green(String(line))}`;
	const text = `${pc.magenta(shown)}${at}${column === undefined ? "" : `:${column}`}`;
	if (!supportsHyperlinks.stdout) {
		return text;
	}
	return `\u001B]8;;${pathToFileURL(path).href}\u0007${text}\u001B]8;;\u0007`;
}

function shortId(symbol: string): string {
	return printable(symbol.replace(/^sym:/, ""));
}

function pageSummary(
	result: SearchResult | WhereUsedResult | LineageResult | FilesResult,
): string {
	const shown = count(result.items.length, "row");
	const rows = !result.truncated
		? shown
		: result.total === null
			? `${shown}, and there may be more`
			: `${result.items.length} of ${result.total} rows`;
	const next =
		result.cursor === null
			? ""
			: `\n${pc.dim(`next page: --cursor ${result.cursor}`)}`;
	return summary(result.meta, rows) + next;
}

function summary(meta: RagToolMeta, rows: string): string {
	if (meta.status === "ERROR") {
		return `${pc.red(pc.bold("ERROR"))} ${meta.error_code}: ${printable(meta.message ?? "")}`;
	}
	const files = meta.files === null ? "" : ` ${fileCounts(meta.files)}`;
	const message = meta.message === null ? "" : ` · ${printable(meta.message)}`;
	const route = `${meta.status} ${freshness(meta.freshness_state)}${meta.reason === null ? "" : ` ${meta.reason}`}`;
	return `${pc.bold(rows)} · ${route}${message}${files}`;
}

function fileCounts(files: NonNullable<RagToolMeta["files"]>): string {
	const skipped = files.skipped === 0 ? "" : `, ${files.skipped} skipped`;
	return pc.dim(`(${count(files.graph + files.live, "file")}${skipped})`);
}

function skippedLine(result: SearchResult): string[] {
	const names = result.skipped
		.slice(0, 3)
		.map(({ file, reason }) => `${printable(file)} (${reason})`);
	if (names.length === 0) {
		return [];
	}
	const all = result.meta.files?.skipped ?? names.length;
	const rest =
		all > names.length
			? `, and ${all - names.length} more (--json names 20)`
			: "";
	return [pc.dim(`skipped: ${names.join(", ")}${rest}`)];
}

function freshness(state: RagToolMeta["freshness_state"]): string {
	return { FRESH: pc.green, STALE: pc.red, UNKNOWN: pc.yellow }[state](state);
}

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
