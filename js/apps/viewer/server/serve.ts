import "../../../entries/core-node.js";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { open } from "../../../core/api.js";
import { RagnavError } from "../../../core/errors.js";
import { nodeHost } from "../../../hosts/node/host.js";
import type { ReadLanguage } from "../../languages/languages-file.js";
import { appFiles } from "./app-files.js";
import { openInBrowser } from "./open-in-browser.js";
import { RepositoryFiles } from "./repository-files.js";
import { viewerServer } from "./server.js";
import { writeStatic } from "./static-output.js";

export interface ViewerOptions {
	repo: string;
	/** The port; 0 for any free one. */
	port: number;
	/** The folder for static files; `undefined` to serve the viewer instead. */
	out: string | undefined;
	/** Whether to open the page in the user's browser. */
	open: boolean;
	/** Further languages. */
	languages: readonly ReadLanguage[];
}

/** Serves the viewer on this machine until it is interrupted, or writes it as static files. */
export async function view(options: ViewerOptions): Promise<void> {
	await checkLanguages(options);
	const files = new RepositoryFiles(options.repo);
	try {
		if (options.out === undefined) await serveUntilInterrupted(files, options);
		else await writeOut(files, options, options.out);
	} finally {
		files.close();
	}
}

/** Opens the languages once, because the page would fail on an invalid one at each start. */
async function checkLanguages({ repo, languages }: ViewerOptions) {
	if (languages.length === 0) return;
	const nav = await open(nodeHost(repo), { languages });
	nav.close();
}

async function writeOut(
	files: RepositoryFiles,
	{ repo, languages }: ViewerOptions,
	out: string,
): Promise<void> {
	const app = appFiles(languages);
	const written = await writeStatic(files, app, { repo, out });
	const { folder, files: count, bytes } = written;
	const size = (bytes / 1e6).toFixed(1);
	say(`${folder}: the viewer and ${count} files (${size} MB)`);
}

async function serveUntilInterrupted(
	files: RepositoryFiles,
	{ port, languages, ...options }: ViewerOptions,
): Promise<void> {
	const server = viewerServer(files, appFiles(languages));
	// Never on another address, because the code may be private.
	server.listen(port, "127.0.0.1");
	try {
		await once(server, "listening");
	} catch (thrown) {
		throw listenError(thrown, port);
	}
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	say(`${url} (Ctrl+C ends it)`);
	if (options.open) openInBrowser(url);
	await Promise.race(
		["SIGINT", "SIGTERM"].map((signal) => once(process, signal)),
	);
	server.closeAllConnections();
	server.close();
}

/** Returns the error for a port that is not available, with what to do. */
function listenError(thrown: unknown, port: number): unknown {
	const { code } = thrown as NodeJS.ErrnoException;
	const why = {
		EADDRINUSE: "is taken",
		EACCES: "may not be used by this user",
	}[code ?? ""];
	if (why === undefined) return thrown;
	return new RagnavError(
		"INVALID_ARGUMENT",
		`port ${port} ${why}; give another one with --port, or 0 for any free one`,
	);
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
