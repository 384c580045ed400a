import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesUnder, makeFolder } from "../js/build/cache.mjs";
import { inCache } from "../js/build/paths.mjs";
import { Problem, run, say } from "../js/build/run.mjs";
import { need } from "./corpus.mjs";

/**
 * The npm packages that are measured or that measure: the SHA-256 of their archives, and the
 * folders that are read.
 *
 * @type {Record<string, { hash: string, sources: string[] }>}
 */
const RELEASES = {
	"commander@14.0.2": {
		hash: "09106ecd2c62a34c8bc466d5b46096e383e474af120a6295dcd0473e45b6c2f1",
		sources: ["index.js", "lib"],
	},
	"express@4.21.2": {
		hash: "fc43a91e7dc7affb53c6ad7123a4f35485ed3c45226ae7a3847b7738e783e008",
		sources: ["index.js", "lib"],
	},
	"kotlin-compiler@2.4.20": {
		hash: "c23dab400d7ce5ea8b6c909947c0ca5454189e4bb1108695b5f464500e5e950f",
		sources: ["lib"],
	},
	"rxjs@7.8.2": {
		hash: "2312f8ffd9726ffd7bd53ea12c5f13663d09a3dc3326f448c70b88f5ef6fac82",
		sources: ["src"],
	},
	"zod@4.1.12": {
		hash: "2ef9d7a7d822b059c9bd21f87caa4fdc48220d437353678984df942fb67b43fa",
		sources: ["src"],
	},
};

/**
 * Downloads folders of an npm package once, with its `package.json`.
 *
 * @param {string} release
 */
export async function npmPackage(release) {
	const known = RELEASES[release];
	if (!known) throw new Problem(`${release} is no corpus.`);
	const folder = inCache("corpora", release);
	if (existsSync(folder)) return folder;
	say(`corpus: fetching ${release}`);
	const downloads = mkdtempSync(join(tmpdir(), "ragnav-corpus-"));
	try {
		const [npm, tar] = need("npm", "tar");
		await run(/** @type {string} */ (npm), [
			"pack",
			"--silent",
			"--pack-destination",
			downloads,
			release,
		]);
		const [archive] = filesUnder(downloads);
		if (!archive) throw new Problem("npm pack wrote no file.");
		const hash = createHash("sha256").update(readFileSync(archive));
		if (hash.digest("hex") !== known.hash)
			throw new Problem(`${release} is not the archive that is expected.`);
		const wanted = ["package.json", ...known.sources];
		await makeFolder(folder, (unfinished) =>
			run(/** @type {string} */ (tar), [
				"-xzf",
				archive,
				"-C",
				unfinished,
				"--no-same-owner",
				"--strip-components=1",
				...wanted.map((name) => `package/${name}`),
			]),
		);
	} finally {
		rmSync(downloads, { recursive: true, force: true });
	}
	return folder;
}
