// A project that has installed the packed package.
import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNpm } from "../../js/build/setup.mjs";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** A folder in which `npm install` of the packed package has run. */
export interface Project {
	folder: string;
	/** Writes a file of the project. */
	put(name: string, text: string): string;
	/** Runs a program in a Node, and returns its output. */
	run(node: string, file: string): string;
	remove(): void;
}

/** Packs the package and installs it into an empty project, without the network. */
export async function installed(): Promise<Project> {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-project-"));
	await runNpm(["pack", "--silent", "--pack-destination", folder], {
		cwd: join(CHECKOUT, "pkg"),
	});
	const [tarball = ""] = readdirSync(folder);
	writeFileSync(
		join(folder, "package.json"),
		'{ "name": "consumer", "private": true }',
	);
	const quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
	await runNpm(["install", ...quiet, join(folder, tarball)], { cwd: folder });
	const put = (name: string, text: string) => {
		const file = join(folder, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		return file;
	};
	return {
		folder,
		put,
		run: (node, file) =>
			execFileSync(node, [file], { cwd: folder, encoding: "utf8" }).trim(),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** Links a package into a project, from the `node_modules` of this checkout or from other ones. */
export function lend(
	project: Project,
	name: string,
	modules = join(CHECKOUT, "node_modules"),
): void {
	const place = join(project.folder, "node_modules", name);
	if (existsSync(place)) return;
	mkdirSync(dirname(place), { recursive: true });
	symlinkSync(join(modules, name), place, "dir");
}
