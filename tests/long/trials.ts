// Whatever happens to a real tree, every way to an answer gives the same one: with an index and without, brought up to date and built
// anew, by one worker and by many, over a folder and in memory, natively and as WebAssembly, with lines that end in LF and in CRLF.
//
// npm run trials [-- --tree DIR --rounds N --questions N --seed N]
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { type Host, open } from "#ragnav";
import { memoryHost } from "#ragnav/hosts/memory";
import { nodeHost } from "#ragnav/hosts/node";
import { commit, git, put } from "../js/hosts/helpers.js";
import {
	ask,
	askNatively,
	CHECKOUT,
	hostOf,
	type Question,
} from "../js/native.js";
import { filesBelow } from "../js/tree-files.js";
import { apply, edit } from "./edits.js";
import { wholeNumber } from "./whole-number.js";

const ROWS = 10_000;
/** How many edits come before the questions of a round. */
const EDITS = 12;

/** A tree under test, as it is on disk and in memory. */
class Trial {
	readonly folder: string;
	readonly files: Map<string, Buffer>;

	constructor(files: Map<string, Buffer>) {
		this.folder = mkdtempSync(join(tmpdir(), "ragnav-trial-"));
		this.files = files;
		for (const path of files.keys()) this.#write(path);
		git(this.folder, "init", "--quiet");
		this.commit();
	}

	commit(): void {
		git(this.folder, "add", "--all");
		commit(this.folder, "tree");
	}

	/** Has several edits happen. */
	edit(seed: number): void {
		const before = new Map(this.files);
		for (const one of fc.sample(edit, { seed, numRuns: EDITS })) {
			apply(one, this.files);
		}
		for (const path of new Set([...before.keys(), ...this.files.keys()])) {
			if (before.get(path) !== this.files.get(path)) this.#write(path);
		}
	}

	/** The same files in another folder, without an index. */
	copy(): string {
		const copy = mkdtempSync(join(tmpdir(), "ragnav-trial-"));
		const isOwn = (path: string) => path.startsWith(join(this.folder, ".llmc"));
		cpSync(this.folder, copy, {
			recursive: true,
			filter: (path) => !isOwn(path),
		});
		return copy;
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	#write(path: string): void {
		const file = join(this.folder, path);
		const content = this.files.get(path);
		rmSync(file, { force: true });
		if (content === undefined) return;
		put(file, content);
	}
}

/** The files of a tree by path, without what belongs to git or to ragnav. */
function filesOf(trees: readonly string[]): Map<string, Buffer> {
	const files = new Map<string, Buffer>();
	for (const tree of trees) {
		for (const path of filesBelow(tree)) {
			if (/(^|\/)(\.|node_modules\/)/.test(path)) continue;
			const name =
				trees.length === 1 ? path : join(tree.split("/").at(-1) ?? "", path);
			files.set(name, readFileSync(join(tree, path)));
		}
	}
	return files;
}

/** Questions about names that stand in the files as they are now. */
function questionsAbout(
	files: Map<string, Buffer>,
	seed: number,
	count: number,
): Question[] {
	const paths = [...files.keys()].sort();
	const places = fc.sample(fc.tuple(fc.nat(), fc.nat(), fc.nat()), {
		seed,
		numRuns: count,
	});
	return places.flatMap(([file, line, word]) => {
		const path = paths[file % paths.length] ?? "";
		const lines = (files.get(path) ?? "").toString().split(/\r\n|\r|\n/);
		const at = line % lines.length;
		const words = lines[at]?.match(/[A-Za-z_]\w{2,}/g) ?? ["main"];
		return questions(words[word % words.length] ?? "main", path, at + 1);
	});
}

function questions(name: string, file: string, line: number): Question[] {
	const options = { limit: ROWS };
	const lineage = { max_results: ROWS, depth: 2 };
	return [
		{ ask: "search", query: name, options },
		{
			ask: "search",
			query: `\\b${name.slice(0, 4)}\\w*\\(`,
			options: { ...options, mode: "regex" },
		},
		{ ask: "search", query: name, options: { limit: 100, mode: "ranked" } },
		{ ask: "where_used", symbol: name, options },
		{ ask: "lineage", symbol: name, direction: "upstream", options: lineage },
		{ ask: "lineage", symbol: name, direction: "downstream", options: lineage },
		{ ask: "locate", symbol: name },
		{ ask: "identify", file, line },
	];
}

/** What an answer says of the files, and not what it rests on. */
function said(answer: unknown): unknown {
	const { meta, items, definitions, total, truncated } = answer as Answer;
	// What goes by another name now is known by an index alone, and stands for what the old name would find instead.
	const found = [...items, ...(definitions ?? [])];
	if (found.some(({ match }) => match === "renamed")) return RENAMED;
	return {
		error: meta.error_code,
		rows: items.map(withoutGround),
		definitions: definitions?.map(withoutGround),
		total,
		truncated,
	};
}

