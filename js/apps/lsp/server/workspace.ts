import type { Documents } from "./documents.js";
import { invalidParams } from "./failures.js";
import { Folder, type FolderOptions } from "./folder.js";
import { pathFromFolder, placeOfUri } from "./location.js";
import type { Repository } from "./repository.js";

/** A file of a repository. */
export interface RepositoryFile {
	repository: Repository;
	/** Its path from the root. */
	path: string;
}

/** The folders of the workspace, each a repository of its own. */
export class Workspace {
	readonly #documents: Documents;
	readonly #options: FolderOptions;
	readonly #folders = new Map<string, Folder>();

	constructor(documents: Documents, options: FolderOptions) {
		this.#documents = documents;
		this.#options = options;
	}

	/** Adds a folder, which the first request about it opens. */
	add(uri: string): void {
		if (this.#folders.has(uri)) return;
		this.#folders.set(uri, new Folder(uri, this.#documents, this.#options));
	}

	remove(uri: string): void {
		this.#folders.get(uri)?.close();
		this.#folders.delete(uri);
	}

	close(): void {
		for (const uri of [...this.#folders.keys()]) this.remove(uri);
	}

	/** Returns every folder. */
	all(): Folder[] {
		return [...this.#folders.values()];
	}

	/**
	 * Opens the innermost folder around a document; gives `undefined` if it lies in none, as an
	 * unsaved new one does.
	 *
	 * @throws ResponseError if the folder cannot be opened
	 */
	async file(uri: string): Promise<RepositoryFile | undefined> {
		const found = this.#find(uri);
		if (found === undefined) return undefined;
		const { folder, path } = found;
		return { repository: await folder.repository(), path };
	}

	/** @throws ResponseError also if the document lies in no folder */
	async requireFile(uri: string): Promise<RepositoryFile> {
		const file = await this.file(uri);
		if (file !== undefined) return file;
		const folders = [...this.#folders.keys()].join(", ") || "none";
		throw invalidParams(
			`${uri} lies in no folder of the workspace (${folders}); add its folder`,
		);
	}

	#find(uri: string): { folder: Folder; path: string } | undefined {
		const place = placeOfUri(uri);
		if (place === undefined) throw invalidParams(`${uri} is not a usable URI`);
		let found: { folder: Folder; path: string } | undefined;
		for (const folder of this.#folders.values()) {
			const path = folder.place && pathFromFolder(folder.place, place);
			if (path === undefined) continue;
			if (found !== undefined && found.path.length <= path.length) continue;
			found = { folder, path };
		}
		return found;
	}
}
