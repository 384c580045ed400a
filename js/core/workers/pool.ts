import type { ExtractRequest } from "../../generated/glue.js";
import { compiledGrammars } from "../grammars.js";
import type { Failure, Reader } from "../host.js";
import type { LoadedPlugin } from "../language-plugins.js";
import { join } from "./extract.js";
import type { AddGrammar, Helper, Result, TaskFile } from "./protocol.js";

/** Starts the workers of this program. */
export interface StartHelpers {
	/** Returns the default number of workers. */
	count(): number;
	/** Starts a worker. Throws if the environment does not allow workers. */
	start(): Helper;
}

/** The maximum of the default: each worker needs memory, and more of them save little time. */
export const MAX_DEFAULT_WORKERS = 4;

/** The number of files in a task. */
const TASK_FILES = 16;
/** The number of tasks that a worker has at a time, so that it need not wait for the next one. */
const TASKS_AHEAD = 2;

type Extracted = Uint8Array | Failure;

/** Thrown if a worker's core stopped on a defect. */
export class HelperPanic extends Error {}

/** The workers that extract the facts of files for one build. */
export class HelperPool {
	readonly #module: WebAssembly.Module;
	readonly #start: StartHelpers;
	readonly #count: number;
	readonly #plugins: readonly LoadedPlugin[];
	#helpers: Member[] | undefined;
	#nextId = 0;
	readonly #waiting = new Map<number, Waiting>();

	/** The first extraction starts `count` workers; with 0 the core extracts the files itself. */
	constructor(
		module: WebAssembly.Module,
		start: StartHelpers,
		count = start.count(),
		plugins: readonly LoadedPlugin[] = [],
	) {
		this.#module = module;
		this.#start = start;
		this.#count = count;
		this.#plugins = plugins;
	}

