import type {
	Commit,
	DirEntry,
	EditorBuffer,
	Failure,
	FileStamp,
	FileTimes,
	GitHead,
	Host,
	IgnoreRules,
	MaybePromise,
	RootState,
} from "../host.js";
import { changesOf, commitsBetweenOf, objectsOf } from "./changes.js";
import { combinedHead } from "./combined-head.js";
import { Mount, type NamedHost } from "./mount.js";
import { checkNames } from "./names.js";
import { watchAll } from "./watch.js";

/** The folder of the index in every repository, with a final `/`. */
const INDEX = ".llmc/";
/** The longest name of a folder with the index of several repositories. */
const MAX_GROUP_NAME = 100;

/** A host over several repositories. */
export interface RootsHost extends Host {
	root: string;
	gitHead(): Promise<GitHead>;
	/** The state of each repository, as the last request saw it. */
	roots(): RootState[];
}

/**
 * Returns one host for several repositories: each is a folder with its name. `open` makes it from
 * its list; it serves `loadIndexStatus` and other functions of a host, too.
 *
 * If a repository fails, its files cannot be read, and `roots()` says why. The others are not
 * affected. The index of all is stored by the first host, if that can write.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for invalid names
 *
 * @example
 * ```js
 * import { rootsHost } from "ragnav";
 * import { memoryHost } from "ragnav/hosts/memory";
 *
 * const host = rootsHost([
 *   { name: "web", host: memoryHost({ "src/a.ts": "" }) },
 *   { name: "api", host: memoryHost({ "main.go": "" }) },
 * ]);
 * const [top] = await host.readDirs([""]);
 * console.log(top.map(({ name }) => name).join()); // web,api
 * ```
 */
export function rootsHost(roots: readonly NamedHost[]): RootsHost {
	checkNames(roots);
	const mounts = roots.map((root) => new Mount(root));
	const files = new MountedFiles(mounts);
	const host: RootsHost = {
		root: mounts.map(({ name }) => name).join(", "),
		roots: () => mounts.map(({ state }) => state),
		async gitHead() {
			await Promise.all(mounts.map((mount) => mount.gitHead()));
			return { head: await combinedHead(mounts), git_root: null };
		},
		readDirs: (paths) => files.readDirs(paths),
		readMany: (paths, options) => files.readMany(paths, options),
		stat: (paths) => files.stat(paths),
		fileTimes: (paths) => files.times(paths),
		now: () => files.first.host.now?.() ?? new Date().toISOString(),
		overlay: async () => (await Promise.all(mounts.map(overlayOf))).flat(),
		ignoreRules: async () => (await Promise.all(mounts.map(rulesOf))).flat(),
		history: async ({ max_commits }) => {
			const all = await Promise.all(
				mounts.map((mount) => historyOf(mount, max_commits)),
			);
			return interleaved(all).slice(0, max_commits);
		},
		changes: (request) => changesOf(mounts, request),
		commitsBetween: (request) => commitsBetweenOf(mounts, request),
		readObjects: (ids, options) => objectsOf(mounts, ids, options),
		watch: (onChange) => watchAll(mounts, onChange),
	};
	const { write, remove } = files.first.host;
	if (write === undefined || remove === undefined) return host;
	host.write = (path, bytes, options) =>
		files.first.host.write?.(files.inIndex(path), bytes, options);
	host.remove = (path) => files.first.host.remove?.(files.inIndex(path));
	return host;
}

/** The files of several repositories, each below a folder with its name. */
class MountedFiles {
	readonly first: Mount;
	readonly #mounts: ReadonlyMap<string, Mount>;
	readonly #index: string;

	constructor(mounts: readonly [Mount, ...Mount[]] | readonly Mount[]) {
		const [first] = mounts;
		if (first === undefined) throw new Error("there is no repository");
		this.first = first;
		this.#mounts = new Map(mounts.map((mount) => [mount.name, mount]));
		// Another group with this folder only rebuilds the index: every file is verified.
		const names = mounts.map(({ name }) => name.replace(/[^\w.-]/g, "_"));
		const group = names.join("+").slice(0, MAX_GROUP_NAME);
		this.#index = `${INDEX}groups/${group}/`;
	}

