import type { DirEntry, Failure } from "../host.js";
import { folderOf, nameOf, pathProblem } from "./relative-path.js";

/** Map from relative path to bytes that keeps the folders its paths imply. */
export class MemoryFiles extends Map<string, Uint8Array> {
	readonly #folders = new Map<string, Map<string, DirEntry["kind"]>>();

	/**
	 * Adds or replaces a file.
	 *
	 * @throws Error for a path that is not relative and normalised, that is a folder already, or
	 * that lies below a file; TypeError for contents that are no bytes
	 */
	override set(path: string, bytes: Uint8Array): this {
		if (!this.has(path)) this.#requireFree(path);
		if (!(bytes instanceof Uint8Array)) {
			throw new TypeError(
				`The contents of ${JSON.stringify(path)} are no bytes`,
			);
		}
		if (!this.has(path)) this.#addToFolders(path);
		return super.set(path, bytes);
	}

	override delete(path: string): boolean {
		if (!super.delete(path)) return false;
		this.#removeFromFolders(path);
		return true;
	}

	override clear(): void {
		super.clear();
		this.#folders.clear();
	}

	/** Entries of a folder, or why there are none: `denied` for a bad path, else `missing`. */
	list(folder: string): DirEntry[] | Failure {
		const entries = this.#folders.get(folder);
		if (entries !== undefined) {
			return Array.from(entries, ([name, kind]) => ({ name, kind }));
		}
		const problem = pathProblem(folder);
		if (problem !== null) {
			return { error: "denied", message: `the path ${problem}` };
		}
		return folder === "" ? [] : { error: "missing" };
	}

	/** Whether a folder holds a file at any depth; the root counts always. */
	hasFolder(folder: string): boolean {
		return folder === "" || this.#folders.has(folder);
	}

	#requireFree(path: string): void {
		const problem = problemOfFile(path);
		if (problem !== null) {
			throw new Error(
				`Cannot hold ${JSON.stringify(path)}: the path ${problem}`,
			);
		}
		if (this.#folders.has(path)) {
			throw new Error(`Cannot hold ${JSON.stringify(path)}: it is a folder`);
		}
		for (
			let folder = folderOf(path);
			folder !== "";
			folder = folderOf(folder)
		) {
			// The folders above one that exists were checked when it came to be.
			if (this.#folders.has(folder)) return;
			if (this.has(folder)) {
				throw new Error(
					`Cannot hold ${JSON.stringify(path)}: ${JSON.stringify(folder)} is a file`,
				);
			}
		}
	}

	#addToFolders(path: string): void {
		let kind: DirEntry["kind"] = "file";
		for (let entry = path; entry !== ""; entry = folderOf(entry)) {
			const folder = folderOf(entry);
			const entries = this.#folders.get(folder);
			if (entries !== undefined) {
				entries.set(nameOf(entry), kind);
				return;
			}
			this.#folders.set(folder, new Map([[nameOf(entry), kind]]));
			kind = "dir";
		}
	}

	#removeFromFolders(path: string): void {
		for (let entry = path; entry !== ""; entry = folderOf(entry)) {
			const folder = folderOf(entry);
			const entries = this.#folders.get(folder);
			entries?.delete(nameOf(entry));
			if (entries === undefined || entries.size > 0) return;
			this.#folders.delete(folder);
		}
	}
}

function problemOfFile(path: string): string | null {
	if (path === "") return "is empty";
	// A name with `\` would mean another file on Windows; written by mistake, it would be found
	// nowhere.
	if (path.includes("\\"))
		return 'contains "\\" (folders are separated by "/")';
	return pathProblem(path);
}
