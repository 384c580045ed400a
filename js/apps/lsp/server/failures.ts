import {
	ErrorCodes,
	LSPErrorCodes,
	ResponseError,
} from "vscode-languageserver";
import type { AnyErrorCode, RagToolMeta } from "../../../core/api.js";
import { messageOf, RagnavError } from "../../../core/errors.js";

/** What a response says of an error besides its message. */
interface FailureData {
	/** ragnav's own code of the failure. */
	error_code: AnyErrorCode;
}

/** Returns the error of a request that is malformed or about something unknown. */
export function invalidParams(message: string): ResponseError<FailureData> {
	return failure("INVALID_ARGUMENT", message);
}

/** Returns the error of a request that failed, with ragnav's code and message. */
export function failure(
	error_code: AnyErrorCode,
	message: string,
): ResponseError<FailureData> {
	return new ResponseError(protocolCode(error_code), message, { error_code });
}

/** Returns the error of a request whose answer may be about another text than it was asked in. */
export function textChanged(): ResponseError {
	return new ResponseError(
		LSPErrorCodes.ContentModified,
		"the text changed before the answer; ask again",
	);
}

/** Returns any exception as an error of the protocol. */
export function failureOf(thrown: unknown): ResponseError<unknown> {
	if (thrown instanceof ResponseError) return thrown;
	const code = thrown instanceof RagnavError ? thrown.code : "HOST_FAILED";
	return failure(code, messageOf(thrown));
}

/**
 * Returns an answer that is no error.
 *
 * @throws ResponseError with the answer's message if its status is `ERROR`
 */
export function succeeded<Answer extends { meta: RagToolMeta }>(
	answer: Answer,
): Answer {
	const { status, error_code, message } = answer.meta;
	if (status !== "ERROR") return answer;
	throw failure(error_code ?? "INTERNAL_PANIC", message ?? "the query failed");
}

/**
 * Returns the answer about the name at a place; `undefined` if no name of a definition or reference
 * stands there, as in a comment.
 *
 * @throws ResponseError with the answer's message if it failed for another reason
 */
export function aboutName<Answer extends { meta: RagToolMeta }>(
	answer: Answer,
): Answer | undefined {
	if (answer.meta.error_code === "INVALID_ARGUMENT") return undefined;
	return succeeded(answer);
}

function protocolCode(code: AnyErrorCode): number {
	if (code === "INVALID_ARGUMENT") return ErrorCodes.InvalidParams;
	if (code === "CANCELLED") return LSPErrorCodes.RequestCancelled;
	if (code === "STALE_CURSOR") return LSPErrorCodes.ContentModified;
	return LSPErrorCodes.RequestFailed;
}
