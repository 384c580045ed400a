import type { Ask } from "../../generated/glue.js";
import type { Failure, Reader } from "../host.js";
import { join } from "./extract.js";
import type { Helper, Result } from "./protocol.js";

/** How this program starts helpers, and how many it should have. */
export interface StartHelpers {
	count(): number;
	/** May throw where workers are not allowed. */
	start(): Helper;
}

/** More workers than these cost more memory than the time they save is worth, unless the caller says so. */
export const MAX_DEFAULT_WORKERS = 4;

/** How many files a worker is given at a time. */
const TASK_FILES = 16;
/** How many tasks a worker has at most, so that it need not wait for the next one. */
const TASKS_AHEAD = 2;

export type ExtractAsk = Extract<Ask, { ask: "extract" }>;
type Extracted = Uint8Array | Failure;

/** Thrown where a worker's core stopped on a defect. */
export class HelperPanic extends Error {}

/** Workers that extract the files of one build. */
export class HelperPool {
	readonly #module: WebAssembly.Module;
	readonly #start: StartHelpers;
	readonly #count: number;
	#helpers: Member[] | undefined;
	#nextId = 0;
	readonly #waiting = new Map<number, Waiting>();

	/** `count` workers are started when there is something to do; with 0 there is nobody to help. */
	constructor(
		module: WebAssembly.Module,
		start: StartHelpers,
		count = start.count(),
	) {
		this.#module = module;
		this.#start = start;
		this.#count = count;
	}

	/**
	 * What the files come to; `null` where there are no workers, or they do not run here.
	 *
	 * @throws {HelperPanic} where the core stopped on a defect.
	 */
	async extract(
		ask: ExtractAsk,
		host: Reader,
		onDone: (files: number) => void,
	): Promise<Extracted[] | null> {
		this.#helpers ??= this.#startAll();
		if (this.#helpers.length === 0) return null;
		const work = new Work(ask, host, onDone);
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

	/** Ends the workers. */
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
		const member = { helper };
		helper.listen(
			(result) => this.#take(result),
			() => this.#fail(member),
		);
		helper.post({ module: this.#module }, []);
		return member;
	}

	/** Gives a worker one task after the other until there are none. */
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

/** A worker ended by itself, or could not begin. */
const FAILED = Symbol("a worker failed");

interface Member {
	helper: Helper;
}

interface Waiting {
	member: Member;
	resolve(result: Result): void;
	reject(reason: unknown): void;
}

interface ReadTask {
	files: { path: string; length: number; known: Uint8Array | null }[];
	bytes: Uint8Array[];
	/** The places of the files among all that were asked for. */
	places: number[];
}

/** The files of one ask: read as the workers come for them. */
class Work {
	readonly extracts: Extracted[];
	readonly #ask: ExtractAsk;
	readonly #host: Reader;
	readonly #onDone: (files: number) => void;
	#given = 0;
	#done = 0;

	constructor(ask: ExtractAsk, host: Reader, onDone: (files: number) => void) {
		this.#ask = ask;
		this.#host = host;
		this.#onDone = onDone;
		this.extracts = new Array(ask.files.length);
	}

	/** The next files, with their bytes; `undefined` where all were given. */
	async next(): Promise<ReadTask | undefined> {
		for (;;) {
			const start = this.#given;
			const files = this.#ask.files.slice(start, start + TASK_FILES);
			if (files.length === 0) return undefined;
			this.#given += files.length;
			const read = await this.#host.readMany(
				files.map(({ path }) => path),
				{ max_bytes: this.#ask.max_bytes },
			);
			checkCount(files.length, read);
			const task: ReadTask = { files: [], bytes: [], places: [] };
			for (const [at, found] of read.entries()) {
				const file = files[at];
				if (file === undefined) continue;
				if (!(found instanceof Uint8Array)) {
					this.#take(start + at, found);
				} else if (found.length > this.#ask.max_bytes) {
					this.#take(start + at, { error: "too_large" });
				} else {
					task.files.push({ ...file, length: found.length });
					task.bytes.push(found);
					task.places.push(start + at);
				}
			}
			if (task.files.length > 0) return task;
		}
	}

	put(task: ReadTask, lengths: number[], bytes: ArrayBuffer): void {
		let start = 0;
		for (const [at, length] of lengths.entries()) {
			this.#take(task.places[at] ?? 0, new Uint8Array(bytes, start, length));
			start += length;
		}
		this.#onDone(this.#done);
	}

	#take(place: number, extracted: Extracted): void {
		this.extracts[place] = extracted;
		this.#done += 1;
	}
}

function checkCount(asked: number, read: unknown): void {
	if (Array.isArray(read) && read.length === asked) return;
	throw new Error(
		`it was asked for ${asked} files and answered for ${Array.isArray(read) ? read.length : "none"}; it must answer for each, in order`,
	);
}