	readDirs(paths: string[]): Promise<(DirEntry[] | Failure)[]> {
		const top = [...this.#mounts.keys()];
		const folders = top.map((name): DirEntry => ({ name, kind: "dir" }));
		return this.#each(paths, {
			root: folders,
			request: (mount, inner) => mount.readDirs(inner),
			index: (inner) => this.first.host.readDirs(inner),
		});
	}

	readMany(
		paths: string[],
		options: { max_bytes: number },
	): Promise<(Uint8Array | Failure)[]> {
		const read = ({ host }: Mount, inner: string[]) =>
			host.readMany(inner, options);
		return this.#each(paths, {
			root: { error: "io", message: "not a regular file" },
			request: (mount, inner) =>
				mount.readAll("readMany", inner, () => read(mount, inner)),
			index: (inner) => read(this.first, inner),
		});
	}

	stat(paths: string[]): Promise<(FileStamp | Failure)[]> {
		const stat = ({ host }: Mount, inner: string[]) =>
			host.stat?.(inner) ?? inner.map((): Failure => ({ error: "io" }));
		return this.#each(paths, {
			root: { error: "io", message: "not a regular file" },
			request: (mount, inner) =>
				mount.readAll("stat", inner, () => stat(mount, inner)),
			index: (inner) => stat(this.first, inner),
		});
	}

	async times(paths: string[]): Promise<(FileTimes | null)[]> {
		const times = async ({ host }: Mount, inner: string[]) =>
			(await host.fileTimes?.(inner)) ?? inner.map(() => null);
		const found = await this.#each<FileTimes | null>(paths, {
			root: null,
			request: times,
			index: (inner) => times(this.first, inner),
		});
		return found.map((one) => (one === null || "error" in one ? null : one));
	}

	/** Returns the path in the first repository of a file of the index. */
	inIndex(path: string): string {
		if (!path.startsWith(INDEX)) {
			throw new Error(`${JSON.stringify(path)} is not under ${INDEX}`);
		}
		return this.#index + path.slice(INDEX.length);
	}

	/** Requests each path from its repository, from all of them at once. */
	async #each<T>(
		paths: string[],
		reading: Reading<T>,
	): Promise<(T | Failure)[]> {
		const results: (T | Failure)[] = paths.map(() => ({ error: "missing" }));
		const batches = new Map<string, Batch>();
		for (const [at, path] of paths.entries()) {
			if (path === "") {
				results[at] = reading.root;
				continue;
			}
			const [name, inner] = split(path);
			const isOfIndex = path.startsWith(INDEX);
			const batch = batches.get(name) ?? { at: [], paths: [] };
			batch.at.push(at);
			batch.paths.push(isOfIndex ? this.inIndex(path) : inner);
			batches.set(name, batch);
		}
		const requests = [...batches].map(async ([name, batch]) => {
			const given = await this.#request(name, batch.paths, reading);
			for (const [order, at] of batch.at.entries()) {
				const result = given?.[order];
				if (result !== undefined) results[at] = result;
			}
		});
		await Promise.all(requests);
		return results;
	}

	#request<T>(name: string, inner: string[], reading: Reading<T>) {
		if (`${name}/` === INDEX) return reading.index(inner);
		const mount = this.#mounts.get(name);
		return mount === undefined ? undefined : reading.request(mount, inner);
	}
}

/** How paths are read. */
interface Reading<T> {
	/** The result for the folder of all repositories. */
	root: T | Failure;
	request: (mount: Mount, inner: string[]) => Promise<(T | Failure)[]>;
	index: (inner: string[]) => MaybePromise<(T | Failure)[]>;
}

/** The paths of one repository, and their places in the request. */
interface Batch {
	at: number[];
	paths: string[];
}

function split(path: string): [name: string, inner: string] {
	const slash = path.indexOf("/");
	return slash < 0 ? [path, ""] : [path.slice(0, slash), path.slice(slash + 1)];
}

async function overlayOf(mount: Mount): Promise<EditorBuffer[]> {
	const { host, name } = mount;
	const buffers = await mount.attempt("overlay", () => host.overlay?.() ?? []);
	return (buffers ?? []).map((buffer) => ({
		...buffer,
		path: `${name}/${buffer.path}`,
	}));
}

async function rulesOf(mount: Mount): Promise<IgnoreRules[]> {
	const { host, name } = mount;
	const rules = await mount.attempt(
		"ignoreRules",
		() => host.ignoreRules?.() ?? [],
	);
	const below = (rules ?? []).map((rule): IgnoreRules => {
		if (typeof rule === "string") {
			return { folder: name, prefix: "", lines: [rule], global: true };
		}
		const { folder = "" } = rule;
		return { ...rule, folder: folder === "" ? name : `${name}/${folder}` };
	});
	// Rules without lines tell that the folder lies in a repository.
	const isInGit = await mount.isInGit();
	const mark: IgnoreRules = { folder: name, prefix: "", lines: [] };
	return isInGit ? [...below, mark] : below;
}

async function historyOf(mount: Mount, max_commits: number): Promise<Commit[]> {
	const { host, name } = mount;
	const commits = await mount.attempt(
		"history",
		() => host.history?.({ max_commits }) ?? [],
	);
	return (commits ?? []).map(({ files }) => ({
		files: files.map((file) => `${name}/${file}`),
	}));
}

/** Returns the first of each list, then the second of each, and so on. */
function interleaved<T>(lists: T[][]): T[] {
	const longest = Math.max(...lists.map(({ length }) => length));
	const places = Array.from({ length: longest }, (_, at) => at);
	return places.flatMap((at) =>
		lists.flatMap((list) => list.slice(at, at + 1)),
	);
}
