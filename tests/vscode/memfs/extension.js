// A writable file system in memory for the workbench's folder, filled from what the page's server has at `files.json`.
const vscode = require("vscode");

class Entry {
	constructor(type, data) {
		this.type = type;
		this.data = data;
		this.ctime = this.mtime = Date.now();
	}
}

class MemoryFileSystem {
	changed = new vscode.EventEmitter();
	onDidChangeFile = this.changed.event;
	entries = new Map([["/", new Entry(vscode.FileType.Directory)]]);

	entry(uri) {
		const found = this.entries.get(uri.path.replace(/(.)\/$/, "$1"));
		if (!found) throw vscode.FileSystemError.FileNotFound(uri);
		return found;
	}

	watch() {
		return new vscode.Disposable(() => {});
	}

	stat(uri) {
		const { type, ctime, mtime, data } = this.entry(uri);
		return { type, ctime, mtime, size: data?.length ?? 0 };
	}

	readDirectory(uri) {
		this.entry(uri);
		const prefix = uri.path.endsWith("/") ? uri.path : `${uri.path}/`;
		return [...this.entries]
			.filter(([path]) => path.startsWith(prefix) && path !== prefix)
			.map(([path, { type }]) => [path.slice(prefix.length), type])
			.filter(([name]) => name && !name.includes("/"));
	}

	readFile(uri) {
		const { type, data } = this.entry(uri);
		if (type !== vscode.FileType.File)
			throw vscode.FileSystemError.FileIsADirectory(uri);
		return data;
	}

	writeFile(uri, data) {
		this.createDirectory(uri.with({ path: uri.path.replace(/\/[^/]*$/, "") }));
		const isNew = !this.entries.has(uri.path);
		const entry = new Entry(vscode.FileType.File, data);
		this.entries.set(uri.path, entry);
		const type = isNew
			? vscode.FileChangeType.Created
			: vscode.FileChangeType.Changed;
		this.changed.fire([{ type, uri }]);
	}

	createDirectory(uri) {
		const parts = uri.path.split("/").filter(Boolean);
		for (let depth = 1; depth <= parts.length; depth += 1) {
			const path = `/${parts.slice(0, depth).join("/")}`;
			if (!this.entries.has(path))
				this.entries.set(path, new Entry(vscode.FileType.Directory));
		}
	}

	rename(from, to, { overwrite }) {
		const entry = this.entry(from);
		if (!overwrite && this.entries.has(to.path))
			throw vscode.FileSystemError.FileExists(to);
		this.entries.delete(from.path);
		this.entries.set(to.path, entry);
		this.changed.fire([
			{ type: vscode.FileChangeType.Deleted, uri: from },
			{ type: vscode.FileChangeType.Changed, uri: to },
		]);
	}

	delete(uri) {
		this.entry(uri);
		this.entries.delete(uri.path);
		this.changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
	}
}

exports.activate = async (context) => {
	const files = new MemoryFileSystem();
	const url = vscode.Uri.joinPath(context.extensionUri, "files.json");
	const bytes = await vscode.workspace.fs.readFile(url);
	const texts = JSON.parse(new TextDecoder().decode(bytes));
	for (const [path, text] of Object.entries(texts)) {
		const uri = vscode.Uri.from({ scheme: "memfs", path: `/shop/${path}` });
		files.writeFile(uri, new TextEncoder().encode(text));
	}
	context.subscriptions.push(
		vscode.workspace.registerFileSystemProvider("memfs", files),
		// The only virtual files that the editor does not trust.
		vscode.workspace.registerFileSystemProvider("vscode-vfs", files),
	);
};
