import type {
	Changes,
	ChangesRequest,
	Commit,
	CommitChanges,
	CommitsBetweenRequest,
	DirEntry,
	Failure,
	FileStamp,
	GitHead,
	Host,
	IgnoreRules,
	Watcher,
} from "../../core/host.js";

/** A host whose methods return results, and no promises. */
export interface SynchronousHost extends Host {
	gitHead(): GitHead | string | null;
	readDirs(paths: string[]): (DirEntry[] | Failure)[];
	readMany(
		paths: string[],
		options: { max_bytes: number },
	): (Uint8Array | Failure)[];
	stat(paths: string[]): (FileStamp | Failure)[];
	write?(
		path: string,
		bytes: Uint8Array,
		options?: { exclusive?: boolean },
	): void;
	remove?(path: string): void;
	now(): string;
	ignoreRules(): (string | IgnoreRules)[];
	history?(options: { max_commits: number }): Commit[];
	changes?(request: ChangesRequest): Changes | null;
	commitsBetween?(request: CommitsBetweenRequest): CommitChanges[] | null;
	readObjects?(
		ids: string[],
		options: { max_bytes: number },
	): (Uint8Array | Failure)[];
	watch(onChange: () => void): Watcher;
}
