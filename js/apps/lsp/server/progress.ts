import { WorkDoneProgressReporter } from "vscode-languageserver";
import type { Progress } from "../../../core/driver.js";

/** The progress of one request. */
export interface RequestProgress {
	report(progress: Progress): void;
	end(): void;
}

/** Reports the progress of a request to a client that asked for it. */
export function reportProgress(
	title: string,
	reporter: WorkDoneProgressReporter | undefined,
): RequestProgress {
	const isWanted =
		reporter !== undefined &&
		!WorkDoneProgressReporter.isNullInstance(reporter);
	if (!isWanted) return { report: () => undefined, end: () => undefined };
	reporter.begin(title, undefined, undefined, true);
	return {
		report: ({ done, total, phase }) => {
			const message = `${phase}: ${done}${total === null ? "" : ` of ${total}`}`;
			const percentage = total ? (100 * done) / total : undefined;
			if (percentage === undefined) reporter.report(message);
			else reporter.report(percentage, message);
		},
		end: () => reporter.done(),
	};
}
