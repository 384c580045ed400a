// Runs the programs and the transcripts of the documentation and compares what they print.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const CLI = join(CHECKOUT, "pkg", "dist", "esm", "cli.js");

function blocks(file: string, language: string): string[] {
	const text = readFileSync(join(CHECKOUT, file), "utf8");
	const found = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
	return [...found]
		.filter(([, name]) => name === language)
		.map(([, , code]) => code ?? "");
}

const consumer = mkdtempSync(join(tmpdir(), "ragnav-readme-"));
after(() => rmSync(consumer, { recursive: true }));
mkdirSync(join(consumer, "node_modules"));
cpSync(join(CHECKOUT, "pkg"), join(consumer, "node_modules", "ragnav"), {
	recursive: true,
});
cpSync(join(CHECKOUT, "tests", "fixtures", "shop"), consumer, {
	recursive: true,
});
commitAll(consumer);

/** Returns a new repository with the part of the checkout that the transcripts name. */
function transcriptFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-transcript-"));
	after(() => rmSync(folder, { recursive: true }));
	const shop = join("tests", "fixtures", "shop");
	cpSync(join(CHECKOUT, shop), join(folder, shop), { recursive: true });
	commitAll(folder);
	return folder;
}

/** Makes a repository of one commit out of a folder. */
function commitAll(cwd: string): void {
	const who = ["-c", "user.name=reader", "-c", "user.email=reader@example.org"];
	for (const args of [
		["init", "--quiet"],
		["add", "--all", "--force", "."],
		[...who, "commit", "--quiet", "--message", "shop"],
	]) {
		execFileSync("git", args, { cwd });
	}
}

const PRINTED: Record<string, string[]> = {
	"README.md": [
		`OK FRESH 3
shop/cart.py:3 null hash
shop/cart.py:15 sym:shop.cart.Cart.total hash
shop/prices.py:4 sym:shop.prices.price_of hash
sym:shop.cart.Cart.total 14
`,
	],
	"docs/api-guide.md": [
		"built: OK\ntrue null\nwatch\n",
		`[ { field: 'tags', operator: 'contains', value: 'security' } ]
program.mjs program.mjs 1
cart.py shop/cart.py 1
price_of shop/prices.py 4
`,
		`sym:src.auth.Auth.login
{ start_line: 2, end_line: 3 }
INDEX_NOT_FRESH
`,
		"sym:a.greet\n",
	],
	"docs/agent.md": [
		`FALLBACK deterministic
program.mjs program.mjs:1 true
cart.py shop/cart.py:1 true
[ 'price_of' ]
`,
		`security [ 'created_date gte', 'created_date lt' ]
deterministic metadata_only [ 'project-hydra', 2 ]
{ semantic_query: 'RAG', filters: [] }
[
  'semantic_search_needed',
  'semantic_query',
  'filters',
  'response_format'
]
`,
		"true\nshop/prices.py\n",
		`20 { level: { '$lte': 2 } }
FALLBACK UNKNOWN A thought.
`,
	],
	"docs/hosts.md": [
		"sym:lib.greet.greet live\n",
		`right: folders list their entries, with their kinds
right: files are given byte for byte, in the order they are asked for
right: what is not there, is a folder or is too large is a failure of its own
right: no path leaves the root
right: a stamp changes with what a file holds
right: only \`.llmc/\` is written to, and what is written is read
right: the time is in UTC, and the commit an id or nothing
right: a navigator answers from it, and sees an edit
`,
	],
	"pkg-template/README.md": ["FALLBACK 1 sym:a.greet\n"],
};

for (const [file, printed] of Object.entries(PRINTED)) {
	test(`the programs of ${file}`, () => {
		const programs = blocks(file, "js");
		assert.equal(programs.length, printed.length);
		for (const [index, program] of programs.entries()) {
			writeFileSync(join(consumer, "program.mjs"), program);
			const output = execFileSync(process.execPath, ["program.mjs"], {
				cwd: consumer,
				encoding: "utf8",
			});
			assert.equal(output, printed[index], program);
		}
	});
}

/** Runs a command on a terminal without colours; `ragnav` is the command line that was built. */
function onTerminal(line: string, cwd: string): string {
	const command = line.replace(/^ragnav /, `'${process.execPath}' '${CLI}' `);
	const env = {
		...process.env,
		NO_COLOR: "1",
		FORCE_HYPERLINK: "0",
	};
	const run = spawnSync("script", ["-qec", command, "/dev/null"], {
		cwd,
		env,
		encoding: "utf8",
	});
	return run.stdout.replaceAll("\r\n", "\n");
}

for (const file of ["README.md", "docs/cli.md"]) {
	test(`the transcript of ${file}`, () => {
		const [transcript = "", ...others] = blocks(file, "console");
		assert.deepEqual(others, []);
		const parts = transcript.split(/^\$ /m).slice(1);
		assert.ok(parts.length > 0);
		const folder = transcriptFolder();
		for (const part of parts) {
			const [command = "", ...printed] = part.split("\n");
			assert.equal(onTerminal(command, folder), printed.join("\n"), command);
		}
	});
}

test("the two commands", () => {
	const [commands = ""] = blocks("README.md", "sh");
	const { scripts } = JSON.parse(
		readFileSync(join(CHECKOUT, "package.json"), "utf8"),
	);
	const lines = commands
		.trim()
		.split("\n")
		.map((line) => line.replace(/ *#.*/, ""));
	assert.deepEqual(lines, [
		'npm start -- search "def main" --repo .',
		"npm test",
	]);
	assert.ok(scripts.start && scripts.test);
	assert.match(
		readFileSync(join(CHECKOUT, ".ci", "run"), "utf8"),
		/^(exec )?npm test$/m,
	);
});
