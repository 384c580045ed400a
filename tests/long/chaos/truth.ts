// What is true of a name, by `git grep` over the files of the moment.
import { runGit } from "./git.js";

/** `file:line` of rows. */
export type Places = ReadonlySet<string>;

export interface Truth {
	name: string;
	/** The lines that have the name as a word. */
	lines: Places;
	/** The lines that define it. */
	definitions: Places;
	/** All other lines: no generated comment or text has a name. */
	uses: Places;
}

/** Finds the lines with a name. */
export async function truthOf(folder: string, name: string): Promise<Truth> {
	const options = ["-n", "-w", "-F", "--untracked", "--full-name", "-I"];
	const found = await runGit(folder, "grep", ...options, "-e", name).catch(
		// The status of a search without results.
		(problem) => {
			if (problem.code === 1) return "";
			throw problem;
		},
	);
	const isDefinition = new RegExp(`\\b(?:class|def|function) ${name}\\b`);
	const rows = found
		.split("\n")
		.map((row) => /^(.*?:\d+):(.*)$/.exec(row))
		.filter((row) => row !== null);
	const places = (wanted: (text: string) => boolean) =>
		new Set(rows.filter(([, , t = ""]) => wanted(t)).map(([, p = ""]) => p));
	return {
		name,
		lines: places(() => true),
		definitions: places((text) => isDefinition.test(text)),
		uses: places((text) => !isDefinition.test(text)),
	};
}
