/** Plays a scenario with a tool, in a repository that exists only for that. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../js/build/run.mjs";
import { copyIndex, damageIndex } from "./index-files.mjs";
import { runProgram } from "./process.mjs";
import { changeFiles, writeFiles } from "./steps.mjs";

/** @typedef {import("./types.d.ts").Adapter} Adapter */
/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").Question} Question */
/** @typedef {import("./types.d.ts").Scenario} Scenario */
/** @typedef {import("./types.d.ts").Session} Session */
/** @typedef {import("./types.d.ts").Step} Step */
/** @typedef {{ question: Question, answer: Answer }} Answered */

/**
 * Returns the answers to the questions of a scenario.
 *
 * @param {Adapter} adapter
 * @param {Scenario} scenario
 * @returns {Promise<Answered[]>}
 */
export async function play(adapter, scenario) {
	const reason = whyNotApplicable(adapter, scenario);
	if (reason) return scenario.questions.map(notApplicable(reason));
	const base = mkdtempSync(join(tmpdir(), "freshness-"));
	const played = new Played(adapter, scenario, base);
	try {
		for (const step of scenario.steps) await played.perform(step);
		return await played.answers();
	} catch (error) {
		throw new Problem(`${adapter.name}, ${scenario.id}: ${error}`);
	} finally {
		await played.close();
		await removeFolder(base);
	}
}

/**
 * @param {Adapter} adapter
 * @param {Scenario} scenario
 */
function whyNotApplicable(adapter, { needs = [] }) {
	if (needs.includes("buffers") && !adapter.has_buffers)
		return "The tool takes no unsaved text.";
	if (needs.includes("permissions") && process.getuid?.() === 0)
		return "The superuser may read every file.";
	if (needs.length > 0 && process.platform === "win32")
		return "This system has no such links or permissions.";
	return undefined;
}

/**
 * @param {string} reason
 * @returns {(question: Question) => Answered}
 */
const notApplicable = (reason) => (question) => ({
	question,
	answer: { kind: "not_applicable", reason },
});

/** A scenario while it is played. */
class Played {
	#adapter;
	#scenario;
	#base;
	#folder;
	/** @type {Session | undefined} */
	#session;

	/**
	 * @param {Adapter} adapter
	 * @param {Scenario} scenario
	 * @param {string} base
	 */
	constructor(adapter, scenario, base) {
		this.#adapter = adapter;
		this.#scenario = scenario;
		this.#base = base;
		this.#folder = join(base, "repository");
		mkdirSync(join(base, "scratch"));
		writeFiles(this.#folder, scenario.files);
	}

	/** @param {Step} step */
	async perform(step) {
		const { index_paths } = this.#adapter;
		if (await changeFiles(this.#folder, step, index_paths)) return;
		if (await this.#changeIndex(step)) return;
		switch (step.do) {
			case "enter":
				return this.#moveTo(join(this.#folder, step.folder));
			case "relocate": {
				const to = join(this.#folder, step.folder);
				await this.close();
				renameSync(this.#folder, to);
				return this.#moveTo(to);
			}
			case "buffer":
				return (await this.#open()).setBuffer(step.file, step.text);
			case "close-buffer":
				return (await this.#open()).setBuffer(step.file, null);
			case "ask":
				await this.answers();
				return;
			default:
				throw new Problem(`"${step.do}" is no step. See vector.schema.json.`);
		}
	}

	/** @returns {Promise<Answered[]>} */
	async answers() {
		const session = await this.#open();
		const answered = [];
		for (const question of this.#scenario.questions)
			answered.push({ question, answer: await this.#ask(session, question) });
		return answered;
	}

	async close() {
		await this.#session?.close();
		this.#session = undefined;
	}

	/** @param {string} folder */
	async #moveTo(folder) {
		await this.close();
		this.#folder = folder;
	}

	async #open() {
		const scratch = join(this.#base, "scratch");
		this.#session ??= await this.#adapter.open(this.#folder, scratch);
		return this.#session;
	}

	/**
	 * @param {Session} session
	 * @param {Question} question
	 * @returns {Promise<Answer>}
	 */
	async #ask(session, question) {
		if (this.#adapter.asks.includes(question.ask)) return session.ask(question);
		return { kind: "not_applicable", reason: "The tool has no such query." };
	}

	/**
	 * Performs a step that concerns the index, and reports whether it was one.
	 *
	 * @param {Step} step
	 */
	async #changeIndex(step) {
		const { index_paths: paths } = this.#adapter;
		const kept = join(this.#base, "kept");
		switch (step.do) {
			case "index":
				await (await this.#open()).index();
				return true;
			case "interrupt-index":
				await (await this.#open()).interruptIndex();
				return true;
			case "copy-index":
				copyIndex(await this.#indexElsewhere(step.files), this.#folder, paths);
				return true;
			case "keep-index":
				copyIndex(this.#folder, kept, paths);
				return true;
			case "restore-index":
				copyIndex(kept, this.#folder, paths);
				return true;
			case "damage-index":
				damageIndex(this.#folder, paths, step.how);
				return true;
			default:
				return false;
		}
	}

	/**
	 * Returns another repository with these files and their index.
	 *
	 * @param {Record<string, string>} files
	 */
	async #indexElsewhere(files) {
		const folder = join(this.#base, "elsewhere");
		writeFiles(folder, files);
		const session = await this.#adapter.open(
			folder,
			join(this.#base, "scratch"),
		);
		await session.index();
		await session.close();
		return folder;
	}
}

/** @param {string} folder */
async function removeFolder(folder) {
	// What a scenario made unreadable could not be removed.
	if (process.platform !== "win32")
		await runProgram({
			program: "chmod",
			args: ["-R", "u+rwX", folder],
			cwd: tmpdir(),
		});
	rmSync(folder, { recursive: true, force: true });
}
