import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative, sep } from "node:path";
import { inRoot } from "../../js/build/paths.mjs";
import { output, Problem } from "../../js/build/run.mjs";

const TIMEOUT_MS = 1_800_000;

/** What rustdoc says about a name: the lines of the item that it means. */
const FLAGS =
	"-Zunstable-options --generate-link-to-definition --document-private-items";
const LINK =
	/<a (?:class="[^"]*" )?href=("?)([^" >]*)\1([^>]*)>|<\/a>|<[^>]*>/g;
const LINES = /^(?<file>[^#]*)#(?<lines>\d+(?:-\d+)?)$/;
const ITEM =
	/^(?<before>\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|const|default|extern|unsafe|"C")\s+)*(?<kind>fn|struct|enum|union|trait|type|macro_rules!)\s+)(?<name>\w+)/;
/** The heads of blocks whose functions are methods. */
const OWNER =
	/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+|default\s+|auto\s+)*(?<kind>impl|trait)\b/;
const CONTINUED = /^\s*(?:where\b|[{})])/;

/**
 * The Rust compiler, by the links that rustdoc writes into its pages of sources.
 *
 * rustdoc resolves the names of the libraries of a workspace as the compiler does, also those in
 * bodies. A method that implements a trait counts as that of the trait. Items of other crates, of
 * programs and of tests are not part of it.
 *
 * @type {import("../compilers.mjs").Compiler}
 */
export const RUSTDOC = {
	name: "rustdoc 1.95",
	async usesOf(root) {
		const target = mkdtempSync(join(tmpdir(), "ragnav-rustdoc-"));
		try {
			return usesIn(root, target);
		} finally {
			rmSync(target, { recursive: true, force: true });
		}
	},
};

/** What builds the program that asks syn. */
const MANIFEST = `[package]
name = "rust_facts"
version = "0.0.0"
edition = "2024"

[dependencies]
proc-macro2 = { version = "=1.0.107", features = ["span-locations"] }
serde_json = "=1.0.154"
syn = { version = "=2.0.119", features = ["full", "visit"] }

[[bin]]
name = "rust_facts"
path = "SOURCE"

[workspace]
`;

/**
 * syn, the parser that macros use.
 *
 * @type {import("../facts-comparison.mjs").Parser}
 */
