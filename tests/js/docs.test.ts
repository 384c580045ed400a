// The documentation leads to files that exist, and keeps its size and its columns.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { queries } from "../../js/generated/queries.js";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

const COLUMNS = 100;

/** The folders that hold pages of this repository. */
const FOLDERS = [
	...["bench", "conformance", "docs", "examples", "js", "pkg-template", "site"],
];

/** What the build or npm writes, in any folder. */
const GENERATED =
	/(^|\/)(api|generated|generated-full|node_modules|\.work|dist)\//;

const pages = [
	...readdirSync(CHECKOUT),
	...FOLDERS.flatMap((folder) =>
		readdirSync(join(CHECKOUT, folder), { recursive: true }).map((path) =>
			join(folder, String(path)).replaceAll(sep, "/"),
		),
	),
].filter((path) => path.endsWith(".md") && !GENERATED.test(path));

/** Returns the lines outside of code blocks, with empty lines in place of the others. */
function proseOf(page: string): string[] {
	const text = readFileSync(join(CHECKOUT, page), "utf8");
	let isCode = false;
	return text.split("\n").map((line) => {
		const isFence = line.startsWith("```");
		if (isFence) isCode = !isCode;
		return isFence || isCode ? "" : line;
	});
}

/** Returns the anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): string[] {
	const headings = proseOf(page).filter((line) => /^#+ /.test(line));
	return headings.map((line) =>
		line
			.replace(/^#+ /, "")
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

/** Returns the targets of the links of a page that lead into this repository. */
function relativeLinks(page: string): string[] {
	const prose = proseOf(page)
		.join("\n")
		.replaceAll(/`[^`\n]*`/g, "");
	const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
	const targets = links.map(([, target = ""]) => target);
	// A page of the site names what is beside all pages from the root; the test of the site opens it.
	return targets.filter((target) => !/^([a-z]+:|\/)/.test(target));
}

test("there are pages with links", () => {
	assert.ok(pages.includes("README.md") && pages.includes("docs/cli.md"));
	assert.ok(relativeLinks("README.md").length > 5);
});

for (const page of pages) {
	test(`the links of ${page}`, () => {
		const broken = relativeLinks(page).filter((link) => {
			const [path = "", anchor] = link.split("#");
			const file = path === "" ? page : join(dirname(page), path);
			if (!existsSync(join(CHECKOUT, file))) return true;
			return anchor !== undefined && !anchorsOf(file).includes(anchor);
		});
		assert.deepEqual(broken, []);
		const outside = relativeLinks(page).filter((link) =>
			relative(CHECKOUT, join(CHECKOUT, dirname(page), link)).startsWith(".."),
		);
		assert.deepEqual(outside, []);
	});
}

test("ARCHITECTURE.md has at most 250 lines", () => {
	const text = readFileSync(join(CHECKOUT, "ARCHITECTURE.md"), "utf8");
	assert.ok(text.trimEnd().split("\n").length <= 250);
});

for (const page of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]) {
	test(`the columns of ${page}`, () => {
		const prose = proseOf(page).filter((line) => !line.startsWith("|"));
		const long = prose.filter((line) => [...line].length > COLUMNS);
		assert.deepEqual(long, []);
	});
}

for (const page of ["pkg-template/README.md", "docs/api-guide.md"]) {
	test(`${page} names every query`, () => {
		const text = readFileSync(join(CHECKOUT, page), "utf8");
		const methods = Object.keys(queries).map((name) =>
			name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		);
		const unnamed = methods.filter(
			(method) => !new RegExp(`\\b${method}\\b`).test(text),
		);
		assert.deepEqual(unnamed, []);
	});
}
