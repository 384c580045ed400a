// The events of the test: changes of the repository, and killed processes.
import { once } from "node:events";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Agent } from "./agent.js";
import { canFill, fillDisk } from "./disk.js";
import type { Editor } from "./editor.js";
import { runGit } from "./git.js";
import type { Terminal } from "./terminal.js";
import type { Tree } from "./tree.js";

/** The result of an event: the names that it affects, and words for the log. */
export interface Outcome {
	names: string[];
	says?: string;
}

export interface World {
	tree: Tree;
	agent: Agent;
	terminal: Terminal;
	editor: Editor;
}

type Event = (world: World) => Promise<Outcome>;

/** The longest time after which a build is killed. */
const KILLED_WITHIN_MS = 6000;

/** The events by name. Those at the top are the most frequent ones. */
export const EVENTS: Record<string, Event> = {
	edits: ({ tree }) => editSome(tree, 20),
	"one edit": ({ tree }) => editSome(tree, 1),
	"many edits": ({ tree }) => editSome(tree, 400),
	commit: commitAll,
	"move of a package": async ({ tree }) => ({
		names: await tree.movePackage(),
	}),
	checkout: checkOutEarlier,
	rebase: rebaseTopic,
	stash: stashAll,
	build: buildByOne,
	"killed build": killBuild,
	"killed server": killServer,
	"full disk": buildOnFullDisk,
};

/** Chooses an event; earlier ones are more frequent. */
export function anyEvent({ pick }: Tree): string {
	const names = Object.keys(EVENTS);
	const at = Math.min(pick(names.length), pick(names.length + 8));
	return names[at] ?? "edits";
}

async function editSome(tree: Tree, most: number): Promise<Outcome> {
	const names: string[] = [];
	for (let left = 1 + tree.pick(most); left > 0; left--) {
		names.push(...(await tree.edit()));
	}
	await tree.listFiles();
	return { names };
}

async function commitAll({ tree }: World): Promise<Outcome> {
	const { folder } = tree;
	await runGit(folder, "add", "--all");
	await runGit(folder, "commit", "--quiet", "--allow-empty", "-m", "change");
	return { names: [] };
}

/** Returns how many commits lie before HEAD. */
async function depth({ folder }: Tree): Promise<number> {
	return Number(await runGit(folder, "rev-list", "--count", "HEAD")) - 1;
}

/** Goes back by some commits; the branch goes on from there. */
async function checkOutEarlier(world: World): Promise<Outcome> {
	const { tree } = world;
	const { names } = await editSome(tree, 40);
	await commitAll(world);
	const back = 1 + tree.pick(Math.min(3, await depth(tree)));
	await runGit(
		tree.folder,
		...["checkout", "--quiet", "--force", "-B", "main", `HEAD~${back}`],
	);
	await tree.listFiles();
	return { names, says: `${back} back` };
}

async function rebaseTopic(world: World): Promise<Outcome> {
	const { tree } = world;
	const { folder } = tree;
	const first = await editSome(tree, 20);
	await commitAll(world);
	await runGit(folder, "checkout", "--quiet", "-B", "topic", "HEAD~1");
	await tree.listFiles();
	const second = await editSome(tree, 20);
	await commitAll(world);
	let says = "applied";
	try {
		await runGit(folder, "rebase", "--quiet", "main");
	} catch {
		says = "aborted";
		await runGit(folder, "rebase", "--abort");
	}
	await runGit(folder, "checkout", "--quiet", "-B", "main");
	await tree.listFiles();
	return { names: [...first.names, ...second.names], says };
}

/** Puts changes aside; half of the time they come back. */
async function stashAll(world: World): Promise<Outcome> {
	const { tree } = world;
	await commitAll(world);
	const { names } = await editSome(tree, 30);
	await runGit(tree.folder, "stash", "--include-untracked", "--quiet");
	const isBack = tree.pick(2) === 0;
	await runGit(tree.folder, "stash", isBack ? "pop" : "drop", "--quiet");
	await tree.listFiles();
	return { names, says: isBack ? "popped" : "dropped" };
}

async function buildByOne(world: World): Promise<Outcome> {
	switch (world.tree.pick(3)) {
		case 0:
			return { names: [], says: `mcp ${await world.agent.build()}` };
		case 1:
			return { names: [], says: `watcher ${await world.editor.build()}` };
		default:
			return { names: [], says: `cli ${await buildInTerminal(world)}` };
	}
}

async function buildInTerminal({ terminal }: World): Promise<string> {
	const child = terminal.startBuild();
	let printed = "";
	child.stderr?.on("data", (text) => {
		printed += text;
	});
	const [code] = await once(child, "close");
	return code === 0 ? "OK" : `${code}: ${printed.trim()}`;
}

async function killBuild({ tree, terminal }: World): Promise<Outcome> {
	const { names } = await editSome(tree, 20);
	const child = terminal.startBuild();
	child.stderr?.resume();
	const ended = once(child, "close");
	const time = tree.pick(KILLED_WITHIN_MS);
	await Promise.race([setTimeout(time), ended]);
	child.kill("SIGKILL");
	await ended;
	return { names, says: `after ${time} ms` };
}

async function killServer({ tree, agent }: World): Promise<Outcome> {
	const { names } = await editSome(tree, 5);
	agent.kill();
	return { names };
}

async function buildOnFullDisk(world: World): Promise<Outcome> {
	const { tree } = world;
	const disk = dirname(tree.folder);
	if (!canFill(disk)) return { names: [], says: "not done: the disk is large" };
	const { names } = await editSome(tree, 20);
	const makeRoom = fillDisk(disk);
	try {
		return { names, says: `cli ${await buildInTerminal(world)}` };
	} finally {
		makeRoom();
	}
}
