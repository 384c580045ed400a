import type {
	Completeness,
	Doubt,
	DoubtReason,
	Proof,
	RagToolMeta,
	SkipReason,
} from "../generated/glue.js";
import { formatCount } from "./counts.js";

/** How good the news is: `good` needs no attention, `warning` and `error` do. */
export type Tone = "good" | "info" | "warning" | "error";

/** A sentence for people, and how much attention it needs. */
export interface PlainWords {
	text: string;
	tone: Tone;
}

/** The part of an answer's metadata that says how fresh the answer is. */
export type FreshnessMeta = Pick<
	RagToolMeta,
	"status" | "freshness_state" | "message"
>;

const SKIPPED: Record<SkipReason, string> = {
	binary: "binary",
	too_large: "too large",
	too_deep: "nested too deep",
	too_many_files: "too many files",
	link: "a symbolic link",
	bad_name: "a name that is not text, or reads as a path of Windows",
	missing: "gone",
	denied: "no permission to read it",
	io: "could not be read",
	installed_packages: "installed packages",
	cache: "a cache",
	ignored: "ignored",
	changed: "changed since the index",
	other_version: "indexed by another version of ragnav or with other plug-ins",
};

const PROOFS: Record<Proof, string> = {
	stat: "size and time unchanged since the index",
	hash: "content unchanged since the index",
	watch: "watched, and unchanged since the index",
	live: "read now",
	overlay: "unsaved text of the editor",
	none: "may be out of date",
};

/**
 * Describes in plain words how fresh an answer is: "Up to date", "3 files changed since the index; shown
 * live", "No index yet; read live". The codes stay in the answer.
 *
 * @example
 * ```ts
 * import { describeFreshness, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "shop.py": "def price(): ...\n" }));
 * const { meta } = await nav.search("price");
 * const { text, tone } = describeFreshness(meta);
 * console.log(tone, text === meta.message); // info true
 * nav.close();
 * ```
 */
export function describeFreshness(meta: FreshnessMeta): PlainWords {
	return { text: meta.message ?? "Up to date", tone: toneOf(meta) };
}

function toneOf({ status, freshness_state }: FreshnessMeta): Tone {
	if (status === "ERROR") return "error";
	if (status === "FALLBACK") return "info";
	return freshness_state === "FRESH" ? "good" : "warning";
}

/**
 * Describes in plain words why queries skip a file: "too large", "a symbolic link".
 *
 * @example
 * ```ts
 * import { describeSkipReason } from "ragnav";
 *
 * console.log(describeSkipReason("too_large")); // too large
 * ```
 */
export function describeSkipReason(reason: SkipReason): string {
	return SKIPPED[reason] ?? reason;
}

/**
 * Describes in plain words why a row may be trusted: "content unchanged since the index".
 *
 * @example
 * ```ts
 * import { describeProof } from "ragnav";
 *
 * console.log(describeProof("live")); // read now
 * ```
 */
export function describeProof(proof: Proof): string {
	return PROOFS[proof] ?? proof;
}

/** The part of an answer that says whether it may lack rows. */
export interface CompletenessOf {
	completeness: Completeness;
	doubts: readonly Doubt[];
}

