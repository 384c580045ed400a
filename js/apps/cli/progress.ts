import { Presets, SingleBar } from "cli-progress";
import type { CallOptions } from "../../entries/node.js";

/** Work of fewer files is over before a bar could be read. */
const MIN_FILES = 500;

/**
 * Runs long work with a progress bar on a terminal, and ends it in order where the user interrupts it; a second interruption
 * ends the process.
 */
export async function withProgress<T>(
	work: (options: CallOptions) => Promise<T>,
): Promise<T> {
	const interruption = new AbortController();
	const interrupt = () => interruption.abort();
	process.once("SIGINT", interrupt);
	process.once("SIGTERM", interrupt);
	const bar = new SingleBar(
		{
			format: " {bar} {percentage} % · {value} of {total} files{of}",
			stream: process.stderr,
			clearOnComplete: true,
			hideCursor: true,
		},
		Presets.shades_classic,
	);
	let isShown = false;
	try {
		return await work({
			signal: interruption.signal,
			onProgress: ({ done, total, phase }) => {
				if (!process.stderr.isTTY || total === null || total < MIN_FILES) {
					return;
				}
				const of = phase === "documents" ? " divided into documents" : "";
				if (!isShown) {
					bar.start(total, done, { of });
					isShown = true;
				}
				bar.setTotal(total);
				bar.update(done, { of });
			},
		});
	} finally {
		if (isShown) {
			bar.stop();
		}
		process.off("SIGINT", interrupt);
		process.off("SIGTERM", interrupt);
	}
}