const RENAMED = Symbol("renamed");

interface Answer {
	meta: { error_code: string | null };
	items: Row[];
	definitions?: Row[];
	total?: number | null;
	truncated?: boolean;
}

type Row = Record<string, unknown>;

function withoutGround(row: Row): Row {
	const { source, freshness_state, proof, enrichment, match, ...rest } = row;
	return rest;
}

class Comparison {
	#answers = 0;
	#rows = 0;

	/** The answers over a host, a build before them where it is wanted. */
	async answers(
		host: Host,
		asked: Question[],
		build?: { workers: number },
	): Promise<unknown[]> {
		const nav = await open(host, build ?? null);
		try {
			if (build !== undefined) {
				const { meta } = await nav.buildGraph();
				assert.notEqual(meta.status, "ERROR", meta.message ?? "");
			}
			const answers: unknown[] = [];
			for (const question of asked)
				answers.push(said(await ask(nav, question)));
			return answers;
		} finally {
			nav.close();
		}
	}

	same(
		asked: Question[],
		expected: unknown[],
		actual: unknown[],
		what: string,
	): void {
		for (const [index, question] of asked.entries()) {
			if (actual[index] === RENAMED || expected[index] === RENAMED) continue;
			assert.deepEqual(
				actual[index],
				expected[index],
				`${what}: ${JSON.stringify(question)}`,
			);
			this.#answers += 1;
			this.#rows += (actual[index] as { rows: unknown[] }).rows.length;
		}
	}

	get figures(): string {
		return `${this.#answers} answers compared, ${this.#rows} rows`;
	}
}

async function round(
	trial: Trial,
	seed: number,
	count: number,
	comparison: Comparison,
): Promise<void> {
	trial.edit(seed);
	const asked = questionsAbout(trial.files, seed, count);
	const head = hostOf(trial.folder).gitHead();
	const inMemory = () => memoryHost(new Map(trial.files), { head: head.head });
	const live = await comparison.answers(inMemory(), asked);
	const same = (actual: unknown[], what: string) =>
		comparison.same(asked, live, actual, what);

	same(
		await comparison.answers(nodeHost(trial.folder), asked),
		"the index of before the edits",
	);
	const copy = trial.copy();
	try {
		same(
			await comparison.answers(nodeHost(copy), asked),
			"a folder without an index",
		);
		const native = askNatively(copy, asked).map(said);
		same(native, "the native core");
		same(
			await comparison.answers(nodeHost(copy), asked, { workers: 3 }),
			"an index of three workers",
		);
		rmSync(join(copy, ".llmc"), { recursive: true });
		same(
			await comparison.answers(nodeHost(copy), asked, { workers: 0 }),
			"an index of no workers",
		);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
	trial.commit();
	same(
		await comparison.answers(nodeHost(trial.folder), asked, { workers: 0 }),
		"an index brought up to date",
	);
	same(
		await comparison.answers(inMemory(), asked, { workers: 0 }),
		"an index in memory",
	);
	await compareLineEnds(trial, asked, comparison);
}

/** Files whose lines end one way answer as if they ended the other. */
async function compareLineEnds(
	trial: Trial,
	asked: Question[],
	comparison: Comparison,
): Promise<void> {
	const ending = (end: string) => {
		const files = [...trial.files].map(([path, content]): [string, Buffer] => {
			const text = content.toString("latin1").replace(/\r\n|\r|\n/g, end);
			return [path, Buffer.from(text, "latin1")];
		});
		return memoryHost(new Map(files));
	};
	const lf = await comparison.answers(ending("\n"), asked);
	const crlf = await comparison.answers(ending("\r\n"), asked);
	comparison.same(asked, lf, crlf, "lines that end in CRLF");
}

const { values } = parseArgs({
	options: {
		tree: {
			type: "string",
			multiple: true,
			default: ["crates", "js", "src", "tests"].map((folder) =>
				join(CHECKOUT, folder),
			),
		},
		rounds: { type: "string", default: "20" },
		questions: { type: "string", default: "6" },
		seed: { type: "string", default: "1" },
	},
});
const trees = values.tree.map((tree) => resolve(tree));
const missing = trees.find((tree) => !existsSync(tree));
if (missing !== undefined) throw new Error(`${missing} does not exist`);
const rounds = wholeNumber(values.rounds, 1);
const count = wholeNumber(values.questions, 1);
const first = wholeNumber(values.seed, 0);
const trial = new Trial(filesOf(trees));
const comparison = new Comparison();
try {
	await comparison.answers(nodeHost(trial.folder), [], { workers: 0 });
	for (let seed = first; seed < first + rounds; seed++) {
		await round(trial, seed, count, comparison);
		process.stdout.write(
			`round ${seed}: ${trial.files.size} files, ${comparison.figures}\n`,
		);
	}
} finally {
	trial.remove();
}
