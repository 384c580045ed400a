/** The messages between a build and its workers. */

import type { LanguagePlugin } from "../../generated/glue.js";

/** The first message to a worker: the compiled core, and the languages to add to it. */
export interface Begin {
	module: WebAssembly.Module;
	plugins: LanguagePlugin[];
}

/** A compiled grammar. A worker receives it before the first task that needs it. */
export interface AddGrammar {
	language: string;
	grammar: WebAssembly.Module;
	/** The name of the function that returns the grammar. Default: that of the language. */
	functionName?: string;
}

/** Files to extract. Their bytes follow each other in one buffer. */
export interface Task {
	id: number;
	files: TaskFile[];
	bytes: ArrayBuffer;
}

export interface TaskFile {
	path: string;
	length: number;
	/** The hash of the facts in the index, if it has some. */
	recorded_hash: Uint8Array | null;
}

/** The facts of a task's files, or the message of the panic that stopped the core. */
export type Result =
	| { id: number; lengths: number[]; bytes: ArrayBuffer }
	| { id: number; panic: string };

/** A worker thread with its own core. */
export interface Helper {
	post(message: Begin | AddGrammar | Task, transfer: ArrayBuffer[]): void;
	/** Registers the listeners. The pool calls it once, before the first message. */
	listen(onResult: (result: Result) => void, onFailure: () => void): void;
	stop(): void;
}
