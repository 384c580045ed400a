import type { ErrorCode } from "../generated/glue.js";

/** A failure with a code that programs test: thrown by `open` and the pure functions on misuse. */
export class RagnavError extends Error {
	readonly code: ErrorCode;

	constructor(code: ErrorCode, message: string) {
		super(message);
		this.name = "RagnavError";
		this.code = code;
	}
}

/** What the core throws, as an error; anything else is a defect of the core and gives `undefined`. */
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

/** The message of whatever was thrown, also of what has no words at all. */
export function messageOf(thrown: unknown): string {
	try {
		return String(thrown instanceof Error ? thrown.message : thrown);
	} catch {
		return "something that cannot be told as text was thrown";
	}
}
