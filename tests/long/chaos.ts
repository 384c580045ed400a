// A chaos test: edits, git operations, killed processes and a full disk change a large repository,
// while four clients ask. Each answer is compared with `git grep`.
//
// npm run chaos -- [--files N] [--minutes N] [--seed N] [--folder DIR]
//
// The disk is filled only if it has less than 8 GiB free, such as
// `mount -t tmpfs -o size=2g tmpfs DIR`.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Agent } from "./chaos/agent.js";
import {
	type Answer,
	type Client,
	memoryOf,
	type Question,
} from "./chaos/client.js";
import { Editor } from "./chaos/editor.js";
import { anyEvent, EVENTS, type World } from "./chaos/events.js";
import { Terminal } from "./chaos/terminal.js";
import { Tree } from "./chaos/tree.js";
import { type Truth, truthOf } from "./chaos/truth.js";
import { Visitor } from "./chaos/visitor.js";
import { wholeNumber } from "./whole-number.js";

/** The names that every client is asked about after an event. */
const ASKED_NAMES = 3;

interface Tally {
	events: number;
	answers: number;
	rows: number;
	duringEvents: number;
	faults: number;
}

class Chaos {
	readonly #world: World;
	readonly #clients: readonly Client[];
	readonly #started = Date.now();
	readonly tally: Tally = {
		events: 0,
		answers: 0,
		rows: 0,
		duringEvents: 0,
		faults: 0,
	};

	constructor(world: World, visitor: Visitor) {
		this.#world = world;
		const { agent, terminal, editor } = world;
		this.#clients = [agent, terminal, editor, visitor];
	}

	/** Lets one thing happen while the clients ask, and then asks all of them the same. */
	async round(): Promise<void> {
		const { tree } = this.#world;
		const name = anyEvent(tree);
		const before = tree.namesIn(tree.anyFile())[0];
		const started = Date.now();
		const [outcome] = await Promise.all([
			EVENTS[name]?.(this.#world),
			this.#askDuring(before, name === "killed server"),
		]);
		this.tally.events += 1;
		const names = new Set(outcome?.names);
		if (before !== undefined) names.add(before);
		await this.#check(chosen([...names], tree.pick));
		const took = ((Date.now() - started) / 1000).toFixed(1);
		this.say(`${name}: ${outcome?.says ?? ""} (${took} s; ${this.memory()})`);
	}

	/** Asks about a name while files change. Each client has to answer. */
	async #askDuring(name: string | undefined, isKilled: boolean): Promise<void> {
		if (name === undefined) return;
		await Promise.all(
			this.#clients.map(async (client) => {
				try {
					const answer = await client.ask("search", name);
					this.tally.duringEvents += 1;
					if (answer.isError)
						this.#fault(`${client.name}, meanwhile: ${answer.says}`);
				} catch (problem) {
					if (isKilled && client === this.#world.agent) return;
					this.#fault(`${client.name}, meanwhile: ${problem}`);
				}
			}),
		);
	}

	async #check(names: readonly string[]): Promise<void> {
		for (const name of names) {
			const truth = await truthOf(this.#world.tree.folder, name);
			await Promise.all(
				this.#clients.map((client) => this.#checkClient(client, truth)),
			);
		}
	}

	async #checkClient(client: Client, truth: Truth): Promise<void> {
		for (const question of client.questions) {
			const asked = `${client.name}, ${question} ${truth.name}`;
			try {
				const answer = await client.ask(question, truth.name);
				this.tally.answers += 1;
				this.tally.rows += answer.all.size;
				for (const fault of faultsOf(question, answer, truth)) {
					this.#fault(`${asked}: ${fault}`);
				}
			} catch (problem) {
				this.#fault(`${asked}: ${problem}`);
			}
		}
	}

	/** Returns the resident memory of each client's process. */
	memory(): string {
		return this.#clients
			.flatMap((client) =>
				client
					.processes()
					.map((pid) => `${client.name} ${memoryOf(pid).toFixed(0)} MiB`),
			)
			.join(", ");
	}

	#fault(what: string): void {
		this.tally.faults += 1;
		this.say(`FAULT ${what}`);
	}

	say(line: string): void {
		const minutes = ((Date.now() - this.#started) / 60_000).toFixed(1);
		process.stdout.write(`${minutes.padStart(5)}  ${line}\n`);
	}

	async close(): Promise<void> {
		await Promise.all(this.#clients.map((client) => client.close()));
	}
}

/** Chooses a few of many names. */
function chosen(names: string[], pick: (below: number) => number): string[] {
	while (names.length > ASKED_NAMES) names.splice(pick(names.length), 1);
	return names;
}

/** Says what of an answer is false or missing. */
function* faultsOf(
	question: Question,
	answer: Answer,
	truth: Truth,
): Generator<string> {
	if (question !== "search" && truth.definitions.size === 0) {
		for (const place of answer.current) {
			if (!truth.lines.has(place)) yield `false row ${place}`;
		}
		return;
	}
	if (answer.isError) return yield answer.says;
	const expected = {
		locate: truth.definitions,
		"where-used": truth.uses,
		search: truth.lines,
	}[question];
	for (const place of answer.current) {
		if (!expected.has(place)) yield `false row ${place} (${answer.says})`;
	}
	for (const place of expected) {
		if (!answer.all.has(place)) yield `missing row ${place} (${answer.says})`;
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			files: { type: "string", default: "70000" },
			minutes: { type: "string", default: "60" },
			seed: { type: "string", default: "1" },
			folder: { type: "string", default: tmpdir() },
		},
	});
	const minutes = wholeNumber(values.minutes, 1);
	const above = realpathSync(mkdtempSync(join(values.folder, "ragnav-chaos-")));
	try {
		const tree = await Tree.create(
			join(above, "tree"),
			wholeNumber(values.files, 1000),
			wholeNumber(values.seed, 0),
		);
		const editor = await Editor.start(tree.folder);
		const visitor = await Visitor.start(tree.folder);
		const agent = new Agent(tree.folder);
		const terminal = new Terminal(tree.folder);
		const chaos = new Chaos({ tree, agent, terminal, editor }, visitor);
		chaos.say(`${values.files} files, seed ${values.seed}`);
		const end = Date.now() + minutes * 60_000;
		while (Date.now() < end) await chaos.round();
		for (const [result, count] of editor.builds) {
			chaos.say(`builds of the watcher: ${count} × ${result}`);
		}
		const { events, answers, rows, duringEvents, faults } = chaos.tally;
		chaos.say(
			`${events} events, ${answers} answers with ${rows} rows after them, ` +
				`${duringEvents} answers during them, ${faults} faults`,
		);
		await chaos.close();
		if (faults > 0) process.exitCode = 1;
	} finally {
		rmSync(above, { recursive: true, force: true, maxRetries: 5 });
	}
}

await main();
