// A large repository of generated modules, and random changes of it that keep its syntax valid.
import { cpSync, mkdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { chance } from "../../../bench/chance.mjs";
import { generatedTree } from "../../../bench/generated-tree.mjs";
import { git } from "../../js/hosts/helpers.js";
import { runGit } from "./git.js";

/** A class or a function of a generated module; its number makes the name unique in the tree. */
const NUMBERED = /^(?:export )?(?:class|def|function) (\w*\d{2,}\w*)/gm;
/** The names of a file that queries are about. */
const MAX_NAMES = 2;

export class Tree {
	readonly folder: string;
	readonly pick: (below: number) => number;
	#files: string[] = [];
	#changes = 0;

	private constructor(folder: string, seed: number) {
		this.folder = folder;
		this.pick = chance(seed).pick;
	}

	/** Creates a repository of one commit on the branch `main`. */
	static async create(
		folder: string,
		files: number,
		seed: number,
	): Promise<Tree> {
		cpSync(await generatedTree(files), folder, { recursive: true });
		const tree = new Tree(folder, seed);
		git(folder, "checkout", "--quiet", "-B", "main");
		// A collection in the background would add noise to what is measured.
		git(folder, "config", "gc.auto", "0");
		await tree.listFiles();
		return tree;
	}

	/** Lists the modules that the changes choose from, after git changed them. */
	async listFiles(): Promise<void> {
		const listed = await runGit(this.folder, "ls-files", "-co");
		this.#files = listed
			.split("\n")
			.filter((path) => /\/\w+_\d+\w*\.(?:py|ts)$/.test(path))
			.filter((path) => isFile(join(this.folder, path)));
	}

	/** Chooses the path of a module. */
	anyFile(): string {
		const file = this.#files[this.pick(this.#files.length)];
		if (file === undefined) throw new Error("the tree has no modules left");
		return file;
	}

	/** Chooses the folder of a package. */
	anyPackage(): string {
		return dirname(this.anyFile());
	}

	/** Returns names that a module defines. */
	namesIn(file: string): string[] {
		const text = readFileSync(join(this.folder, file), "utf8");
		const names = [...text.matchAll(NUMBERED)].map(([, name = ""]) => name);
		return names.slice(0, MAX_NAMES);
	}

	/** Changes one module; returns the names that this affects. */
	async edit(): Promise<string[]> {
		const file = this.anyFile();
		const path = join(this.folder, file);
		if (!isFile(path)) return [];
		const names = this.namesIn(file);
		const other = this.anyFile();
		this.#changes += 1;
		switch (this.pick(7)) {
			case 0:
				await rm(path);
				return names;
			case 1:
				await copyFile(path, beside(path, `copy_${this.#changes}`));
				return names;
			case 2:
				await rename(path, beside(path, `moved_${this.#changes}`));
				return names;
			case 3:
				return [...names, ...(await this.#renameClass(path))];
			case 4:
				await writeFile(path, "");
				return names;
			case 5:
				return this.#useName(file, other);
			default:
				await this.#insertLines(path);
				return names;
		}
	}

	async #insertLines(path: string): Promise<void> {
		const mark = extname(path) === ".py" ? "#" : "//";
		const line = `${mark} change ${this.#changes}\n`;
		const text = readFileSync(path, "utf8");
		await writeFile(path, line.repeat(1 + this.pick(30)) + text);
	}

	/** Imports a name of another module, and adds a function that uses it. */
	async #useName(file: string, other: string): Promise<string[]> {
		const path = join(this.folder, file);
		const isOther = isFile(join(this.folder, other)) && other !== file;
		const [name] = isOther ? this.namesIn(other) : [];
		if (name === undefined || extname(file) !== extname(other)) return [];
		const added = `chaos_${1000 + this.#changes}`;
		const lines =
			extname(path) === ".py"
				? [
						`from ${other.slice(0, -".py".length).replaceAll("/", ".")} import ${name}`,
						`def ${added}():`,
						`    return ${name}`,
					]
				: [
						`import { ${name} } from "./${relative(dirname(file), other).slice(0, -".ts".length)}";`,
						`export function ${added}() {`,
						`\treturn ${name};`,
						"}",
					];
		const text = readFileSync(path, "utf8");
		await writeFile(path, `${text}\n${lines.join("\n")}\n`);
		return [name, added];
	}

	/** Renames a class with as many bytes and the times of before, which stamps alone do not show. */
	async #renameClass(path: string): Promise<string[]> {
		const text = readFileSync(path, "utf8");
		const name = /class (\w*\d{2,}\w*)/.exec(text)?.[1];
		if (name === undefined) return [];
		const renamed = `Zz${name.slice(2)}`;
		const { atime, mtime } = statSync(path);
		await writeFile(path, text.replaceAll(name, renamed));
		utimesSync(path, atime, mtime);
		return [renamed];
	}

	/** Moves a package with all its modules. */
	async movePackage(): Promise<string[]> {
		const from = this.anyPackage();
		const names = this.#namesBelow(from);
		this.#changes += 1;
		const to = join(dirname(from), `package_moved_${this.#changes}`);
		mkdirSync(join(this.folder, dirname(to)), { recursive: true });
		await rename(join(this.folder, from), join(this.folder, to));
		await this.listFiles();
		return names;
	}

	#namesBelow(folder: string): string[] {
		const files = this.#files.filter((file) => dirname(file) === folder);
		const chosen = [files[0], files[this.pick(files.length)]];
		return chosen.flatMap((file) =>
			file !== undefined && isFile(join(this.folder, file))
				? this.namesIn(file)
				: [],
		);
	}
}

function isFile(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns a path in the same folder with the same extension. */
function beside(path: string, name: string): string {
	return join(dirname(path), `${name}${extname(path)}`);
}
