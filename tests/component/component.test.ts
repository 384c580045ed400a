// The component in Node and in wasmtime returns the answers of the npm package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { NodeHost } from "#ragnav/hosts/node";
import { type Exports, transpile } from "../../bench/component.mjs";
import { pythonEnvironment } from "../../js/build/python.mjs";
import { Problem } from "../../js/build/run.mjs";
import { WASMTIME } from "../../js/build/services.mjs";
import {
	byJco,
	byPackage,
	byWasmtime,
	type Call,
	hostOf,
	type OpenOptions,
	type Outcome,
} from "./answers.js";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const COMPONENT = join(CHECKOUT, "component", "ragnav.wasm");
const NO_PYTHON = "needs a Python 3 that can make virtual environments";

/** The time in milliseconds after which no stamp is racy. */
const SETTLED_MS = 300;

const OTHERS: Record<string, string> = {
	"web/price.ts":
		'import { round } from "./round";\nexport class Price {\n\ttotal() {\n\t\treturn round(1.5);\n\t}\n}\n',
	"web/round.ts":
		"export function round(value: number) {\n\treturn Math.round(value); // 😀 price\n}\n",
	"notes.md":
		"# Prices\n\nHow the price of a cart is worked out. #money\n\n## Sales\n\nNothing yet.\n",
	".gitignore": "out/\n",
	"out/price.py": "def price_of(): pass\n",
	"sys/open.c":
		"#ifdef _WIN32\nint open_it(void) { return 1; }\nint main(void) { return open_it(); }\n#endif\n",
	"bom.py": "\ufeffdef price():\r\n    pass\r\n",
	"latin1.txt": "",
};

const temporary = mkdtempSync(join(tmpdir(), "ragnav-component-"));
after(() => rmSync(temporary, { recursive: true, force: true }));

let python: string | undefined;
let instantiate: (host: NodeHost) => Exports;
before(async () => {
	python = await pythonWithWasmtime();
	instantiate = await transpile(COMPONENT, join(temporary, "jco"));
});

/** wasmtime; `undefined` if it cannot be installed. */
async function pythonWithWasmtime(): Promise<string | undefined> {
	try {
		return await pythonEnvironment(WASMTIME);
	} catch (error) {
		if (error instanceof Problem) return undefined;
		throw error;
	}
}

/** Creates a repository of one commit, equal for each runtime. */
function repository(name: string): string {
	const root = join(temporary, name);
	cpSync(join(CHECKOUT, "tests", "fixtures", "shop"), root, {
		recursive: true,
	});
	put(root, OTHERS);
	writeFileSync(join(root, "latin1.txt"), Uint8Array.of(0x6e, 0xe9));
	commitAll(root);
	return root;
}

/** Makes a folder a repository of one commit. */
function commitAll(root: string): void {
	const when = "2026-01-01T00:00:00Z";
	const env = {
		...process.env,
		GIT_AUTHOR_DATE: when,
		GIT_COMMITTER_DATE: when,
		GIT_CONFIG_GLOBAL: "/dev/null",
	};
	const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
	for (const args of [
		["init", "--quiet", "--template=", "--initial-branch=main"],
		["add", "--all"],
		[...who, "commit", "--quiet", "--message", "shop"],
	]) {
		execFileSync("git", args, { cwd: root, env });
	}
}

