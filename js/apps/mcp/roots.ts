import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { LanguagePlugin } from "../../core/language-plugins.js";
import type { LimitOptions } from "../../core/limits.js";
import type { Navigator } from "../../core/navigator.js";
import { open } from "../../entries/node.js";
import { nodeHost } from "../../hosts/node/host.js";

/** How repositories are opened. */
export interface RootOptions {
	readOnly: boolean;
	limits: LimitOptions;
	/** Further languages. */
	languages?: LanguagePlugin[];
}

/** The repositories of a server. */
export class Roots {
	readonly #roots: Root[];

	constructor(folders: string[], options: RootOptions) {
		const paths = [...new Set(folders.map((folder) => resolve(folder)))];
		const names = namesOf(paths);
		this.#roots = paths.map(
			(path, index) => new Root(names[index] ?? path, path, options),
		);
	}

	/** The one of that name or path, the first where nothing is said; `undefined` where there is none. */
	named(given: string | undefined): Root | undefined {
		if (given === undefined) return this.#roots[0];
		return (
			this.#roots.find(({ name }) => name === given) ??
			this.#roots.find(({ path }) => isSamePlace(path, given))
		);
	}

	/** What they are called, the first of them being the default. */
	get names(): string[] {
		return this.#roots.map(({ name }) => name);
	}

	close(): void {
		for (const root of this.#roots) root.close();
	}
}

/** A repository with one navigator, which is opened when it is first asked. */
export class Root {
	readonly name: string;
	readonly path: string;
	readonly #options: RootOptions;
	#nav: Promise<Navigator> | undefined;

	constructor(name: string, path: string, options: RootOptions) {
		this.name = name;
		this.path = path;
		this.#options = options;
	}

	navigator(): Promise<Navigator> {
		this.#nav ??= this.#open();
		return this.#nav;
	}

	close(): void {
		// Who could not be opened has told its callers.
		this.#nav?.then((nav) => nav.close()).catch(() => undefined);
	}

	async #open(): Promise<Navigator> {
		const { readOnly, limits, languages } = this.#options;
		const host = nodeHost(this.path, { readOnly });
		const nav = await open(host, { ...limits, languages });
		// The first question need not wait for it.
		void watched(nav);
		return nav;
	}
}

/** Has a repository watched, where that lets questions spare looking at the files. Nothing is built for it. */
async function watched(nav: Navigator): Promise<void> {
	const watching = await nav.watch({ build: false });
	if (watching.reason !== null) watching.close();
}

/** The ends of the paths, as short as they can be told apart by. */
function namesOf(paths: string[]): string[] {
	const parts = paths.map((path) => path.split(sep).filter(Boolean));
	return parts.map((own, index) => {
		const others = parts.filter((_, other) => other !== index);
		for (let length = 1; length <= own.length; length += 1) {
			const name = endOf(own, length);
			if (others.every((other) => endOf(other, length) !== name)) return name;
		}
		return paths[index] ?? "";
	});
}

function endOf(parts: string[], length: number): string {
	return parts.slice(-length).join("/");
}

function isSamePlace(path: string, given: string): boolean {
	return path === resolve(given) || real(path) === real(given);
}

/** The path without links; where there is nothing, as it is. */
function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return resolve(path);
	}
}
