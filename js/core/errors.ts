import type { ErrorCode } from "../generated/glue.js";

/**
 * An error with a code. `open` and the pure functions throw it for misuse; queries never throw.
 *
 * @example
 * ```js
 * import { RagnavError, open } from "ragnav";
 *
 * try {
 *   await open({});
 * } catch (error) {
 *   if (!(error instanceof RagnavError)) throw error;
 *   console.log(error.code); // INVALID_ARGUMENT
 * }
 * ```
 */
export class RagnavError extends Error {
	/** The code, for programs; the message is for people. */
	readonly code: ErrorCode;

	constructor(code: ErrorCode, message: string) {
		super(message);
		this.name = "RagnavError";
		this.code = code;
	}

	/**
	 * Reports whether a value is an error of this class, or of another copy of it: one program may
	 * load both the ES modules and the CommonJS modules of this package.
	 */
	static override [Symbol.hasInstance](value: unknown): boolean {
		return value instanceof Error && value.name === "RagnavError";
	}
}

/** Converts an exception of the core to an error; `undefined` if the core stopped on a defect. */
export function fromCore(thrown: unknown): RagnavError | undefined {
	if (typeof thrown !== "object" || thrown === null) {
		return undefined;
	}
	const { code, message } = thrown as { code?: unknown; message?: unknown };
	if (typeof code !== "string" || typeof message !== "string") {
		return undefined;
	}
	return new RagnavError(code as ErrorCode, message);
}

/** Returns the error of a question about commits to a host that knows none. */
export function noCommits(): Error {
	return new Error(
		"the host has no commits; a host that has them gives `changes` and `readObjects`",
	);
}

/** Returns the message of an exception of any type, also if converting it to a text throws. */
export function messageOf(thrown: unknown): string {
	try {
		return String(thrown instanceof Error ? thrown.message : thrown);
	} catch {
		return "a value without a text form was thrown";
	}
}

/** Returns the message for a core that stopped on a defect. */
export function panicMessage(thrown: unknown): string {
	return `the core stopped on a defect (${messageOf(thrown)}); the next call uses a new core`;
}
