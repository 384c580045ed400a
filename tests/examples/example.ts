// Copies of the examples, with the built package installed offline.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";
import { installed, lend, type Project } from "../consumers/project.js";

export interface Example extends Project {
	/** The folder of the copy. */
	readonly root: string;
}

/**
 * Copies an example; `packages` are its dependencies besides ragnav, from the `node_modules` of this
 * checkout or from other ones.
 */
export async function exampleOf(
	name: string,
	packages: readonly string[],
	modules = inRoot("node_modules"),
): Promise<Example> {
	const project = await installed();
	for (const one of packages) lend(project, one, modules);
	const root = join(project.folder, name);
	cpSync(inRoot("examples", name), root, { recursive: true });
	return { ...project, root };
}
