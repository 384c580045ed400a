/** What each tool answers, where the instructions compare them. */
const QUESTIONS: [question: string, tool: string][] = [
	["A text, a pattern or a half-known name", "rag_search"],
	["Who uses a symbol", "rag_where_used"],
	["What leads to it, or where it leads, over several steps", "rag_lineage"],
	["Where a symbol is defined", "rag_locate"],
	["What symbol a line belongs to", "rag_identify"],
	["What a file defines", "rag_outline"],
	["Which files there are", "rag_files"],
	["A question in words", "rag_ask"],
];

/** The tools that take `include_module`. */
const WITH_MODULES = [
	"rag_identify",
	"rag_outline",
	"rag_where_used",
	"rag_lineage",
];

/**
 * Returns the instructions that a client gives to its model for the whole server. They name no tool
 * that is not offered.
 */
export function instructionsFor(
	roots: string[],
	offered: ReadonlySet<string>,
	readOnly: boolean,
): string {
	const about = (tool: string, sentence: string) =>
		offered.has(tool) ? sentence : "";
	const paragraphs: string[][] = [
		[
			"ragnav answers questions about code repositories on this machine and says with each answer how far it may be trusted.",
		],
		[whichTool(offered)],
		[
			"Trust meta, and never assume more than it says. meta.status is OK (from the index, with every file in scope proven unchanged), FALLBACK (at least in part read live from the files: as right as OK, only slower) or ERROR (meta.error_code and meta.message say what to do; there are no rows). meta.freshness_state is about the index: FRESH, STALE or UNKNOWN. Each row has its own freshness_state and its proof: stat, hash, watch, live and overlay mean that the text was the file's at the time of the answer; none means that it may be out of date.",
		],
		[
			"After you edited files, ask again: answers follow without a build. Rows found earlier may have moved.",
			about("rag_locate", "rag_locate finds a symbol where it is now."),
		],
		[
			'To ask again only for what differs, pass since to any tool that lists rows: "" the first time, which adds a receipt to the answer, and then that receipt with the same arguments.',
			about(
				"rag_recheck",
				"rag_recheck says by a receipt alone what became of each row.",
			),
		],
		[
			"A file as a whole is a module: a symbol such as sym:shop.cart means it where no definition has that name.",
			withModules(offered),
		],
		readOnly
			? [
					"The index cannot be built here (the server was started with --read-only).",
				]
			: [
					about("rag_status", "rag_status says how current the index is."),
					about(
						"rag_build_graph",
						"rag_build_graph builds the index, which is worth it for many questions about a large repository, and never needed for right answers.",
					),
				],
		[
			"Most tools also take timeout_ms, and stale_policy: what an answer may come from where the index is not proven to be current. merge (the default): the index for files that are proven unchanged, the live files for all others. live: the live files alone, unless everything is proven. error: refuse with STALE_INDEX. allow: the index as it is, which may be out of date.",
		],
		[
			"The text of an answer is for reading. Its structured content has the same with more fields; what is absent, false or empty is left out, and meta.rows has the source, freshness_state and proof of the rows that do not say otherwise.",
		],
		[
			"Answers stay under 10,000 tokens: where truncated is true and cursor is not null, pass cursor back with the same arguments for the next page; else narrow the question. Lines are counted from 1, columns from 0 in UTF-16 units, paths are from the repository's root. The text counts columns from 1.",
		],
		[rootsIn(roots)],
	];
	return paragraphs
		.map((sentences) => sentences.filter(Boolean).join(" "))
		.filter(Boolean)
		.join("\n\n");
}

function whichTool(offered: ReadonlySet<string>): string {
	const known = QUESTIONS.filter(([, tool]) => offered.has(tool));
	if (known.length === 0) return "";
	return `Which tool to use. ${known.map((pair) => `${pair.join(": ")}.`).join(" ")}`;
}

function withModules(offered: ReadonlySet<string>): string {
	const tools = WITH_MODULES.filter((tool) => offered.has(tool));
	const last = tools.at(-1);
	if (last === undefined) return "";
	const first = tools.slice(0, -1).join(", ");
	const names = first === "" ? `${last} names` : `${first} and ${last} name`;
	return `With include_module, ${names} the module where code is in no definition.`;
}

function rootsIn(roots: string[]): string {
	const [first, ...others] = roots;
	if (others.length === 0) return `The repository is ${first}.`;
	return `The repositories are ${roots.join(", ")}. Without root they are one: names resolve from one to the other, and paths begin with the name of the repository. With root, one of them answers alone, with paths from its root.`;
}
