import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { differingReports } from "./api-report.mjs";
import { build } from "./build.mjs";
import { readText, writeFile } from "./cache.mjs";
import { inRoot, pkg } from "./paths.mjs";
import { asProgram, Problem, say } from "./run.mjs";
import { npmOutput } from "./setup.mjs";

/** The files that the published package has. */
const CONTENTS = inRoot("tests", "package", "contents.txt");

/**
 * Checks what a release would publish: `npm publish` accepts the package, and its files and
 * exported types are those that were accepted last. With `accept`, they become so.
 *
 * @param {{ accept: boolean }} options
 */
export async function checkRelease({ accept }) {
	const contents = publishedFiles();
	const differing = await differingReports({ accept });
	if (readText(CONTENTS) !== contents) differing.push("contents.txt");
	if (accept) {
		writeFile(CONTENTS, contents);
		say(`accepted: ${differing.join(", ") || "nothing differs"}`);
		return;
	}
	if (differing.length > 0) {
		const message = `tests/package: ${differing.join(", ")} differ from the package. \
Run "npm run accept-release", and read what changed: docs/releases.md says which changes need which version.`;
		throw new Problem(message);
	}
}

/** Returns the files that npm would publish, a line each. */
function publishedFiles() {
	const args = [
		"publish",
		pkg,
		"--dry-run",
		"--json",
		"--ignore-scripts",
		"--fetch-retries=0",
	];
	const answer = JSON.parse(npmOutput(args));
	/** @type {{ files: { path: string }[] }} */
	const { files } = answer.files ? answer : Object.values(answer)[0];
	const paths = files.map(({ path }) => withoutHash(path));
	return `${[...new Set(paths)].sort().join("\n")}\n`;
}

/**
 * The names of shared parts of bundles have a hash, which any change of them changes.
 *
 * @param {string} path
 */
function withoutHash(path) {
	return path.replace(/-[A-Z0-9]{8}\.js$/, "-*.js");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await asProgram(async () => {
		await build();
		await checkRelease({ accept: process.argv.includes("--accept") });
		say(join(pkg, "package.json"));
	});
}
