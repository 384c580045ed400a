import type { Host, MaybePromise, OpenOptions } from "../../../core/api.js";

/** The options of `serveLanguage`. */
export interface LanguageServerOptions {
	/**
	 * Opens the host of a workspace folder, given by its URI. The server calls it at the first request
	 * about the folder, and again if it failed.
	 */
	openHost(folder: string): MaybePromise<Host>;
	/** The folders to serve if the client names none. Default: none. */
	folders?: readonly string[] | null | undefined;
	/** How the repositories are opened. Default: as `open` does without options. */
	open?: OpenOptions | null | undefined;
	/**
	 * Whether to watch folders whose host can, so that queries need not verify unchanged files.
	 * Default `true`.
	 */
	watch?: boolean | null | undefined;
}

/** A server that runs. */
export interface LanguageServer {
	/** Resolves when the client has sent `exit`, or the server was closed; `true` after `shutdown`. */
	readonly ended: Promise<boolean>;
	/** Ends the server and frees its navigators. */
	close(): void;
}
