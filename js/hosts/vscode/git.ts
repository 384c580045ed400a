import type { GitHead } from "../../core/host.js";
import type { VscodeApi, VscodeUri } from "./api.js";

/** The part of the git extension's API, version 1, that the host uses. */
interface GitApi {
	repositories: GitRepository[];
}

/** A repository of the git extension. */
export interface GitRepository {
	rootUri: VscodeUri;
	state: {
		HEAD?: { name?: string; commit?: string | undefined } | undefined;
		workingTreeChanges?: readonly GitChange[];
		untrackedChanges?: readonly GitChange[];
	};
	/** Has the extension look at the files again. */
	status(): Promise<void>;
	getCommit(name: string): Promise<{ hash: string }>;
	getMergeBase(one: string, other: string): Promise<string | undefined>;
	/** Compares the files on disk with a commit, without those that git does not track. */
	diffWith(commit: string): Promise<GitChange[]>;
	/** Compares what is staged with a commit. */
	diffIndexWith(commit: string): Promise<GitChange[]>;
	/** Compares the second commit with the common ancestor of both. */
	diffBetween(one: string, other: string): Promise<GitChange[]>;
	/** Reads a file of a commit by its path on disk. */
	buffer(commit: string, path: string): Promise<Uint8Array>;
	/** Lists branches and tags; absent in older editors. */
	getRefs?(query: { count?: number }): Promise<{ name?: string }[]>;
	log?(options: {
		maxEntries: number;
	}): Promise<{ hash: string; message: string }[]>;
}

/** A changed file. */
export interface GitChange {
	originalUri: VscodeUri;
	renameUri: VscodeUri | undefined;
	/** A value of the extension's `Status`. */
	status: number;
}

interface GitExtension {
	getAPI?(version: 1): GitApi;
}

const OBJECT_ID = /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/i;
const MAX_REF_READS = 5;

/** Reads a small text file below the folder; `null` if there is none. */
export type ReadText = (path: string) => Promise<string | null>;

/**
 * Returns the commit that is checked out. Reads git's own files if they are in the folder, since
 * the git extension reports a new commit late; else asks the extension, which knows repositories
 * above the folder.
 */
export async function vscodeGitHead(
	vscode: VscodeApi,
	folder: VscodeUri,
	read: ReadText,
): Promise<GitHead> {
	const own = await ownHead(read);
	if (own !== undefined) return { head: own, git_root: "" };
	const repository = repositoryAround(vscode, folder);
	if (repository === undefined) return { head: null, git_root: null };
	const { rootUri, state } = repository;
	const git_root = pathUp(rootUri, folder) ?? null;
	return { head: state.HEAD?.commit ?? null, git_root };
}

/** Returns the innermost repository of the git extension around a folder. */
export function repositoryAround(
	vscode: VscodeApi,
	folder: VscodeUri,
): GitRepository | undefined {
	const around = repositories(vscode).filter(
		({ rootUri }) => pathUp(rootUri, folder) !== undefined,
	);
	const byDepth = (one: GitRepository, other: GitRepository) =>
		other.rootUri.path.length - one.rootUri.path.length;
	return around.sort(byDepth)[0];
}

/** Reads HEAD of the folder's own repository; `undefined` if the folder has no `.git/HEAD`. */
async function ownHead(read: ReadText): Promise<string | null | undefined> {
	let text = await read(".git/HEAD");
	if (text === null) return undefined;
	for (let reads = 0; reads < MAX_REF_READS; reads += 1) {
		const name = /^ref: (refs\/\S+)\s*$/.exec(text)?.[1];
		if (name === undefined) {
			const id = text.trim();
			return OBJECT_ID.test(id) ? id : null;
		}
		if (name.split("/").includes("..")) return null;
		const loose = await read(`.git/${name}`);
		if (loose === null) return packedRef(await read(".git/packed-refs"), name);
		text = loose;
	}
	return null;
}

function packedRef(refs: string | null, name: string): string | null {
	const lines = refs?.split("\n") ?? [];
	const line = lines.find((one) => one.endsWith(` ${name}`));
	const id = line?.split(" ")[0] ?? "";
	return OBJECT_ID.test(id) ? id : null;
}

function repositories({ extensions }: VscodeApi): GitApi["repositories"] {
	const extension = extensions?.getExtension("vscode.git");
	if (!extension?.isActive) return [];
	try {
		const { getAPI } = extension.exports as GitExtension;
		return getAPI?.call(extension.exports, 1).repositories ?? [];
	} catch {
		// The user may have turned git off.
		return [];
	}
}

/**
 * Returns the path from a folder up to `root`, as `../..`; `undefined` if `root` is not above it.
 */
function pathUp(root: VscodeUri, folder: VscodeUri): string | undefined {
	if (root.scheme !== folder.scheme || root.authority !== folder.authority) {
		return undefined;
	}
	const below = segments(folder.path);
	const above = segments(root.path);
	const isAbove = above.every((segment, at) => below[at] === segment);
	if (!isAbove) return undefined;
	return Array(below.length - above.length)
		.fill("..")
		.join("/");
}

function segments(path: string): string[] {
	return path.split("/").filter((segment) => segment !== "");
}
