/** The part of the `vscode` module that the host uses, so that ragnav depends on no version. */
export interface VscodeApi {
	workspace: {
		fs: VscodeFileSystem;
		textDocuments: readonly VscodeDocument[];
		createFileSystemWatcher?(pattern: never): VscodeFileWatcher;
	};
	extensions?: {
		getExtension(
			id: string,
		): { isActive: boolean; exports: unknown } | undefined;
	};
	Uri: { joinPath(base: VscodeUri, ...segments: string[]): VscodeUri };
	RelativePattern?: new (base: never, pattern: string) => unknown;
}

export interface VscodeUri {
	readonly scheme: string;
	readonly authority: string;
	readonly path: string;
	/** The path on disk. */
	readonly fsPath?: string;
	toString(): string;
}

export interface VscodeFileSystem {
	readDirectory(uri: never): PromiseLike<[string, number][]>;
	readFile(uri: never): PromiseLike<Uint8Array>;
	stat(uri: never): PromiseLike<VscodeFileStat>;
	writeFile(uri: never, bytes: Uint8Array): PromiseLike<void>;
	rename(
		from: never,
		to: never,
		options?: { overwrite?: boolean },
	): PromiseLike<void>;
	delete(uri: never, options?: { useTrash?: boolean }): PromiseLike<void>;
	createDirectory(uri: never): PromiseLike<void>;
}

export interface VscodeFileStat {
	type: number;
	ctime: number;
	mtime: number;
	size: number;
}

export interface VscodeDocument {
	readonly uri: VscodeUri;
	readonly isDirty: boolean;
	readonly version: number;
	getText(): string;
}

export interface VscodeFileWatcher {
	onDidChange(listener: () => void): unknown;
	onDidCreate(listener: () => void): unknown;
	onDidDelete(listener: () => void): unknown;
	dispose(): void;
}

/** The bits of a file's type, as `vscode.FileType` has them. */
export const FILE = 1;
export const FOLDER = 2;
export const LINK = 64;
