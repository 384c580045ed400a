// Questions are answered with passages of notes and code in their current text.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { markedPassage, open, type PassageKind } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { put } from "./hosts/helpers.js";
import { sourceRepo } from "./index-repo.js";

const FILES = {
	"notes/threats.md":
		"---\ntags: [security]\n---\n# Threats\n\nPhishing is the oldest threat.\n\n## Answers\n\nTeach people to read addresses.\n",
	"notes/garden.md": "# Garden\n\nTomatoes want sun. #plants\n",
	"src/mail.py":
		'def quarantine(message):\n    """Keeps a phishing message away from its reader."""\n    return message.hold()\n',
};

test("ask answers with cited passages, also after an edit", async (t) => {
	const folder = sourceRepo(t, FILES);
	const nav = await open(nodeHost(folder));
	const unbuilt = await nav.ask("phishing");
	assert.equal(unbuilt.meta.status, "FALLBACK");
	assert.match(
		`${unbuilt.meta.message}`,
		/Documents were built for this query/,
	);
	assert.equal(unbuilt.items.length, 2);
	assert.ok(unbuilt.items.every(({ proof }) => proof === "live"));
	const built = await nav.buildGraph({ documents: true });
	assert.equal(built.meta.status, "OK", `${built.meta.message}`);
	assert.ok((built.documents?.documents ?? 0) >= 4);

	const answer = await nav.ask("What do I know about phishing?");
	assert.equal(answer.meta.status, "OK", `${answer.meta.message}`);
	const places = answer.items.map(({ citation }) => citation?.path);
	assert.ok(places.includes("notes/threats.md"), `${places}`);
	assert.ok(places.includes("src/mail.py"), `${places}`);
	for (const passage of answer.items) {
		assert.ok("content" in passage && passage.content.length > 0);
	}
	assert.deepEqual(answer.results, answer.items);
	assert.equal(answer.meta.plan?.source, "deterministic");

	const tagged = await nav.ask("list notes tagged security");
	assert.deepEqual(
		tagged.items.map(({ citation }) => citation?.path),
		["notes/threats.md"],
	);
	assert.ok(tagged.items.every((passage) => "tags" in passage));

	put(
		join(folder, "notes/threats.md"),
		FILES["notes/threats.md"].replace("oldest", "most common"),
	);
	const edited = await nav.ask("What do I know about phishing?");
	assert.equal(edited.meta.status, "FALLBACK");
	const threat = edited.items.find(
		({ citation }) => citation?.path === "notes/threats.md",
	);
	assert.ok(threat && "content" in threat);
	assert.match(threat.content, /most common/);

	const again = await nav.buildGraph();
	assert.ok(
		again.documents !== null,
		"a store that is there is kept up to date",
	);
	assert.equal((await nav.ask("phishing")).meta.status, "OK");
	nav.close();
});

test("ask answers from a file that is back after a deletion", async (t) => {
	const folder = sourceRepo(t, FILES);
	const nav = await open(nodeHost(folder));
	await nav.buildGraph({ documents: true });
	const path = "src/mail.py";
	const placesOf = async () => {
		const { items, meta } = await nav.ask("phishing quarantine");
		const places = items.map(({ citation }) => citation?.path);
		return { places: places.sort(), status: meta.status };
	};
	const before = await placesOf();
	assert.ok(before.places.includes(path), `${before.places}`);
	for (const between of ["", "x = 1\n", null]) {
		if (between === null) rmSync(join(folder, path));
		else put(join(folder, path), between);
		assert.notDeepEqual(await placesOf(), before);
		put(join(folder, path), FILES[path]);
		assert.deepEqual(await placesOf(), before, `${between}`);
	}
	nav.close();
});

