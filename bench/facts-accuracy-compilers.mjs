/** Compares the facts of single files with those of parsers that are no part of ragnav. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem } from "../js/build/run.mjs";
import { list, print } from "./ask.mjs";
import { PARSED } from "./compilers.mjs";
import { compare } from "./facts-comparison.mjs";
import { table } from "./table.mjs";
import { clangParser } from "./truth/clang.mjs";
import { CSHARP_PARSER } from "./truth/csharp.mjs";
import { GO_PARSER } from "./truth/go.mjs";
import { JAVA_PARSER } from "./truth/java.mjs";
import { PHP_PARSER } from "./truth/php.mjs";
import { RUBY_PARSER } from "./truth/ruby.mjs";
import { RUST_PARSER } from "./truth/rust.mjs";

const PARSERS = [
	clangParser("c"),
	clangParser("cpp"),
	CSHARP_PARSER,
	GO_PARSER,
	JAVA_PARSER,
	PHP_PARSER,
	RUBY_PARSER,
	RUST_PARSER,
];
const REPORT = inRoot("bench", "REPORT-facts.md");
const NEEDED = { precision: 0.995, recall: 0.995 };
const EXAMPLES = 15;
const HEAD = `# Facts beside other parsers

\`npm run facts-accuracy-compilers -- FOLDER --write\` wrote this page. FOLDER holds the repositories at
these commits. The parsers are those of the compilers, or others that are no part of ragnav.

A row is a definition, an import, a call or any use of a name in one file. It counts as equal if its
name, line and column are equal; an import, if it names the same. Fields, variables and parameters are
no definitions.
Left out are names that need types to be understood: the keys of composite literals in Go, and the
names of arguments of annotations in Java. So are names of packages, and of classes within imports.
\`nil\`, \`true\`, \`false\` and \`iota\` of Go count as literals.
Files that the parser does not parse are left out, too.

- **C and C++.** Clang reads a file with its headers, which are searched in the repository. Left out are
  files with errors, such as missing headers, and those that Bison and flex wrote; lines in branches of
  conditional compilation that Clang skips, and conditions; names in arguments of macros, unless Clang
  says what they mean, and what macros expand to; names in templates, unless it says so; names of
  standard types, which are keywords of the grammar; conversions; and \`(a)(b)\`, which casts or calls.
  Members are no references in C. Of redis, \`src\` is compared, and of fmt, \`include\`, since the rest
  holds copies of other projects.
- **C#.** Left out is code that conditional compilation includes or not: ragnav reads all branches, and
  the parser one. So are the names of arguments, what types as arguments of imported types name, and
  operators, indexers and finalizers, whose names are no identifiers.
- **PHP.** The last segment of a qualified name counts, since ragnav resolves it as a whole. Imports
  of constants are left out, because constants are no definitions. \`self\`, \`parent\` and \`static\`
  are no names, because they stand for the class around them.
- **Ruby.** Imports are the literal paths of \`require\` and its like. Variables are no references.
  A class before \`.new\` counts as called. Two kinds of names are left out, since a parser does not
  say what they mean: keys without values, \`f(a:)\`, which read a variable or call a method, and
  constants that are assigned with their scope, \`A::B = c\`.
- **Rust.** \`self\`, \`Self\`, \`super\` and \`crate\` are no names, and attributes contain none. Left out
  are names of primitive types, which are keywords for ragnav; the names within macros, unless a macro
  of the standard library takes expressions; and patterns of one name, which may read a constant.`;

await asProgram(async () => {
	const [folder, ...options] = process.argv.slice(2);
	if (!folder)
		throw new Problem(
			"Name the folder that holds the repositories, and --write to write the report.",
		);
	/** @type {string[][]} */
	const rows = [];
	/** @type {string[]} */
	const failed = [];
	for (const parser of PARSERS) {
		const corpora = PARSED.filter(
			({ language }) => language === parser.language,
		);
		for (const { repository, commit, folder: part } of corpora) {
			const root = resolve(folder, repository.split("/")[1] ?? "");
			const scores = await compare(parser, root, part);
			for (const [category, score] of scores) {
				if (isEmpty(score)) continue;
				const { precision, recall } = ratios(score);
				if (precision < NEEDED.precision || recall < NEEDED.recall)
					failed.push(`${repository}: ${category}`);
				rows.push([
					...[parser.language, repository, commit.slice(0, 10), parser.name],
					...[category, String(score.equal + score.missed.length)],
					...[precision.toFixed(4), recall.toFixed(4)],
				]);
				list(`${repository}: missed ${category}`, spread(score.missed));
				list(`${repository}: wrong ${category}`, spread(score.wrong));
			}
		}
	}
	const head = [
		...["language", "repository", "commit", "truth"],
		...["kind", "rows", "precision", "recall"],
	];
	const report = `${HEAD}\n\n${table(head, rows)}\n`;
	print(`\n${report}`);
	if (options.includes("--write")) writeFileSync(REPORT, report);
	if (failed.length > 0)
		throw new Problem(
			`The facts are less accurate than they have to be: ${failed.join(", ")}.`,
		);
});

/** @param {import("./facts-comparison.mjs").Score} score */
function ratios({ equal, missed, wrong }) {
	const ratio = (/** @type {string[]} */ other) =>
		equal + other.length === 0 ? 1 : equal / (equal + other.length);
	return { precision: ratio(wrong), recall: ratio(missed) };
}

/**
 * Reports whether a repository has no such rows.
 *
 * @param {import("./facts-comparison.mjs").Score} score
 */
function isEmpty({ equal, missed, wrong }) {
	return equal + missed.length + wrong.length === 0;
}

/**
 * Returns some lines from all over a list.
 *
 * @param {string[]} lines
 */
function spread(lines) {
	const step = Math.max(1, Math.floor(lines.length / EXAMPLES));
	return lines.filter((_, index) => index % step === 0).slice(0, EXAMPLES);
}
