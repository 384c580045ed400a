// Runs the programs and the transcripts of the documentation and compares what they print.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
	CHECKOUT,
	commitAll,
	createFolder,
	installPackage,
	SHOP,
} from "./consumer.js";

const CLI = join(CHECKOUT, "pkg", "dist", "cjs", "cli.js");

/** Returns the code blocks of a page in one language. */
function blocks(file: string, language: string): string[] {
	const text = readFileSync(join(CHECKOUT, file), "utf8");
	const found = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
	return [...found]
		.filter(([, name]) => name === language)
		.map(([, , code]) => code ?? "");
}

const consumer = createFolder();
installPackage(consumer);
cpSync(join(CHECKOUT, SHOP), consumer, { recursive: true });
commitAll(consumer);

/** Returns a new repository with the part of the checkout that the transcripts name. */
function transcriptFolder(): string {
	const folder = createFolder();
	cpSync(join(CHECKOUT, SHOP), join(folder, SHOP), { recursive: true });
	commitAll(folder);
	return folder;
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
Cart shop/cart.py 6
program.mjs program.mjs 1
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
Cart shop/cart.py:6 true
program.mjs program.mjs:1 true
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
		"shop/cart.py\n",
		"3 [ 3, 1, 5 ]\n",
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
right: the times of a file are numbers
right: only \`.llmc/\` is written to, and what is written is read
right: the time is in UTC, and the commit an id or nothing
right: a navigator answers from it, and sees an edit
`,
	],
	"site/start.md": [
		`shop/cart.py:3 resolved hash
shop/cart.py:15 resolved hash
1 file changed since the index; shown live.
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

/** Runs a command on a terminal without colours; `ragnav` is the built command line. */
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