function put(root: string, files: Record<string, string>): void {
	for (const [path, content] of Object.entries(files)) {
		const file = join(root, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
}

const QUESTIONS: Call[] = [
	["navigator.route", []],
	["navigator.search", ["price", null]],
	["navigator.search", ["price", { limit: 2, case_sensitive: false }]],
	["navigator.search", ["def \\w+|é", { mode: "regex", include: ["*.py"] }]],
	["navigator.search", ["total price", { mode: "ranked", exclude: ["*.md"] }]],
	["navigator.where-used", ["price_of", null]],
	["navigator.where-used", ["round", { confidence: "resolved", limit: 1 }]],
	["navigator.lineage", ["price_of", "upstream", { depth: 2 }]],
	["navigator.lineage", ["Price.total", "downstream", null]],
	["navigator.locate", ["Cart.add", null]],
	["navigator.locate", ["nothing.like.it", null]],
	["navigator.locate", ["open_it", null]],
	["navigator.where-used", ["open_it", null]],
	["navigator.identify", ["shop/cart.py", 15, null]],
	["navigator.identify", ["web/price.ts", 4, { stale_policy: "live" }]],
	["navigator.status", [{ limit: 3 }]],
	["navigator.ask", ["how is the price of a cart worked out?", null]],
	[
		"navigator.ask",
		["notes of last week tagged #money", { limit: 3, token_budget: 200 }],
	],
];

const MISTAKES: Call[] = [
	["navigator.search", ["", null]],
	["navigator.search", ["(", { mode: "regex" }]],
	["navigator.search", ["price", { limit: 0 }]],
	["navigator.search", ["price", { cursor: "2-0-0" }]],
	["navigator.locate", ["a..b", null]],
	["navigator.identify", ["../outside.py", 1, null]],
	["navigator.identify", ["latin1.txt", 1, null]],
	["navigator.identify", ["shop/cart.py", 0, null]],
	["navigator.search", ["price", { stale_policy: "error" }]],
];

const SOURCE = "class A:\n    @d\n    def b(self):\n        '😀 b'\n";
const STATUS = {
	repo: "shop",
	index_state: "fresh",
	last_indexed_at: null,
	last_indexed_commit: "a".repeat(40),
	schema_version: "9",
	last_error: null,
};

const PURE: Call[] = [
	["locator.identify-symbol-at-line", [SOURCE, 4, { path: "src/a.py" }]],
	["locator.identify-symbol-at-line", [SOURCE, 2, { decorators: true }]],
	["locator.identify-symbol-at-line", [SOURCE, 9, null]],
	["locator.identify-symbol-at-line", [SOURCE, 1, { lang: "cobol" }]],
	["locator.locate-symbol", [SOURCE, "sym:src.a.A.b", { module: "src.a" }]],
	["locator.locate-symbol", [SOURCE, "sym:src.a.B", null]],
	["locator.iter-matches", [SOURCE, "b", null]],
	[
		"locator.iter-matches",
		[SOURCE, "B|D", { mode: "regex", case_sensitive: false }],
	],
	["locator.iter-matches", [SOURCE, "b", { mode: "ranked" }]],
	["locator.make-snippet", [SOURCE, 4, "src/a.py"]],
	["locator.make-snippet", [SOURCE, 40, ""]],
	["envelope.decide-route", [STATUS, "a".repeat(40)]],
	["envelope.decide-route", [STATUS, "b".repeat(40)]],
	["envelope.decide-route", [null, null]],
	["envelope.parse-index-status", ['{"index_state": "stale"}', "shop"]],
	["envelope.parse-index-status", ["[]", "shop"]],
	["envelope.ok-result", [null]],
	["envelope.ok-result", [{ source: null, index_status: STATUS }]],
	["envelope.fallback-result", [{ message: "as it is" }]],
	["envelope.error-result", [{ error_code: "HOST_FAILED", message: "it did" }]],
	["envelope.error-result", [{ error_code: "OWN", message: "ours" }]],
];

/** Creates a repository for each runtime, and compares the results of calls. */
class Runtimes {
	readonly #roots: [npm: string, jco: string, wasmtime: string];

	constructor(name: string) {
		const root = (runtime: string) => repository(`${name}-${runtime}`);
		this.#roots = [root("npm"), root("jco"), root("wasmtime")];
	}

	async change(work: (root: string) => void): Promise<void> {
		this.#roots.forEach(work);
		await sleep(SETTLED_MS);
	}

	async compare(
		calls: Call[],
		options: OpenOptions = { repo: "shop" },
	): Promise<Outcome[]> {
		const [npm, jco, wasmtime] = this.#roots;
		const expected = await byPackage(hostOf(npm, options), calls);
		const found = byJco(instantiate, hostOf(jco, options), options, calls);
		same("jco", calls, found, expected);
		if (python === undefined) return expected;
		const told = byWasmtime(python, COMPONENT, wasmtime, options, calls);
		same("wasmtime", calls, told, expected);
		return expected;
	}
}

function same(
	runtime: string,
	calls: Call[],
	found: Outcome[],
	expected: Outcome[],
): void {
	for (const [at, call] of calls.entries()) {
		const what = `${runtime}: ${JSON.stringify(call)}`;
		assert.deepEqual(found[at], expected[at], what);
	}
}

test("wasmtime is among the runtimes", async (t) => {
	if (python === undefined) t.skip(NO_PYTHON);
});

test("all runtimes agree live, over an index, and after edits", async () => {
	const runtimes = new Runtimes("questions");
	await runtimes.change(() => {});
	const build: Call = ["navigator.build-graph", [{ documents: true }]];
	const outcomes = await runtimes.compare([
		...QUESTIONS,
		["navigator.build-graph", [{ check: true }]],
		build,
		...QUESTIONS,
		...MISTAKES,
	]);
	assert.match(JSON.stringify(outcomes[QUESTIONS.length + 1]), /"added":8/);
	const asked = QUESTIONS.map((call, at) => [call, outcomes[at]]);
	const conditional = asked.filter((one) =>
		JSON.stringify(one).includes('"condition":"defined(_WIN32)"'),
	);
	assert.equal(conditional.length, 2);
	await runtimes.change((root) => {
		put(root, { "shop/cart.py": "# Sale!\ndef price_of():\n    pass\n" });
		put(root, { "new/price.py": "price = 1\n" });
		rmSync(join(root, "web", "round.ts"));
	});
	const stale = await runtimes.compare([
		...QUESTIONS,
		...MISTAKES,
		["navigator.build-graph", [null]],
		...QUESTIONS,
	]);
	assert.match(JSON.stringify(stale[0]), /files-changed/);
	assert.match(JSON.stringify(stale[1]), /"freshness_state":"STALE"/);
	const refused = JSON.stringify(stale[QUESTIONS.length + MISTAKES.length - 1]);
	assert.match(refused, /"code":"stale-index"/);
});

test("all runtimes agree with an index in memory, and on the pure functions", async () => {
	const runtimes = new Runtimes("memory");
	await runtimes.change(() => {});
	await runtimes.compare(
		[["navigator.build-graph", [null]], ...QUESTIONS, ...PURE],
		{ repo: "shop", writable: false },
	);
});

test("a failing host is an error, and the instance still works", async () => {
	const root = repository("failing");
	const options: OpenOptions = { repo: "shop" };
	const calls: Call[] = [
		["navigator.search", ["price", null]],
		["navigator.build-graph", [null]],
		["navigator.route", []],
		["locator.make-snippet", ["a", 1, ""]],
	];
	const failing: NodeHost = {
		...hostOf(root, options),
		gitHead: () => {
			throw new Error("no git here");
		},
		readMany: () => {
			throw new Error("the disk is gone");
		},
	};
	const expected = await byPackage(failing, calls);
	same("jco", calls, byJco(instantiate, failing, options, calls), expected);
	assert.match(JSON.stringify(expected[0]), /"host-failed".*the disk is gone/);
});

test("invalid options are refused", () => {
	const host = hostOf(temporary, { repo: "" });
	const { Navigator } = instantiate(host).navigation;
	const message = "max-files must be a whole number of at least 1, not 0";
	assert.throws(() => Navigator.open({ maxFiles: 0 }), {
		tag: "invalid-argument",
		val: { message, answer: undefined },
	});
});

const DOCUMENT = readFileSync(join(CHECKOUT, "docs", "component.md"), "utf8");

/** Runs a program of the documentation, with a repository and the files that it needs. */
function runShown(language: string, program: string, file: string): string {
	const [, code] =
		new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(
			DOCUMENT,
		) ?? [];
	assert.ok(code, `docs/component.md has no block of ${language}`);
	const root = join(temporary, `shown-${language}`);
	const shop = join(root, "shop");
	cpSync(join(CHECKOUT, "tests", "fixtures", "shop"), shop, {
		recursive: true,
	});
	commitAll(shop);
	cpSync(COMPONENT, join(root, "ragnav.wasm"));
	cpSync(join(temporary, "jco"), join(root, "jco"), { recursive: true });
	writeFileSync(join(root, file), code);
	return execFileSync(program, [file], { cwd: root, encoding: "utf8" });
}

test("the documentation's program for Node runs", () => {
	assert.equal(runShown("js", process.execPath, "ask.mjs"), "OK 3 hash\n");
});

test("the documentation's program for wasmtime runs", (t) => {
	if (python === undefined) return t.skip(NO_PYTHON);
	assert.equal(runShown("python", python, "ask.py"), "OK 3 hash\n");
});
