import { spawnSync } from "node:child_process";
import { Problem } from "../js/build/run.mjs";

/** @typedef {{ file: string, line: number, kind: string, name: string }} Row */
/**
 * @typedef {object} Corpus
 * @property {string} language the name in ragnav
 * @property {string} repository the owner and the name on GitHub
 * @property {string} commit
 * @property {string[]} extensions
 * @property {string[]} options the options of ctags
 * @property {(tag: Tag) => string | undefined} kinds the kind in ragnav, unless it has none
 * @property {(name: string) => string} rename the name in ragnav
 */
/** @typedef {{ name: string, path: string, line: number, kind: string, pattern: string, scopeKind?: string }} Tag */

/** @type {Record<string, string>} */
const C_SHARP_KINDS = {
	class: "class",
	struct: "class",
	interface: "interface",
	enum: "enum",
	namespace: "namespace",
	method: "method",
	property: "method",
	event: "method",
};

const C_SHARP = {
	language: "csharp",
	extensions: [".cs"],
	options: ["--language-force=C#"],
	/** @param {Tag} tag */
	kinds: ({ kind, pattern }) =>
		kind === "method" && /\bdelegate\s/.test(pattern)
			? "type"
			: C_SHARP_KINDS[kind],
	/** @param {string} name */
	rename: (name) =>
		name.startsWith("operator ")
			? conversion(name)
			: name.slice(name.lastIndexOf(".") + 1),
};

/**
 * Returns the name of an operator as ragnav writes it: `operator==`, `operator A` without the type
 * arguments of `A`.
 *
 * @param {string} name
 */
function conversion(name) {
	const of = name
		.slice("operator ".length)
		.replace(/<.*>/, "")
		.replace(/[\w:]*::/g, "")
		.trim();
	return /^\w/.test(of) ? `operator ${of}` : `operator${of}`;
}

/** @type {Record<string, string>} */
const CPP_KINDS = {
	class: "class",
	struct: "class",
	union: "class",
	enum: "enum",
	namespace: "namespace",
	typedef: "type",
};

const CPP = {
	language: "cpp",
	extensions: [".cc", ".cpp", ".h", ".hpp"],
	options: [
		"--language-force=C++",
		"--kinds-C++=+p",
		"--fields-C++=+{properties}",
	],
	/** @param {Tag} tag */
	kinds: ({ kind, name, pattern, scopeKind }) => {
		if (name.startsWith("__anon")) return undefined;
		const isInType = ["class", "struct", "union"].includes(scopeKind ?? "");
		// Macros without arguments are no definitions in ragnav.
		if (kind === "macro")
			return pattern.includes(`${name}(`) ? "function" : undefined;
		if (kind === "function") return isInType ? "method" : "function";
		if (kind === "prototype") return isInType ? "method" : undefined;
		return CPP_KINDS[kind];
	},
	/** @param {string} name */
	rename: (name) =>
		name.startsWith("operator ") ? conversion(name) : name.replace(/\s/g, ""),
};

/** @type {Corpus[]} */
export const CORPORA = [
	{
		...C_SHARP,
		repository: "JamesNK/Newtonsoft.Json",
		commit: "09bb545d72969ad7fb4ea07db0d5c34f4fc07877",
	},
	{
		...C_SHARP,
		repository: "DapperLib/Dapper",
		commit: "6d48ef664acc7298c649e2d449d903b3360d5a90",
	},
	{
		...CPP,
		repository: "fmtlib/fmt",
		commit: "60ccad511fd680cb91d8b60a315759f71c67bef9",
	},
	{
		...CPP,
		repository: "google/leveldb",
		commit: "78a352f47ed6c1e9d750545e9b242289185b87e1",
	},
	{
		...CPP,
		repository: "abseil/abseil-cpp",
		commit: "926f1d05a4f85663e4ca057f70f1a7f0a7d6b762",
	},
];

/** The output of ctags is read whole; that of a large repository has some 100 MB. */
const MAX_OUTPUT = 1 << 30;

/**
 * Returns the definitions that ctags finds.
 *
 * @param {string} ctags
 * @param {Corpus} corpus
 * @param {string[]} files
 * @returns {Row[]}
 */
export function tagsOf(ctags, { options, kinds, rename }, files) {
	const form = ["--output-format=json", "--fields=+nKs", "--sort=no"];
	const { status, stdout, stderr } = spawnSync(
		ctags,
		[
			"--quiet=yes",
			"--options=NONE",
			...form,
			...options,
			"-L",
			"-",
			"-f",
			"-",
		],
		{ input: files.join("\n"), encoding: "utf8", maxBuffer: MAX_OUTPUT },
	);
	if (status !== 0) throw new Problem(`ctags failed: ${stderr}`);
	const tags = stdout.split("\n").filter((line) => line !== "");
	return tags.flatMap((line) => {
		/** @type {Tag} */
		const tag = JSON.parse(line);
		const kind = kinds(tag);
		if (kind === undefined) return [];
		return [{ file: tag.path, line: tag.line, kind, name: rename(tag.name) }];
	});
}

/** Words that begin a statement of C#, not a declaration. */
const STATEMENT =
	/^(return|new|await|throw|else|if|for|foreach|while|using|switch|case|lock|yield|catch|var)\b/;

