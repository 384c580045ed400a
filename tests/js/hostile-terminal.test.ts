// The output of names and contents with control sequences of terminals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import {
	printBuild,
	printRoute,
	printStatus,
	printUpdate,
} from "../../js/apps/cli/print/index-state.js";
import { printPassages } from "../../js/apps/cli/print/passages.js";
import {
	printFiles,
	printLineage,
	printOutline,
	printPlaces,
	printSearch,
	printWhereUsed,
} from "../../js/apps/cli/print/queries.js";
import { colorsFor, type View } from "../../js/apps/cli/view.js";
import { HEAD } from "./hostile-repo.js";

/** The printer's own colours and links are control sequences too. */
const PLAIN = {
	repositories: {
		folders: [{ name: "", path: "/repo" }] as const,
		isGroup: false,
	},
	columns: 60,
	hasLinks: false,
};
const VIEWS: View[] = (["grouped", "lines", "vimgrep"] as const).map(
	(layout) => ({ ...PLAIN, layout, colors: colorsFor("never") }),
);

const STEERING = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\r\b\u2028";
const NAME = `${STEERING}.py`;
/** The control characters that must not reach a terminal. */
const STEERS = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u;

test("no control sequence is printed", async () => {
	const source = `def needle():\n    """Says ${STEERING}."""\n    return needle  # ${STEERING}\n`;
	const host = memoryHost(
		{
			[NAME]: source,
			[`${STEERING}/user.py`]: `def user():\n    needle()  # ${STEERING}\n`,
			[`${STEERING}.md`]: `# ${STEERING}\n\nThe needle ${STEERING}\n`,
			"bad.py": `needle\0${STEERING}`,
		},
		{ head: HEAD },
	);
	const nav = await open(host);
	const printedIn = async (view: View) => [
		printSearch(await nav.search("needle"), view),
		printSearch(await nav.search("needle", { mode: "ranked" }), view),
		printSearch(await nav.search(`(${STEERING}`, { mode: "regex" }), view),
		printSearch(await nav.search("a", { include: [`{${STEERING}`] }), view),
		printWhereUsed(await nav.whereUsed("needle"), view),
		printWhereUsed(await nav.whereUsed(`need${STEERING}le`), view),
		printLineage(await nav.lineage("needle", "upstream"), view),
		printPlaces(await nav.locate("needle"), view),
		printPlaces(await nav.locate(`${STEERING}..`), view),
		printPlaces(await nav.identify(NAME, 1), view),
		printPlaces(await nav.identify(`../${STEERING}`, 1), view),
		printOutline(await nav.outline(NAME), view),
		printFiles(await nav.files(), view),
		printStatus(await nav.status(), 100, view),
		printPassages(await nav.ask("needle"), view),
		printRoute(await nav.route(), view),
	];
	const printed = async () => {
		const answers = await Promise.all(VIEWS.map(printedIn));
		const lines = answers
			.flat()
			.flatMap(({ rows, summary }) => [...rows, ...summary]);
		return [...lines];
	};
	const texts = await printed();
	const build = await nav.buildGraph({ documents: true });
	for (const view of VIEWS) {
		const { rows, summary } = printBuild(build, false, view);
		texts.push(...rows, ...summary, printUpdate(build, view));
	}
	host.files.set("other.py", Buffer.from("x = 1\n"));
	texts.push(...(await printed()));
	const status = ".llmc/rag/index_status.json";
	const text = Buffer.from(host.files.get(status) ?? "").toString();
	const hostile = {
		...JSON.parse(text),
		index_state: `fresh${STEERING}`,
		last_indexed_commit: STEERING,
		last_indexed_at: STEERING,
		repo: STEERING,
	};
	host.files.set(status, Buffer.from(JSON.stringify(hostile)));
	texts.push(...(await printed()));
	nav.close();
	for (const text of texts) assert.doesNotMatch(text, STEERS);
	assert.ok(texts.some((text) => text.includes("owned")));
});
