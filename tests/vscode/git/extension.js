// Stands for the editor's git extension, which browsers lack: one repository, whose only commit has the
// files with which the workbench was opened.
const vscode = require("vscode");

exports.activate = async (context) => {
	const url = vscode.Uri.joinPath(context.extensionUri, "../memfs/files.json");
	const bytes = await vscode.workspace.fs.readFile(url);
	const texts = JSON.parse(new TextDecoder().decode(bytes));
	const hash = texts[".git/refs/heads/main"].trim();
	const repository = {
		rootUri: vscode.Uri.from({ scheme: "memfs", path: "/shop" }),
		state: { HEAD: { name: "main", commit: hash }, workingTreeChanges: [] },
		status: async () => undefined,
		getCommit: async () => ({ hash }),
		getMergeBase: async () => hash,
		// Only documents that are not saved differ.
		diffWith: async () => [],
		diffIndexWith: async () => [],
		diffBetween: async () => [],
		buffer: async (_, path) => {
			const text = texts[path.replace("/shop/", "")];
			if (text === undefined) throw new Error(`there is no ${path}`);
			return new TextEncoder().encode(text);
		},
		getRefs: async () => [{ name: "main" }],
		log: async () => [{ hash, message: "First" }],
	};
	return { getAPI: () => ({ repositories: [repository] }) };
};