	/**
	 * Extracts the facts of files; returns `null` without workers, or if they cannot run here.
	 *
	 * @throws {HelperPanic} if a worker's core stopped on a defect.
	 */
	async extract(
		request: ExtractRequest,
		host: Reader,
		onDone: (files: number) => void,
	): Promise<Extracted[] | null> {
		this.#helpers ??= this.#startAll();
		if (this.#helpers.length === 0) return null;
		for (const helper of this.#helpers) {
			addGrammars(helper, request.languages, this.#plugins);
		}
		const work = new Work(request, host, onDone);
		try {
			await Promise.all(
				this.#helpers.flatMap((helper) =>
					Array.from({ length: TASKS_AHEAD }, () => this.#run(helper, work)),
				),
			);
		} catch (thrown) {
			if (thrown !== FAILED) throw thrown;
			this.stop();
			this.#helpers = [];
			return null;
		}
		return work.extracts;
	}

	/** Stops the workers. */
	stop(): void {
		for (const { helper } of this.#helpers ?? []) helper.stop();
		this.#helpers = undefined;
		for (const { reject } of this.#waiting.values()) reject(FAILED);
		this.#waiting.clear();
	}

	#startAll(): Member[] {
		try {
			return Array.from({ length: this.#count }, () => this.#startOne());
		} catch {
			return [];
		}
	}

	#startOne(): Member {
		const helper = this.#start.start();
		const member = { helper, languages: new Set<string>() };
		helper.listen(
			(result) => this.#take(result),
			() => this.#fail(member),
		);
		const plugins = this.#plugins.map(({ plugin }) => plugin);
		helper.post({ module: this.#module, plugins }, []);
		return member;
	}

	/** Sends a worker one task after the other. */
	async #run(member: Member, work: Work): Promise<void> {
		for (;;) {
			const task = await work.next();
			if (task === undefined) return;
			const id = this.#nextId++;
			const result = await new Promise<Result>((resolve, reject) => {
				this.#waiting.set(id, { member, resolve, reject });
				const { joined } = join(task.bytes);
				member.helper.post({ id, files: task.files, bytes: joined }, [joined]);
			});
			if ("panic" in result) throw new HelperPanic(result.panic);
			work.put(task, result.lengths, result.bytes);
		}
	}

	#take(result: Result): void {
		this.#waiting.get(result.id)?.resolve(result);
		this.#waiting.delete(result.id);
	}

	#fail(member: Member): void {
		for (const [id, waiting] of this.#waiting) {
			if (waiting.member !== member) continue;
			this.#waiting.delete(id);
			waiting.reject(FAILED);
		}
	}
}

/** The rejection of tasks whose worker stopped by itself or could not start. */
const FAILED = Symbol("a worker failed");

interface Member {
	helper: Helper;
	/** The languages whose grammars the worker has received. */
	languages: Set<string>;
}

/** Sends a worker the grammars that it lacks. */
function addGrammars(
	{ helper, languages: known }: Member,
	languages: readonly string[],
	plugins: readonly LoadedPlugin[],
): void {
	const missing = languages.filter((language) => !known.has(language));
	const own = compiledGrammars(missing).map(([language, grammar]) => ({
		language,
		grammar,
	}));
	for (const added of [...own, ...compiledPlugins(missing, plugins)]) {
		helper.post(added, []);
		known.add(added.language);
	}
}

function compiledPlugins(
	languages: readonly string[],
	plugins: readonly LoadedPlugin[],
): AddGrammar[] {
	return plugins.flatMap(({ plugin, compiled }) => {
		if (compiled === undefined || !languages.includes(plugin.name)) return [];
		const { module, functionName } = compiled;
		return [{ language: plugin.name, grammar: module, functionName }];
	});
}

interface Waiting {
	member: Member;
	resolve(result: Result): void;
	reject(reason: unknown): void;
}

interface ReadTask {
	files: TaskFile[];
	bytes: Uint8Array[];
	/** The positions of the files in the request. */
	places: number[];
}

/** The files of one request. It reads them when a worker is ready for them. */
class Work {
	readonly extracts: Extracted[];
	readonly #request: ExtractRequest;
	readonly #host: Reader;
	readonly #onDone: (files: number) => void;
	#taken = 0;
	#done = 0;

	constructor(
		request: ExtractRequest,
		host: Reader,
		onDone: (files: number) => void,
	) {
		this.#request = request;
		this.#host = host;
		this.#onDone = onDone;
		this.extracts = new Array(request.files.length);
	}

	/** Reads the next files; returns `undefined` when there are none left. */
	async next(): Promise<ReadTask | undefined> {
		for (;;) {
			const start = this.#taken;
			const files = this.#request.files.slice(start, start + TASK_FILES);
			if (files.length === 0) return undefined;
			this.#taken += files.length;
			const read = await this.#host.readMany(
				files.map(({ path }) => path),
				{ max_bytes: this.#request.max_bytes },
			);
			checkCount(files.length, read);
			const task: ReadTask = { files: [], bytes: [], places: [] };
			for (const [at, content] of read.entries()) {
				const file = files[at];
				if (file === undefined) continue;
				if (!(content instanceof Uint8Array)) {
					this.#store(start + at, content);
				} else if (content.length > this.#request.max_bytes) {
					this.#store(start + at, { error: "too_large" });
				} else {
					task.files.push({ ...file, length: content.length });
					task.bytes.push(content);
					task.places.push(start + at);
				}
			}
			if (task.files.length > 0) return task;
		}
	}

	/** Stores the facts of a task's files. */
	put(task: ReadTask, lengths: number[], bytes: ArrayBuffer): void {
		let start = 0;
		for (const [at, length] of lengths.entries()) {
			this.#store(task.places[at] ?? 0, new Uint8Array(bytes, start, length));
			start += length;
		}
		this.#onDone(this.#done);
	}

	#store(place: number, extracted: Extracted): void {
		this.extracts[place] = extracted;
		this.#done += 1;
	}
}

function checkCount(count: number, read: unknown): void {
	if (Array.isArray(read) && read.length === count) return;
	const returned = Array.isArray(read) ? read.length : "none";
	throw new Error(
		`it was asked for ${count} files and answered for ${returned}; it must answer for each, in order`,
	);
}