/** What each doubt is about. `#` stands for the count. */
const DOUBTS: Record<DoubtReason, { one: string; many: string }> = {
	candidates: {
		one: "1 reference by name alone",
		many: "# references by name alone",
	},
	strings: { one: "1 string with the name", many: "# strings with the name" },
	macros: {
		one: "1 use in the body of a macro",
		many: "# uses in bodies of macros",
	},
	computed: {
		one: "names that 1 file computes",
		many: "names that # files compute",
	},
	untracked: {
		one: "names that code computes",
		many: "names that code computes",
	},
	other_languages: {
		one: "1 file in another language with the name",
		many: "# files in other languages with the name",
	},
	by_name: {
		one: "references that are compared by name alone",
		many: "references that are compared by name alone",
	},
	outside_base: {
		one: "calls through a base from outside",
		many: "calls through a base from outside",
	},
	unnamed: {
		one: "calls without its name, as by operators and frameworks",
		many: "calls without its name, as by operators and frameworks",
	},
	skipped: { one: "1 file not searched", many: "# files not searched" },
	stale: {
		one: "1 file that may have changed",
		many: "# files that may have changed",
	},
	partial: { one: "1 file parsed in part", many: "# files parsed in part" },
	unparsed: {
		one: "1 file with the name in code that is no valid syntax",
		many: "# files with the name in code that is no valid syntax",
	},
	undefined: {
		one: "1 file with the name, of which no definition is known",
		many: "# files with the name, of which no definition is known",
	},
	unread: {
		one: "1 file that cannot be read",
		many: "# files that cannot be read",
	},
	limit: { one: "a limit that was reached", many: "a limit that was reached" },
};

/**
 * Describes in plain words whether an answer may lack rows, and where these would be: "complete",
 * "not counted: 2 strings with the name (urls.py)".
 *
 * @example
 * ```ts
 * import { describeCompleteness, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "shop.py": "def price(): ...\n" }));
 * const uses = await nav.whereUsed("price");
 * console.log(uses.total, describeCompleteness(uses)); // 0 complete
 * nav.close();
 * ```
 */
export function describeCompleteness({
	completeness,
	doubts,
}: CompletenessOf): string {
	if (completeness === "proven") return "complete";
	const reasons = doubts.map(describeDoubt).join(", ");
	return completeness === "bounded"
		? `complete but for ${reasons}`
		: `may be incomplete: ${reasons}`;
}

function describeDoubt({ reason, count, files }: Doubt): string {
	const { one, many } = DOUBTS[reason];
	const words =
		count === 1
			? one
			: many.replace("#", count === null ? "uncounted" : formatCount(count));
	const [first, ...others] = files;
	if (first === undefined) return words;
	return others.length === 0 ? `${words} (${first})` : `${words} (${first}, …)`;
}

/** Describes in plain words what shows that a file is not the one of the index. */
export function describeDifference(proof: Proof): string {
	const isCompared = proof === "stat" || proof === "hash" || proof === "watch";
	return isCompared ? "differs from the index" : describeProof(proof);
}

/**
 * Returns a symbol as people read it: `jquery.min.ce.filter` for `sym:jquery%2Emin.ce.filter`. Pass
 * the id itself to queries.
 *
 * @example
 * ```ts
 * import { displaySymbol } from "ragnav";
 *
 * console.log(displaySymbol("sym:jquery%2Emin.ce.filter")); // jquery.min.ce.filter
 * ```
 */
export function displaySymbol(symbol: string): string {
	const dotted = symbol.replace(/^sym:/, "");
	return dotted.replaceAll("%2E", ".").replaceAll("%25", "%");
}

/**
 * Returns the name of a definition within the one around it: `Cart.total` for a method of C++ whose
 * body stands outside of its class.
 */
export function nameWithin(
	{ symbol, name }: { symbol: string; name: string },
	container?: { symbol: string },
): string {
	const start = container === undefined ? undefined : `${container.symbol}.`;
	const isInside = start !== undefined && symbol.startsWith(start);
	return isInside ? displaySymbol(symbol.slice(start.length)) : name;
}

/**
 * Describes the condition under which a row is compiled: `[if defined(_WIN32)]`. Returns "" if it
 * always is.
 *
 * @example
 * ```ts
 * import { describeCondition, open } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const nav = await open(memoryHost({ "net_linux.go": "package net\n\nfunc Dial() {}\n" }));
 * const [dial] = (await nav.locate("Dial")).items;
 * if (dial) console.log(describeCondition(dial)); // [if linux]
 * nav.close();
 * ```
 */
export function describeCondition(row: { condition?: string }): string {
	return row.condition === undefined ? "" : `[if ${row.condition}]`;
}
