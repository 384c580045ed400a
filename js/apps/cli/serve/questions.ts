import type { Navigator } from "../../../entries/node.js";

/** The methods of a navigator that a server answers, and their number of parameters. */
export const PARAMETERS = {
	query: 3,
	ask: 2,
	status: 1,
	route: 1,
} as const;

/** The name of a method that a server answers. */
export type Method = keyof typeof PARAMETERS;

/** A navigator as far as a server can stand in for it. The last parameters are options of calls. */
export type Questions = Pick<Navigator, Method>;

/** What is closed after its last question. */
export interface Closable {
	close(): void;
}

/** How often a server that has no answer yet sends an empty line, in milliseconds. */
export const BEAT_MS = 500;

/** The silence after which a server counts as stuck, in milliseconds. */
export const SILENCE_MS = 4000;

/**
 * What a client sends, as one line of JSON: the parameters of a call, without what only its own
 * process has. The server sends the answer as one line of JSON, after empty lines.
 */
export interface Question {
	method: Method;
	parameters: unknown[];
}