test("ask answers from the documentation of a package, and marks an edited file", async (t) => {
	const readme = fileURLToPath(
		new URL("../../node_modules/commander/Readme.md", import.meta.url),
	);
	const text = readFileSync(readme, "utf8");
	const folder = sourceRepo(t, { "commander/Readme.md": text });
	const nav = await open(nodeHost(folder));
	await nav.buildGraph({ documents: true });
	const question = "how is a variadic option added?";
	const answer = await nav.ask(question, { deduplicate: false, limit: 3 });
	const [first] = answer.items;
	assert.equal(first?.citation?.heading, "Variadic option");
	assert.ok(first && "content" in first);
	const { start_line, end_line } = first.citation;
	const cited = text.split("\n").slice((start_line ?? 0) - 1, end_line ?? 0);
	assert.equal(first.content, cited.join("\n").trimEnd());

	put(join(folder, "commander/Readme.md"), `A new first line.\n\n${text}`);
	const edited = await nav.ask(question, { deduplicate: false, limit: 3 });
	assert.equal(edited.meta.status, "FALLBACK");
	assert.equal(edited.meta.files?.changed, 1);
	assert.equal(edited.items[0]?.match, "moved");
	assert.equal(edited.items[0]?.citation?.start_line, (start_line ?? 0) + 2);
	nav.close();
});

test("ask refuses an empty question and invalid options", async (t) => {
	const folder = sourceRepo(t, FILES);
	const nav = await open(nodeHost(folder));
	await nav.buildGraph({ documents: true });
	const none = await nav.ask("phishing", { limit: 0 });
	assert.equal(none.meta.error_code, "INVALID_ARGUMENT");
	const zone = await nav.ask("phishing", { time_zone: "Europe/Atlantis" });
	assert.equal(zone.meta.error_code, "INVALID_ARGUMENT");
	assert.notEqual((await nav.ask("")).meta.status, undefined);
	nav.close();
});

test("an answer has the same fields after a failure", async () => {
	const nav = await open(memoryHost({ "a.py": "def total(): pass\n" }));
	const answered = await nav.ask("total");
	nav.close();
	const failed = await nav.ask("total");
	assert.equal(failed.meta.error_code, "CLOSED");
	assert.deepEqual(Object.keys(failed).sort(), Object.keys(answered).sort());
});

test("ask is limited to one kind of passages, which say what they are", async (t) => {
	const folder = sourceRepo(t, {
		...FILES,
		"tests/test_mail.py":
			"class MailTest:\n    def test_hold(self):\n        quarantine('phishing')\n",
		"docs/mail.adoc": "= Mail\n\n== Phishing\n\nIt is held. Always.\n",
		CHANGES: "1.0\n===\n\nPhishing is held.\n",
	});
	const nav = await open(nodeHost(folder));
	const asked = async (only: PassageKind) => {
		const { items } = await nav.ask("how is phishing held", { only });
		const said = items.map(({ citation, about, summary }) =>
			[citation?.path, about, summary].join(" | "),
		);
		return said.sort();
	};
	for (const isBuilt of [false, true]) {
		if (isBuilt) await nav.buildGraph({ documents: true });
		assert.deepEqual(await asked("code"), [
			"src/mail.py | function | Keeps a phishing message away from its reader.",
		]);
		assert.deepEqual(await asked("tests"), [
			"tests/test_mail.py | method of MailTest · test | ",
		]);
		assert.deepEqual(await asked("docs"), [
			"CHANGES | section of CHANGES | Phishing is held.",
			"docs/mail.adoc | section of Mail | It is held.",
			"notes/threats.md | section of threats.md | Phishing is the oldest threat.",
		]);
	}
	const [test] = (await nav.ask("phishing", { only: "tests" })).items;
	assert.ok(test && "content" in test);
	const marked = markedPassage(test).map((line) =>
		line.map(({ text, isTerm }) => (isTerm ? `[${text}]` : text)).join(""),
	);
	assert.deepEqual(marked, [
		"    def test_hold(self):",
		"        quarantine('[phishing]')",
	]);
	const wrong = await nav.ask("phishing", { only: "test" as PassageKind });
	assert.equal(wrong.meta.error_code, "INVALID_ARGUMENT");
	assert.match(`${wrong.meta.message}`, /tests/);
	nav.close();
});
