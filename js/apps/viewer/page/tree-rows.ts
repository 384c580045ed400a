/** A folder or a file of the tree. */
export interface TreeNode {
	name: string;
	path: string;
	isFolder: boolean;
	/** The content of a folder, computed on first use because most folders stay closed. */
	readonly children: TreeNode[];
	level: number;
	position: number;
	siblings: number;
}

interface Folder {
	folders: Map<string, Folder>;
	files: string[];
}

/** Returns the tree of some paths: folders first, then files, each by name. */
export function treeOf(paths: readonly string[]): TreeNode[] {
	const root = newFolder();
	for (const path of paths) {
		const names = path.split("/");
		const file = names.pop();
		let folder = root;
		for (const name of names) {
			let inner = folder.folders.get(name);
			if (inner === undefined) {
				inner = newFolder();
				folder.folders.set(name, inner);
			}
			folder = inner;
		}
		if (file !== undefined) folder.files.push(file);
	}
	return nodesOf(root, "", 1);
}

/** Returns the rows that are visible while only some folders are open. */
export function visibleRows(
	nodes: TreeNode[],
	open: ReadonlySet<string>,
): TreeNode[] {
	return nodes.flatMap((node) =>
		node.isFolder && open.has(node.path)
			? [node, ...visibleRows(node.children, open)]
			: [node],
	);
}

/** Returns the folders that contain a path, outermost first. */
export function foldersAbove(path: string): string[] {
	const names = path.split("/").slice(0, -1);
	return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function newFolder(): Folder {
	return { folders: new Map(), files: [] };
}

function nodesOf(
	{ folders, files }: Folder,
	prefix: string,
	level: number,
): TreeNode[] {
	const siblings = folders.size + files.length;
	const inner = [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
	const above = inner.map(([name, folder], at) =>
		folderNode(folder, {
			name,
			path: prefix + name,
			level,
			position: at + 1,
			siblings,
		}),
	);
	const below = files.sort().map((name, at) => ({
		name,
		path: prefix + name,
		isFolder: false,
		children: [],
		level,
		position: above.length + at + 1,
		siblings,
	}));
	return [...above, ...below];
}

function folderNode(
	folder: Folder,
	place: Omit<TreeNode, "isFolder" | "children">,
): TreeNode {
	let children: TreeNode[] | undefined;
	return {
		...place,
		isFolder: true,
		get children() {
			children ??= nodesOf(folder, `${place.path}/`, place.level + 1);
			return children;
		},
	};
}
