// What is printed of names and contents that would steer a terminal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { HEAD } from "./hostile-repo.js";

// The printer's own colours steer too; it looks once whether they are wanted.
process.env.NO_COLOR = "1";
const {
	printAnswer,
	printBuild,
	printDefinitions,
	printLineage,
	printRoute,
	printSearch,
	printStatus,
	printUpdate,
	printWhereUsed,
} = await import("../../js/apps/cli/print.js");

const STEERING = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\r\b\u2028";
const NAME = `${STEERING}.py`;
/** Everything of it that must not reach a terminal. */
const STEERS = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u;

test("nothing that steers a terminal is printed", async () => {
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
	const root = "/repo";
	const printed = async () => [
		printSearch(await nav.search("needle"), root),
		printSearch(await nav.search("needle", { mode: "ranked" }), root),
		printSearch(await nav.search(`(${STEERING}`, { mode: "regex" }), root),
		printSearch(await nav.search("a", { include: [`{${STEERING}`] }), root),
		printWhereUsed(await nav.whereUsed("needle"), root),
		printLineage(await nav.lineage("needle", "upstream"), root),
		printDefinitions(await nav.locate("needle"), root),
		printDefinitions(await nav.locate(`${STEERING}..`), root),
		printDefinitions(await nav.identify(NAME, 1), root),
		printDefinitions(await nav.identify(`../${STEERING}`, 1), root),
		printStatus(await nav.status(), root, 100),
		printAnswer(await nav.ask("needle"), root),
		printRoute(await nav.route()),
	];
	const texts = await printed();
	const build = await nav.buildGraph({ documents: true });
	texts.push(printBuild(build, false), printUpdate(build));
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
