// A copy of an example that has installed the built package, without the network.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";
import { installed, lend, type Project } from "../consumers/project.js";

export interface Example extends Project {
	/** The folder of the copy. */
	readonly root: string;
}

/** Copies an example; `packages` are what it depends on beside ragnav. */
export async function exampleOf(
	name: string,
	packages: readonly string[],
): Promise<Example> {
	const project = await installed();
	for (const one of packages) lend(project, one);
	const root = join(project.folder, name);
	cpSync(inRoot("examples", name), root, { recursive: true });
	return { ...project, root };
}
