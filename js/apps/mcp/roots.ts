import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { LanguagePlugin } from "../../core/language-plugins.js";
import type { LimitOptions } from "../../core/limits.js";
import type { Navigator } from "../../core/navigator.js";
import { open, RagnavError } from "../../entries/node.js";
import { nodeHost } from "../../hosts/node/host.js";
import { pathInFolders } from "../../hosts/node/path-in-folders.js";
import { type NamedFolder, namedFolders } from "../../hosts/node/root-names.js";

/** The options with which repositories are opened. */
export interface RootOptions {
	readOnly: boolean;
	limits: LimitOptions;
	/** Further languages. */
	languages?: LanguagePlugin[];
	/** The absolute paths of SCIP indexes, each for the repository that contains it. */
	scip?: string[];
}

/** The repositories of a server. */
export class Roots {
	readonly #roots: Root[];
	/** All repositories as one. */
	readonly #all: Root;

	/**
	 * Parses folders as `DIR` or `NAME=DIR`.
	 *
	 * @throws {RagnavError} `INVALID_ARGUMENT` for a SCIP index outside of all of them
	 */
	constructor(folders: readonly string[], options: RootOptions) {
		const [first = ".", ...others] = folders;
		const named = namedFolders([first, ...others]);
		this.#roots = named.map((folder) => new Root([folder], options));
		const [only, ...more] = this.#roots;
		this.#all =
			only !== undefined && more.length === 0 ? only : new Root(named, options);
		for (const file of options.scip ?? []) requireInside(this.#all, file);
	}

	/**
	 * Returns the repository with a name or a path; without one, all repositories as one. Returns
	 * `undefined` if there is none.
	 */
	named(given: string | undefined): Root | undefined {
		if (given === undefined) return this.#all;
		return (
			this.#roots.find(({ name }) => name === given) ??
			this.#roots.find(({ path }) => isSamePlace(path, given))
		);
	}

	/** The names of the repositories. */
	get names(): string[] {
		return this.#roots.map(({ name }) => name);
	}

	close(): void {
		for (const root of new Set([...this.#roots, this.#all])) root.close();
	}
}

/** A repository, or several as one, with a navigator that the first call opens. */
export class Root {
	readonly #folders: readonly [NamedFolder, ...NamedFolder[]];
	readonly #options: RootOptions;
	#nav: Promise<Navigator> | undefined;

	constructor(
		folders: readonly [NamedFolder, ...NamedFolder[]],
		options: RootOptions,
	) {
		this.#folders = folders;
		this.#options = options;
	}

	get name(): string {
		return this.#folders[0].name;
	}

	get path(): string {
		return this.#folders[0].path;
	}

	/** Converts the absolute path of a file to its path in answers. */
	pathOf(file: string): string {
		// The core refuses an absolute path.
		return pathInFolders(this.#folders, !this.#isOne, file) ?? file;
	}

	/** Returns the navigator. If it cannot be opened, the next call tries again. */
	navigator(): Promise<Navigator> {
		if (this.#nav !== undefined) return this.#nav;
		const nav = this.#open();
		this.#nav = nav;
		nav.catch(() => {
			this.#nav = undefined;
		});
		return nav;
	}

	close(): void {
		// If it could not be opened, its calls have failed with the reason.
		this.#nav?.then((nav) => nav.close()).catch(() => undefined);
	}

	get #isOne(): boolean {
		return this.#folders.length === 1;
	}

	async #open(): Promise<Navigator> {
		const { readOnly, limits, languages, scip = [] } = this.#options;
		const roots = this.#folders.map(({ name, path }) => ({
			name,
			host: nodeHost(path, { readOnly }),
		}));
		const [{ host }] = roots as [(typeof roots)[number]];
		const inside = scip.map((file) => this.pathOf(file));
		const options = {
			...limits,
			languages,
			scip: inside.filter((path) => !isAbsolute(path)),
		};
		const nav = await (this.#isOne
			? open(host, options)
			: open(roots, options));
		// The first query need not wait for the watcher.
		void startWatch(nav);
		return nav;
	}
}

function requireInside(all: Root, file: string): void {
	if (!isAbsolute(all.pathOf(file))) return;
	const message = `${file} is in no repository of the server; move it to the one that it describes`;
	throw new RagnavError("INVALID_ARGUMENT", message);
}

/** Watches a repository without builds, if queries then need not verify its files. */
async function startWatch(nav: Navigator): Promise<void> {
	const watching = await nav.watch({ build: false });
	if (watching.reason !== null) watching.close();
}

function isSamePlace(path: string, given: string): boolean {
	return path === resolve(given) || real(path) === real(given);
}

/** Returns the path without links; the absolute path if the file is missing. */
function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return resolve(path);
	}
}
