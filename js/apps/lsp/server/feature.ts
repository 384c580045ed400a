import type {
	CancellationToken,
	Connection,
	ServerCapabilities,
	WorkDoneProgressReporter,
} from "vscode-languageserver";
import type { CallOptions } from "../../../core/driver.js";
import { askedLine } from "./asked-line.js";
import { failureOf, textChanged } from "./failures.js";
import { type CreateProgress, reportProgress } from "./progress.js";
import type { Session } from "./session.js";

/** Answers the requests of one method. */
export type Answering<Params, Result> = (
	session: Session,
	params: Params,
	call: CallOptions,
) => Promise<Result>;

/** Handles the requests of one method as the connection wants it. */
export type Handler<Params, Result> = (
	params: Params,
	token: CancellationToken,
	reporter?: WorkDoneProgressReporter,
) => Promise<Result>;

/** What a feature registers its requests with. */
export interface Registration {
	connection: Connection;
	/** Makes a handler of a function that answers; the title stands beside the progress. */
	handler<Params, Result>(
		title: string,
		answer: Answering<Params, Result>,
	): Handler<Params, Result>;
}

/** A group of requests that the server answers. */
export interface Feature {
	/** What the server announces of it. */
	capabilities(session: Session): ServerCapabilities;
	register(registration: Registration): void;
}

/** What handlers are made with. */
export interface HandlerParts {
	/** Returns the session, or throws before it starts and after it ended. */
	session(): Session;
	createProgress: CreateProgress;
}

/**
 * Returns a function that makes handlers. A handler ends its query when the client cancels the
 * request, reports its progress, and turns every exception into an error of the protocol.
 */
export function handlersOf({
	session,
	createProgress,
}: HandlerParts): Registration["handler"] {
	return (title, answer) => async (params, token, reporter) => {
		const controller = new AbortController();
		const cancel = () => controller.abort();
		if (token.isCancellationRequested) cancel();
		token.onCancellationRequested(cancel);
		const progress = reportProgress(title, reporter, createProgress, cancel);
		try {
			const { documents } = session();
			const line = askedLine(documents, params);
			const result = await answer(session(), params, {
				signal: controller.signal,
				onProgress: (now) => progress.report(now),
			});
			if (askedLine(documents, params) !== line) throw textChanged();
			return result;
		} catch (thrown) {
			throw failureOf(thrown);
		} finally {
			progress.end();
		}
	};
}