export const RUST_PARSER = {
	name: "syn 2.0",
	language: "rust",
	async factsOf(root) {
		const folder = mkdtempSync(join(tmpdir(), "ragnav-syn-"));
		try {
			const manifest = join(folder, "Cargo.toml");
			const source = inRoot("bench", "truth", "rust_facts.rs");
			const shown = source.replaceAll("\\", "/");
			writeFileSync(manifest, MANIFEST.replace("SOURCE", shown));
			const args = ["run", "--quiet", "--release", "--manifest-path", manifest];
			const env = { ...process.env, CARGO_TARGET_DIR: join(folder, "target") };
			const printed = output("cargo", [...args, "--", root], {
				env,
				timeout: TIMEOUT_MS,
			});
			if (printed === undefined) throw new Problem(`syn failed on ${root}.`);
			return printed;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};

/**
 * @typedef {object} Link
 * @property {string} to the file and the lines that it leads to
 * @property {string} text
 * @property {number} line
 * @property {number} column
 */

/**
 * @param {string} root
 * @param {string} target
 */
function usesIn(root, target) {
	const env = {
		...process.env,
		RUSTC_BOOTSTRAP: "1",
		RUSTDOCFLAGS: FLAGS,
		CARGO_TARGET_DIR: target,
	};
	const manifest = join(root, "Cargo.toml");
	const cargo = (/** @type {string[]} */ ...options) => {
		const args = [...options, "--manifest-path", manifest];
		const printed = output("cargo", args, { env, timeout: TIMEOUT_MS });
		if (printed === undefined)
			throw new Problem(`cargo ${args.join(" ")} failed.`);
		return printed;
	};
	const document = ["doc", "--workspace", "--no-deps", "--lib"];
	document.push("--ignore-rust-version");
	try {
		cargo(...document, "--all-features");
	} catch {
		// Some features exclude each other.
		cargo(...document);
	}
	const metadata = JSON.parse(
		cargo("metadata", "--no-deps", "--format-version", "1"),
	);
	/** @type {Map<string, Link[]>} */
	const files = new Map();
	/** @type {Map<string, string[]>} */
	const texts = new Map();
	for (const { targets } of metadata.packages)
		for (const { kind, name, src_path } of targets) {
			if (!/lib|proc-macro/.test(kind.join(" "))) continue;
			const pages = join(target, "doc", "src", name.replaceAll("-", "_"));
			const folder = relative(root, dirname(src_path)).split(sep).join("/");
			for (const page of pagesIn(pages)) {
				const file = posix.join(folder, page.replace(/\.html$/, ""));
				// A build script writes some files.
				if (!existsSync(join(root, file))) continue;
				const { links, lines } = read(join(pages, page), file);
				files.set(file, links);
				texts.set(file, lines);
			}
		}
	return declarations(files, texts)
		.map((one) => JSON.stringify(one))
		.join("\n");
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function pagesIn(folder) {
	const pages = readdirSync(folder, { recursive: true, encoding: "utf8" });
	return pages
		.filter((page) => page.endsWith(".rs.html"))
		.map((page) => page.split(sep).join("/"));
}

/**
 * Reads the links and the text of a page.
 *
 * @param {string} page
 * @param {string} file
 */
function read(page, file) {
	const html = readFileSync(page, "utf8");
	const start = html.indexOf("<code>", html.indexOf('<pre class="rust"'));
	const code = html.slice(
		start + "<code>".length,
		html.indexOf("</code></pre>"),
	);
	let text = "";
	/** @type {{ to: string, start: number, end: number }[]} */
	const links = [];
	/** @type {{ to: string, start: number } | undefined} */
	let open;
	let isNumber = false;
	let at = 0;
	for (const tag of code.matchAll(LINK)) {
		const before = code.slice(at, tag.index);
		if (!isNumber) text += unescapeText(before);
		at = tag.index + tag[0].length;
		if (tag[0] === "</a>") {
			if (open) links.push({ ...open, end: text.length });
			open = undefined;
			isNumber = false;
		} else if (tag[2] !== undefined) {
			isNumber = (tag[3] ?? "").includes("data-nosnippet");
			open = isNumber
				? undefined
				: { to: placeOf(tag[2], file), start: text.length };
		}
	}
	text += unescapeText(code.slice(at));
	const lines = text.split("\n");
	const starts = [0];
	for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
	return { lines, links: links.map((link) => placed(link, text, starts)) };
}

/**
 * @param {{ to: string, start: number, end: number }} link
 * @param {string} text
 * @param {number[]} starts
 * @returns {Link}
 */
function placed({ to, start, end }, text, starts) {
	const whole = text.slice(start, end);
	const name = /\w+!?$/.exec(whole)?.[0].replace("!", "") ?? "";
	const at = start + whole.lastIndexOf(name);
	const next = starts.findIndex((from) => from > at);
	const from = starts[next - 1] ?? 0;
	return {
		to,
		text: name,
		line: next,
		column: at - from,
	};
}

/**
 * @param {string} href
 * @param {string} file
 */
function placeOf(href, file) {
	const { file: page, lines } = LINES.exec(href)?.groups ?? {};
	if (!lines || page?.startsWith("http")) return "";
	const source = page ? posix.join(posix.dirname(file), page) : file;
	return `${source.replace(/\.html$/, "")}#${lines}`;
}

/** @param {string} text */
function unescapeText(text) {
	return text
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&#39;", "'")
		.replaceAll("&amp;", "&");
}

/**
 * @param {Map<string, Link[]>} files
 * @param {Map<string, string[]>} texts
 */
function declarations(files, texts) {
	/** @type {Map<string, import("../compilers.mjs").Declaration>} */
	const found = new Map();
	for (const [file, lines] of texts)
		for (const [place, text] of lines.entries()) {
			const line = place + 1;
			const { before = "", kind: item, name } = ITEM.exec(text)?.groups ?? {};
			if (!item || !name) continue;
			const owner = ownerOf(lines, line);
			const isOfTrait = owner !== undefined && / for /.test(owner);
			if (isOfTrait) continue;
			/** @type {import("../compilers.mjs").Declaration["kind"]} */
			const kind = owner ? "method" : "function";
			const isFunction = item === "fn" || item === "macro_rules!";
			const column = before.length;
			found.set(keyOf(file, line, name), {
				file,
				line,
				column,
				name,
				kind: isFunction ? kind : "type",
				uses: [],
			});
		}
	for (const [file, links] of files)
		for (const { to, text, line, column } of links) {
			const [of = "", span = ""] = to.split("#");
			const first = Number.parseInt(span, 10);
			const head = texts.get(of)?.[first - 1] ?? "";
			// A parameter on the first line of a function may have its name.
			if (!span.includes("-") && !/[;}]\s*$/.test(head)) continue;
			const declared = found.get(keyOf(of, first, text));
			const isOwn = declared?.file === file && declared.line === line;
			if (declared && !isOwn) declared.uses.push([file, line, column]);
		}
	return [...found.values()];
}

/**
 * @param {string} file
 * @param {number} line
 * @param {string} name
 */
function keyOf(file, line, name) {
	return `${file}#${line}:${name}`;
}

/**
 * Returns the head of the `impl` block or trait around a line of code in the usual format.
 *
 * @param {string[]} lines
 * @param {number} line
 */
function ownerOf(lines, line) {
	const indent = (/** @type {string} */ text) => text.search(/\S|$/);
	const own = indent(lines[line - 1] ?? "");
	for (let at = line - 2; at >= 0; at -= 1) {
		const text = lines[at] ?? "";
		if (text.trim() === "" || indent(text) >= own || CONTINUED.test(text))
			continue;
		return OWNER.test(text) ? text : undefined;
	}
	return undefined;
}
