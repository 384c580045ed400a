import {
	type Connection,
	WorkDoneProgressReporter,
	type WorkDoneProgressServerReporter,
} from "vscode-languageserver";
import type { Progress } from "../../../core/driver.js";

/** Creates progress for a client that gave no token; `undefined` if it cannot show any. */
export type CreateProgress = () =>
	| Promise<WorkDoneProgressServerReporter>
	| undefined;

/** The progress of one request. */
export interface RequestProgress {
	report(progress: Progress): void;
	end(): void;
}

/** Returns what creates progress, once the client is known. */
export function progressCreator(
	{ window }: Connection,
	canShow: () => boolean,
): CreateProgress {
	return () => (canShow() ? window.createWorkDoneProgress() : undefined);
}

/**
 * Reports the progress of a request: from its begin to a client that gave a token, and otherwise
 * from the first report of the query, which only long ones have.
 */
export function reportProgress(
	title: string,
	given: WorkDoneProgressReporter | undefined,
	create: CreateProgress,
	cancel: () => void,
): RequestProgress {
	const isGiven =
		given !== undefined && !WorkDoneProgressReporter.isNullInstance(given);
	if (!isGiven) return new CreatedProgress(title, create, cancel);
	given.begin(title, undefined, undefined, true);
	return {
		report: (progress) => report(given, progress),
		end: () => given.done(),
	};
}

/** Progress that the client is asked for when the query turns out to be long. */
class CreatedProgress implements RequestProgress {
	readonly #title: string;
	readonly #create: CreateProgress;
	readonly #cancel: () => void;
	#created: Promise<WorkDoneProgressServerReporter | undefined> | undefined;

	constructor(title: string, create: CreateProgress, cancel: () => void) {
		this.#title = title;
		this.#create = create;
		this.#cancel = cancel;
	}

	report(progress: Progress): void {
		this.#created ??= this.#begin();
		void this.#created.then(
			(reporter) => reporter && report(reporter, progress),
		);
	}

	end(): void {
		void this.#created?.then((reporter) => reporter?.done());
	}

	async #begin(): Promise<WorkDoneProgressServerReporter | undefined> {
		try {
			const reporter = await this.#create();
			reporter?.begin(this.#title, undefined, undefined, true);
			reporter?.token.onCancellationRequested(this.#cancel);
			return reporter;
		} catch {
			// A client that refuses to show progress still gets its answer.
			return undefined;
		}
	}
}

function report(
	reporter: WorkDoneProgressReporter,
	{ done, total, phase }: Progress,
): void {
	const message = `${phase}: ${done}${total === null ? "" : ` of ${total}`}`;
	if (total) reporter.report((100 * done) / total, message);
	else reporter.report(message);
}
