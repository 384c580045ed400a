import type { Navigator, OpenOptions } from "../../core/navigator.js";
import type { BuildResult } from "../../entries/node.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-codes.js";
import { note } from "./note.js";
import { printBuild, printUpdate } from "./print/index-state.js";
import {
	openRepositories,
	type Repositories,
	shownRepositories,
} from "./repositories.js";
import { formatOf, type RepositoryFlags } from "./terminal.js";
import { newView } from "./view.js";

/** What goes on while a repository is watched. */
export interface Watched {
	/** Says what goes on. */
	words: string;
	/** Says what follows if the watcher cannot prove freshness. */
	without_proof: string;
	/** Begins it, and returns what ends it. */
	begin(nav: Navigator): Promise<() => void>;
}

const ONLY_BUILDS: Watched = {
	words: "watching for changes",
	without_proof: "changes may go unnoticed",
	begin: async () => () => undefined,
};

/** The longest time a timer can be set to, in milliseconds. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Builds the index and keeps it up to date until SIGINT or SIGTERM, with a line for each build that
 * changed something or failed; gives the exit code. A first build that fails ends it. Once the
 * repository is watched, something else may go on meanwhile.
 */
export async function keepUpToDate(
	repositories: Repositories,
	flags: RepositoryFlags,
	options: OpenOptions,
	{ words, without_proof, begin }: Watched = ONLY_BUILDS,
): Promise<number> {
	const nav = await openRepositories(repositories, options);
	const interrupted = interruption();
	let first: BuildResult | undefined;
	let end: (() => void) | undefined;
	const firstBuild = (result: BuildResult) => {
		const { rows, summary } = printBuild(result, false, view);
		return [...rows, ...summary].join("\n");
	};
	const json = formatOf(flags) !== "text";
	const view = newView(repositories, { color: flags.color, layout: "lines" });
	const onBuild = (result: BuildResult) => {
		if (first === undefined) {
			first = result;
			print(json ? JSON.stringify(result) : firstBuild(result));
		} else if (!result.up_to_date) {
			print(json ? JSON.stringify(result) : printUpdate(result, view));
		}
	};
	const watching = nav.watch({ onBuild });
	const begun = await Promise.race([watching, interrupted.promise]);
	try {
		if (begun === undefined) return EXIT_OK;
		if (first?.meta.status === "ERROR") return EXIT_ERROR;
		end = await begin(nav);
		if (begun.reason !== null) {
			const so = `${begun.reason}, so ${without_proof}`;
			note(`${shownRepositories(repositories)} is watched, but ${so}`);
		}
		if (!json) print(`${words}, until it is interrupted`);
		await interrupted.promise;
		return EXIT_OK;
	} finally {
		end?.();
		interrupted.end();
		nav.close();
	}
}

/** Resolves at SIGINT or SIGTERM, and keeps the process running until then. */
function interruption(): { promise: Promise<undefined>; end: () => void } {
	const { promise, resolve } = withResolver();
	const timer = setInterval(() => undefined, FOREVER_MS);
	const interrupt = () => resolve(undefined);
	process.once("SIGINT", interrupt);
	process.once("SIGTERM", interrupt);
	const end = () => {
		clearInterval(timer);
		process.off("SIGINT", interrupt);
		process.off("SIGTERM", interrupt);
	};
	return { promise, end };
}

function withResolver() {
	let resolve: (value: undefined) => void = () => undefined;
	const promise = new Promise<undefined>((given) => {
		resolve = given;
	});
	return { promise, resolve };
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}
