import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { RagnavError } from "../../../core/errors.js";
import type { Watcher } from "../../../core/host.js";
import { type NodeHost, nodeHost } from "../../../hosts/node/host.js";
import {
	type FileListing,
	LISTING_VERSION,
	type ListedFile,
} from "../../../hosts/shared/file-listing.js";
import { walkedFiles } from "../../../hosts/shared/walked-files.js";
import { ServedCommits } from "./commits.js";
import { UnlinkedFiles } from "./unlinked-files.js";

const INDEX_FOLDER = ".llmc";

/** The path of requests for many files at once, beside the listing. */
export const BATCH_NAME = "batch";

/** The path of requests for commits. */
export const COMMITS_NAME = "commits";

/** The files of the index. Nothing else under `.llmc/` is served. */
const INDEX_FILE =
	/^\.llmc\/(?:rag_graph\.json|rag_index_status\.json|rag\/[^/]+\.(?:bin|json))$/;

/** A listing as the server sends it. */
export interface SentListing {
	text: string;
	/** The text in UTF-8. */
	bytes: Buffer;
	/** The hash of the text, in quotes. */
	etag: string;
	files: ReadonlyMap<string, ListedFile>;
}

/** The files that a page may read: those that the walk admits, and the index. */
export class RepositoryFiles {
	readonly #top: string;
	readonly #host: NodeHost;
	readonly #watcher: Watcher;
	/** The commits that a page may read. */
	readonly commits: ServedCommits;
	#walked: ListedFile[] | undefined;
	#token: string | null = null;
	#making: Promise<SentListing> | undefined;
	#last: SentListing | undefined;

	/** @throws {RagnavError} `REPO_NOT_FOUND` if there is no such folder */
	constructor(repo: string) {
		if (!statSync(repo, { throwIfNoEntry: false })?.isDirectory()) {
			throw new RagnavError(
				"REPO_NOT_FOUND",
				`${repo} is no folder; give the folder that holds the code`,
			);
		}
		this.#top = realpathSync(resolve(repo));
		this.#host = nodeHost(this.#top, { readOnly: true });
		this.#watcher = this.#host.watch(() => undefined);
		this.commits = new ServedCommits(this.#host);
	}

	close(): void {
		this.#watcher.close();
	}

	/** Returns the listing as of this call or later. */
	async listing(): Promise<SentListing> {
		await this.#making?.catch(() => undefined);
		this.#making ??= this.#make().finally(() => {
			this.#making = undefined;
		});
		return this.#making;
	}

	/**
	 * Returns a reader of these files for one response. It has no path that the listing lacks, none
	 * that has become a link since, and none behind a link.
	 */
	async openable(paths: readonly string[]): Promise<UnlinkedFiles> {
		const last = this.#last?.files;
		const isKnown = last !== undefined && paths.every((path) => last.has(path));
		const files = isKnown ? last : (await this.listing()).files;
		return new UnlinkedFiles(this.#top, (path) => files.has(path));
	}

	async #make(): Promise<SentListing> {
		const files = [
			...(await this.#walk()),
			...this.#stamped(this.#indexFiles()),
		];
		const head = this.#head();
		const listing: FileListing = {
			version: LISTING_VERSION,
			root: basename(this.#top),
			...head,
			folder: "files/",
			batch: BATCH_NAME,
			commits: head.git_root === null ? null : COMMITS_NAME,
			files,
		};
		const text = JSON.stringify(listing);
		if (text === this.#last?.text) return this.#last;
		const hash = createHash("sha256").update(text).digest("base64url");
		this.#last = {
			text,
			bytes: Buffer.from(text),
			etag: `"${hash}"`,
			files: new Map(files.map((file) => [file.path, file])),
		};
		return this.#last;
	}

	/**
	 * Walks the repository, unless the watcher proves that nothing has changed since the last walk.
	 */
	async #walk(): Promise<ListedFile[]> {
		const token = await this.#watcher.token();
		const isSame = token !== null && token === this.#token;
		// The stamp of a racy file becomes reliable when the file is older.
		const isSettled = this.#walked?.every(({ racy }) => racy !== true);
		if (this.#walked !== undefined && isSame) {
			if (isSettled) return this.#walked;
			const paths = this.#walked.map(({ path }) => path);
			this.#walked = this.#stamped(paths);
			return this.#walked;
		}
		const walked = await walkedFiles(this.#host);
		this.#walked = this.#stamped([...walked.keys()]);
		this.#token = token;
		return this.#walked;
	}

	#stamped(paths: string[]): ListedFile[] {
		const stamps = this.#host.stat(paths);
		return paths.flatMap((path, at) => {
			const stamp = stamps[at];
			return stamp === undefined || "error" in stamp
				? []
				: [{ path, ...stamp }];
		});
	}

	#indexFiles(): string[] {
		const folders = [INDEX_FOLDER, `${INDEX_FOLDER}/rag`];
		return this.#host
			.readDirs(folders)
			.flatMap((entries, at) =>
				Array.isArray(entries)
					? entries
							.filter(({ kind }) => kind === "file")
							.map(({ name }) => `${folders[at]}/${name}`)
					: [],
			)
			.filter((path) => INDEX_FILE.test(path));
	}

	#head(): { head: string | null; git_root: string | null } {
		try {
			const { head, git_root } = this.#host.gitHead();
			return { head, git_root: git_root ?? null };
		} catch {
			return { head: null, git_root: null };
		}
	}
}
