import type {
	Host,
	MaybePromise,
	Navigator,
	OpenOptions,
} from "../../../core/api.js";

/**
 * A repository that the program uses too. Its host has the unsaved text, and the program closes its
 * navigator.
 */
export interface SharedRepository {
	nav: Navigator;
	host: Host;
}

/** The options of `serveLanguage`. */
export interface LanguageServerOptions {
	/**
	 * Opens the host of a workspace folder, given by its URI, or returns a repository that the program
	 * has opened. The server calls it at the first request about the folder, and again if it failed.
	 */
	openHost(folder: string): MaybePromise<Host | SharedRepository>;
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

/** The options of a server over a connection. */
export interface ConnectionOptions extends Omit<LanguageServerOptions, "open"> {
	/** Returns how the repository of a folder is opened. */
	openOptions(folder: string): OpenOptions;
}

/** A server that runs. */
export interface LanguageServer {
	/** Resolves when the client has sent `exit`, or the server was closed; `true` after `shutdown`. */
	readonly ended: Promise<boolean>;
	/** Ends the server and frees its navigators. */
	close(): void;
}
