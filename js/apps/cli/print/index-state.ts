import { countWords } from "../../../core/counts.js";
import { describeDifference } from "../../../core/plain-words.js";
import { describeCompilerIndex } from "../../../core/scip/describe-index.js";
import type {
	BuildResult,
	ExtensionCount,
	FileVerdict,
	RouteDecision,
	StatusResult,
} from "../../../entries/node.js";
import { place, printable, type View } from "../view.js";
import type { Printed } from "./queries.js";
import { rootLines } from "./roots.js";
import { summaryLines } from "./summary.js";

/** Changed files that the first line of a build and of an update name. */
const SHOWN_CHANGES = 10;
const SHOWN_UPDATES = 3;

/** The number of extensions that `status` names. */
const SHOWN_EXTENSIONS = 8;

const PARTLY =
	"The index answers for files that are proven unchanged; the others are read live";

/** What answers come from if the index does not answer for all files. */
const WITHOUT_ALL: Partial<Record<RouteDecision["reason"], string>> = {
	NO_STATUS: "No index yet; answers are read live",
	INDEX_NOT_FRESH: PARTLY,
	HEAD_UNKNOWN: PARTLY,
	COMMIT_UNKNOWN: PARTLY,
	HEAD_MOVED: PARTLY,
	FILES_CHANGED: PARTLY,
};

const MARKS = { added: "+", changed: "~", removed: "-" } as const;

/** Prints what a build did. */
export function printBuild(
	result: BuildResult,
	check: boolean,
	view: View,
): Printed {
	const { dim, bold } = view.colors;
	if (result.meta.status === "ERROR") {
		return { rows: [], summary: summaryLines(result.meta, "", view) };
	}
	const rows = result.items
		.slice(0, SHOWN_CHANGES)
		.map(({ file, change }) => `${dim(MARKS[change])} ${printable(file)}`);
	const { added, changed, removed, unchanged, skipped } = result.counts;
	// The items also list files that no query searches.
	const more = added + changed + removed - rows.length;
	if (more > 0) {
		rows.push(
			dim(`… and ${countWords(more, "further file")} (--json names all)`),
		);
	}
	const known = knownSymbols(result);
	if (known !== "") rows.push(dim(known));
	const what = result.up_to_date
		? "up to date"
		: check
			? "a build would change the index"
			: "the index is built";
	const counts = `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged, ${skipped} skipped`;
	rows.push(`${bold(what)} · ${counts}`);
	const files = countWords(unchanged + added + changed, "file");
	return { rows, summary: summaryLines(result.meta, files, view) };
}

function knownSymbols({ enrichment }: BuildResult): string {
	const { exact, moved, renamed, ambiguous, lost } = enrichment;
	if (exact + moved + renamed + ambiguous + lost === 0) return "";
	return `known symbols found again: ${exact} exact, ${moved} moved, ${renamed} renamed, ${ambiguous} ambiguous, ${lost} lost`;
}

/** Prints what a later build of a watched repository did, in one line. */
export function printUpdate(result: BuildResult, view: View): string {
	const named = result.items.slice(0, SHOWN_UPDATES);
	const files = named.map(
		({ file, change }) => `${MARKS[change]} ${printable(file)}`,
	);
	const more = result.items.length - named.length;
	if (more > 0) files.push(`and ${countWords(more, "further file")}`);
	return summaryLines(result.meta, files.join(", "), view).join("\n");
}

/** Prints the files that differ from the index, and the number of those that do not. */
export function printStatus(
	result: StatusResult,
	limit: number,
	view: View,
): Printed {
	const { dim } = view.colors;
	const { items, meta } = result;
	const isDifferent = ({ verdict }: FileVerdict) =>
		verdict !== "unchanged" && verdict !== "skipped";
	const differing = items.filter(isDifferent);
	const rows = differing.slice(0, limit).map((file) => statusRow(file, view));
	const more = differing.length - rows.length;
	if (more > 0) rows.push(dim(`… and ${more} more (--limit)`));
	if (meta.status !== "ERROR" && items.length > 0) {
		const count = (verdict: FileVerdict["verdict"]) =>
			items.filter((item) => item.verdict === verdict).length;
		const unchanged = countWords(count("unchanged"), "unchanged file");
		const skipped = meta.files?.skipped ?? count("skipped");
		rows.push(dim(`${unchanged}, ${skipped} skipped`));
	}
	rows.push(...rootLines(result, view));
	const unknown = describeExtensions(result.without_symbols);
	if (unknown !== "") rows.push(dim(`without symbols: ${unknown}`));
	const indexes = result.compiler_indexes.map(describeCompilerIndex);
	rows.push(...indexes.map(printable));
	const count = countWords(differing.length, "difference");
	return { rows, summary: summaryLines(meta, count, view) };
}

/** Names the most frequent extensions of files in no known language. */
function describeExtensions(counts: readonly ExtensionCount[]): string {
	const shown = counts.slice(0, SHOWN_EXTENSIONS);
	const words = shown.map(({ extension, files }) => {
		const name = extension === "" ? "no extension" : `.${extension}`;
		return `${files} ${printable(name)}`;
	});
	const more = counts.length - shown.length;
	if (more > 0) words.push(countWords(more, "further extension"));
	return words.join(", ");
}

function statusRow({ file, verdict, proof, reason }: FileVerdict, view: View) {
	const { green, yellow, red, dim } = view.colors;
	const color = { added: green, changed: yellow, removed: red, unknown: red };
	const why = reason ?? describeDifference(proof);
	const name = verdict as keyof typeof color;
	return `${color[name](name)} ${place(view, file)} ${dim(`(${why})`)}`;
}

/** Prints whether the index may be used, and why. */
export function printRoute(route: RouteDecision, view: View): Printed {
	const { green, yellow, dim } = view.colors;
	const use = route.use_rag
		? green("The index answers")
		: yellow(WITHOUT_ALL[route.reason] ?? "Answers are read live");
	const rows = [`${use} ${dim(`(${route.reason})`)}`];
	rows.push(
		`HEAD      ${orElse(route.head, dim("none: not a git repository"))}`,
	);
	if (route.git_root) rows.push(`git root  ${printable(route.git_root)}`);
	if (route.status !== null) {
		const { index_state, last_indexed_commit, last_indexed_at } = route.status;
		const commit = orElse(last_indexed_commit, "an unknown commit");
		const time = orElse(last_indexed_at, "an unknown time");
		rows.push(
			`index     ${printable(index_state)}, of ${commit}, built at ${time}`,
		);
	}
	return { rows, summary: [] };
}

function orElse(text: string | null | undefined, otherwise: string): string {
	return text ? printable(text) : otherwise;
}
