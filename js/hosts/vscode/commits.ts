import type {
	ChangedFile,
	Changes,
	ChangesRequest,
	Failure,
} from "../../core/host.js";
import type { VscodeApi, VscodeUri } from "./api.js";
import { type GitChange, type GitRepository, repositoryAround } from "./git.js";

/** What `to` is for the files that are staged for the next commit. */
const STAGED = "staged";
/** The name of the index in requests of the git extension, which are as in `git show :path`. */
const INDEX = "";

/** The values of `Status` in the API of the git extension. */
const GONE: ReadonlySet<number> = new Set([2, 6]);
const NEW: ReadonlySet<number> = new Set([1, 7]);
const UNTRACKED = 7;

/** The number of objects that are read at once: each starts a process. */
const AT_ONCE = 8;

const NO_GIT =
	"the editor's git extension knows no repository around this folder; turn it on to compare commits";

/** Whether a file is in each of two states. */
interface Presence {
	before: boolean;
	after: boolean;
}

/** Reads commits through the editor's git extension. */
export class VscodeCommits {
	readonly #vscode: VscodeApi;
	readonly #folder: VscodeUri;

	constructor(vscode: VscodeApi, folder: VscodeUri) {
		this.#vscode = vscode;
		this.#folder = folder;
	}

	/**
	 * Returns the files that differ between a commit and another, what is staged, or the disk; `null`
	 * if there is no such commit. An object's id is its commit and its path.
	 *
	 * @throws Error without a repository of the git extension
	 */
	async changes(request: ChangesRequest): Promise<Changes | null> {
		const { from, to, unsaved } = request;
		const repository = this.#repository();
		const before = await commitId(repository, from);
		if (before === null) return null;
		if (to === null || to === STAGED) {
			const changes = await (to === null
				? onDisk(repository, before)
				: repository.diffIndexWith(before));
			const present = this.#presence(changes);
			for (const path of to === null ? unsaved : []) {
				if (present.has(path)) continue;
				const isThere = await this.#exists(repository, before, path);
				present.set(path, { before: isThere, after: true });
			}
			const after = to === null ? null : INDEX;
			return { from: before, to: null, files: changed(present, before, after) };
		}
		const after = await commitId(repository, to);
		if (after === null) return null;
		const present = await this.#between(repository, before, after);
		return { from: before, to: after, files: changed(present, before, after) };
	}

	/** Returns the contents of objects in their order. */
	async readObjects(
		ids: readonly string[],
		maxBytes: number,
	): Promise<(Uint8Array | Failure)[]> {
		const repository = this.#repository();
		const contents: (Uint8Array | Failure)[] = [];
		for (let at = 0; at < ids.length; at += AT_ONCE) {
			const batch = ids.slice(at, at + AT_ONCE);
			const read = batch.map((id) => this.#read(repository, id, maxBytes));
			contents.push(...(await Promise.all(read)));
		}
		return contents;
	}

	async #read(
		repository: GitRepository,
		id: string,
		maxBytes: number,
	): Promise<Uint8Array | Failure> {
		const [commit = "", path = ""] = splitOnce(id);
		try {
			const bytes = await repository.buffer(commit, this.#diskPath(path));
			return bytes.length > maxBytes ? { error: "too_large" } : bytes;
		} catch {
			return { error: "missing" };
		}
	}

	/**
	 * Returns the files that differ between two commits. The extension compares the second with their
	 * common ancestor; if that is not the first, both are compared with it.
	 */
	async #between(
		repository: GitRepository,
		before: string,
		after: string,
	): Promise<Map<string, Presence>> {
		const base = await repository.getMergeBase(before, after);
		if (base === undefined || base === "") {
			throw new Error("the commits have no common ancestor");
		}
		const right = await repository.diffBetween(before, after);
		const present = this.#presence(right);
		if (base === before) return present;
		const left = this.#presence(await repository.diffBetween(after, before));
		for (const path of new Set([...present.keys(), ...left.keys()])) {
			const [inBefore, inAfter] = await Promise.all(
				[before, after].map((commit) => this.#exists(repository, commit, path)),
			);
			present.set(path, {
				before: inBefore === true,
				after: inAfter === true,
			});
		}
		return present;
	}

	#presence(changes: readonly GitChange[]): Map<string, Presence> {
		const present = new Map<string, Presence>();
		const set = (uri: VscodeUri, own: Presence) => {
			const path = this.#pathOf(uri);
			if (path === undefined) return;
			const known = present.get(path);
			// A file that is deleted from the index and untracked is on disk.
			present.set(path, {
				before: own.before || known?.before === true,
				after: own.after || known?.after === true,
			});
		};
		for (const { originalUri, renameUri, status } of changes) {
			if (renameUri !== undefined && renameUri.path !== originalUri.path) {
				set(originalUri, { before: true, after: false });
				set(renameUri, { before: false, after: true });
			} else {
				const [before, after] = [!NEW.has(status), !GONE.has(status)];
				set(originalUri, { before, after });
			}
		}
		return present;
	}

	async #exists(
		repository: GitRepository,
		commit: string,
		path: string,
	): Promise<boolean> {
		return repository.buffer(commit, this.#diskPath(path)).then(
			() => true,
			() => false,
		);
	}

	#repository(): GitRepository {
		const repository = repositoryAround(this.#vscode, this.#folder);
		if (repository === undefined) throw new Error(NO_GIT);
		return repository;
	}

	/** Returns the path inside the folder; `undefined` for a file outside of it. */
	#pathOf({ path }: VscodeUri): string | undefined {
		const top = this.#folder.path.replace(/\/$/, "");
		return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : undefined;
	}

	#diskPath(path: string): string {
		const uri = this.#vscode.Uri.joinPath(this.#folder, ...path.split("/"));
		return uri.fsPath ?? uri.path;
	}
}

/** Returns the full id of a commit; `null` if there is none of the name. */
async function commitId(
	repository: GitRepository,
	name: string,
): Promise<string | null> {
	try {
		return (await repository.getCommit(name)).hash;
	} catch {
		return null;
	}
}

/** Returns the files on disk that differ from a commit, with those that git does not track. */
async function onDisk(
	repository: GitRepository,
	commit: string,
): Promise<GitChange[]> {
	// The extension reports changes late, so it has to look again.
	await repository.status();
	const { untrackedChanges = [], workingTreeChanges = [] } = repository.state;
	const others = [...untrackedChanges, ...workingTreeChanges];
	const untracked = others.filter(({ status }) => status === UNTRACKED);
	return [...(await repository.diffWith(commit)), ...untracked];
}

function changed(
	present: ReadonlyMap<string, Presence>,
	before: string,
	after: string | null,
): ChangedFile[] {
	return [...present].map(([path, is]) => ({
		path,
		before: is.before ? `${before}:${path}` : null,
		after: is.after && after !== null ? `${after}:${path}` : null,
	}));
}

function splitOnce(id: string): [string, string] {
	const colon = id.indexOf(":");
	return [id.slice(0, colon), id.slice(colon + 1)];
}
