import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { npmPackages } from "./npm-packages.mjs";
import { inRoot, pkg } from "./paths.mjs";
import { writeReference } from "./reference.mjs";
import { asProgram, output, Problem, run, say, step } from "./run.mjs";

const VITEPRESS = ["vitepress@1.6.4", "vue@3.5.22"];

/** Where the files of the repository can be read. */
const REPOSITORY = "https://github.com/ragnav/ragnav/blob/main";

/** The pages of the repository, beside those of `site/`. */
const PAGES =
	/^(docs\/.*|bench\/[^/]*|bench\/retrieval\/README|conformance\/[^/]*|examples\/README|[^/]*)\.md$/;

/** What the demo shows: code in several languages. */
const SHOWN =
	/^(crates|js|examples|tests\/fixtures|docs)\/.*\.(rs|tsx?|m?js|py|md)$/;

const WORK = inRoot("site", ".work");

/** The finished site. */
export const SITE = inRoot("site", "dist");

/**
 * Writes the site to `site/dist`: the pages, the reference of the API and the demo. A link to a page
 * or a file that does not exist is an error.
 */
export async function writeSite() {
	await writeReference();
	rmSync(WORK, { recursive: true, force: true });
	collectPages();
	cpSync(inRoot("site", "public"), join(WORK, "public"), { recursive: true });
	cpSync(
		inRoot("docs", "images", "viewer.png"),
		join(WORK, "public", "viewer.png"),
	);
	cpSync(inRoot("site", ".vitepress"), join(WORK, ".vitepress"), {
		recursive: true,
	});
	const modules = await npmPackages("vitepress-1.6.4", VITEPRESS);
	const program = join(modules, "vitepress", "bin", "vitepress.js");
	rmSync(SITE, { recursive: true, force: true });
	await step("site: VitePress", () =>
		run(process.execPath, [program, "build", WORK]),
	);
	cpSync(inRoot("docs", "api"), join(SITE, "api"), { recursive: true });
	await step("demo: a repository in the viewer", writeDemo);
	await step("demo: editors over a language server", writeEditors);
}

/** Returns the files that git tracks, and new ones. */
function trackedFiles() {
	const flags = ["--cached", "--others", "--exclude-standard"];
	const listed = output("git", ["ls-files", ...flags]);
	if (listed === undefined) throw new Problem("git ls-files failed");
	const files = listed.split("\n").filter(Boolean);
	return files.filter((file) => existsSync(inRoot(file)));
}

/** Copies the pages, whose links to other files of the repository lead to where these are. */
function collectPages() {
	const files = trackedFiles();
	const pages = new Set(files.filter((file) => PAGES.test(file)));
	const own = files.filter((file) => /^site\/[^/]*\.md$/.test(file));
	for (const page of [...pages, ...own]) {
		const text = readFileSync(inRoot(page), "utf8");
		const known = new Set([...pages, ...own]);
		put(page, withLinks(text, page, known));
	}
	cpSync(inRoot("docs", "images"), join(WORK, "docs", "images"), {
		recursive: true,
	});
}

/**
 * @param {string} text
 * @param {string} page
 * @param {ReadonlySet<string>} pages
 */
function withLinks(text, page, pages) {
	return text.replaceAll(/\]\(([^)\s]+)\)/g, (link, target) => {
		if (/^(\w+:|#|\/)/.test(target)) return link;
		const [path = "", anchor] = target.split("#");
		const file = posix.join(posix.dirname(page), path);
		if (pages.has(file) || file.startsWith("docs/images/")) return link;
		if (!existsSync(inRoot(file))) {
			throw new Problem(`${page} links to ${target}, which does not exist`);
		}
		const suffix = anchor === undefined ? "" : `#${anchor}`;
		return `](${REPOSITORY}/${file}${suffix})`;
	});
}

/**
 * @param {string} page
 * @param {string} text
 */
function put(page, text) {
	const file = join(WORK, page);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}

/** Writes the viewer with a part of this repository and its index. */
async function writeDemo() {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-demo-"));
	try {
		const repository = join(folder, "ragnav");
		for (const file of trackedFiles().filter((file) => SHOWN.test(file))) {
			cpSync(inRoot(file), join(repository, file), { recursive: true });
		}
		commit(repository);
		const cli = join(pkg, "dist", "cjs", "cli.js");
		const out = join(SITE, "demo");
		await run(process.execPath, [cli, "build-graph", "--repo", repository]);
		const viewer = ["viewer", "--repo", repository, "--out", out];
		await run(process.execPath, [cli, ...viewer]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Bundles the example of a language server in a worker. */
async function writeEditors() {
	const { build: bundle } = await import("vite");
	const folder = mkdtempSync(join(tmpdir(), "ragnav-editors-"));
	try {
		const example = join(folder, "example");
		cpSync(inRoot("examples", "language-server-page"), example, {
			recursive: true,
		});
		const modules = join(example, "node_modules");
		mkdirSync(modules);
		symlinkSync(pkg, join(modules, "ragnav"), "dir");
		const codemirror = inRoot("node_modules", "@codemirror");
		symlinkSync(codemirror, join(modules, "@codemirror"), "dir");
		await bundle({
			root: example,
			base: "./",
			configFile: false,
			logLevel: "error",
			worker: { format: "es" },
			build: {
				target: "es2022",
				modulePreload: false,
				outDir: join(SITE, "editors"),
				emptyOutDir: true,
			},
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Commits all files, so that the index names a commit.
 *
 * @param {string} folder
 */
function commit(folder) {
	const who = ["-c", "user.name=ragnav", "-c", "user.email=ragnav@localhost"];
	for (const args of [
		["init", "--quiet"],
		["add", "--all"],
		[...who, "commit", "--quiet", "--message", "demo"],
	]) {
		if (output("git", ["-C", folder, ...args]) === undefined)
			throw new Problem(`git ${args.join(" ")} failed`);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await asProgram(async () => {
		await build();
		await writeSite();
		say("the site is in site/dist: serve it with any server of static files");
	});
}
