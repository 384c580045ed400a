/** What a build and its workers tell each other. */

/** The compiled core, which a worker is told first. */
export interface Begin {
	module: WebAssembly.Module;
}

/** Files to be extracted; their bytes stand in one buffer, one behind the other. */
export interface Task {
	id: number;
	files: TaskFile[];
	bytes: ArrayBuffer;
}

export interface TaskFile {
	path: string;
	length: number;
	/** The hash of what the index has already. */
	known: Uint8Array | null;
}

/** What the files of a task came to, or why the core stopped. */
export type Result =
	| { id: number; lengths: number[]; bytes: ArrayBuffer }
	| { id: number; panic: string };

/** A thread with a core of its own. */
export interface Helper {
	post(message: Begin | Task, transfer: ArrayBuffer[]): void;
	/** Called once, before the first message. */
	listen(onResult: (result: Result) => void, onFailure: () => void): void;
	stop(): void;
}