/**
 * Returns the fault of ctags that explains a disagreement, or `undefined`. The words of the line
 * decide, not ragnav.
 *
 * @param {string} language
 * @param {Row} row
 * @param {boolean} isExtra whether only ragnav has the row
 * @param {string[]} lines
 * @returns {string | undefined}
 */
export function faultOf(language, row, isExtra, lines) {
	const line = (lines[row.line - 1] ?? "").replace(/^\uFEFF/, "").trim();
	const declares = DECLARES[language];
	if (!declares) return undefined;
	const isDeclared = declares(row, line, lines);
	if (isExtra)
		return isDeclared ? `no ${row.kind} that its line declares` : undefined;
	return isDeclared
		? undefined
		: `a ${row.kind} that its line does not declare`;
}

/** @type {Record<string, (row: Row, line: string, lines: string[]) => boolean>} */
const DECLARES = { cpp: declaresInCpp, csharp: declaresInCSharp };

/**
 * @param {Row} row
 * @param {string} line
 * @param {string[]} lines
 */
function declaresInCSharp({ kind, name, line: number }, line, lines) {
	const text = line.replace(/^(\[[^\]]*\]\s*)+/, "");
	const quoted = name.replace(/[^\w ]/g, "\\$&").replace(/ /g, "\\s*");
	const has = (/** @type {string} */ pattern) =>
		new RegExp(pattern.replace("NAME", quoted)).test(text);
	if (kind === "namespace") return has("^namespace\\s+([\\w.]+\\.)?NAME\\b");
	if (kind === "type") return has("\\bdelegate\\b.*\\bNAME\\s*[<(]");
	if (kind !== "method" && kind !== "function") {
		return has("\\b(class|struct|interface|enum|record)\\s+NAME\\b");
	}
	if (STATEMENT.test(text) && !/^new\s+\w+\s+\w+\s*[({<]/.test(text))
		return false;
	const ends = "\\s*(<[^()]*>)?\\s*([({;]|=>|$|//)";
	if (/^operator\b/.test(name)) return has("\\boperator\\b") && /\(/.test(text);
	if (name === "this") return /\bthis\s*\[/.test(text);
	if (name.startsWith("~")) return text.startsWith("~");
	if (/\bdelegate\b/.test(text)) return false;
	// A constructor, or a type and the name, both before any value.
	const isConstructor =
		has(
			"^((public|private|protected|internal|static|unsafe)\\s+)*NAME\\s*\\(",
		) &&
		lines
			.slice(0, number)
			.some((other) => other.match(`\\b(class|struct|record) ${name}\\b`));
	const type = "[\\w<>\\[\\],.?*() ]*[\\w>\\]?*)]\\s+";
	return isConstructor || has(`^${type}([\\w.<>, ]+\\.)?NAME${ends}`);
}

/** Words that begin a statement of C++. */
const CPP_STATEMENT =
	/^(return|new|delete|throw|else|if|for|while|do|switch|case|goto|catch|co_\w+|#)\b/;

/**
 * @param {Row} row
 * @param {string} line
 * @param {string[]} lines
 */
function declaresInCpp({ kind, name, line: number }, line, lines) {
	const before = lines.slice(Math.max(0, number - 4), number - 1).join(" ");
	const quoted = name.replace(/[^\w ]/g, "\\s*\\$&\\s*").replace(/ /g, "\\s*");
	const has = (/** @type {string} */ pattern, text = line) =>
		new RegExp(pattern.replace("NAME", quoted)).test(text);
	// A typedef of a type without a name is one definition in ragnav, of the kind of that type.
	if (/^\}/.test(line)) return kind !== "type";
	if (kind === "namespace") return has("\\bnamespace\\b.*\\bNAME\\b");
	if (kind === "type")
		return has(
			"\\b(using|concept|typedef)\\b.*\\bNAME\\b",
			`${before} ${line}`,
		);
	if (kind === "enum") return has("\\benum\\b.*\\bNAME\\b");
	if (kind === "class") return has("\\b(class|struct|union)\\b.*\\bNAME\\b");
	if (has("^#\\s*define\\s+NAME\\(")) return true;
	if (CPP_STATEMENT.test(line)) return false;
	if (/^[A-Z][A-Z_]+$/.test(name) && !has("^NAME")) return false;
	// `TEST(a, b) {`
	if (has("^NAME\\(.*\\{")) return true;
	const special = /^operator\b/.test(name);
	if (special) return /^[\w\s:<>,*&()]*\boperator\b/.test(line);
	// A type or the name of a class, perhaps in the line before, and the name before its parameters.
	const [, lead] =
		new RegExp(`^([\\w\\s:<>,*&~()]*?)${quoted}\\s*(<.*>)?\\s*\\(`).exec(
			line,
		) ?? [];
	if (lead === undefined) return false;
	const last = (lines[number - 2] ?? "").trim();
	const continues =
		/^[\w\s:<>,*&()]*[\w>*&)]$/.test(last) && !CPP_STATEMENT.test(last);
	return (
		/[\w>*&:)~]\s*$/.test(lead) || continues || isClass(name, lines, number)
	);
}

/**
 * @param {string} name
 * @param {string[]} lines
 * @param {number} end
 */
function isClass(name, lines, end) {
	const own = new RegExp(
		`\\b(class|struct|union)\\b.*\\b${name.replace(/^~/, "")}\\b`,
	);
	return lines.slice(0, end).some((line) => own.test(line));
}
