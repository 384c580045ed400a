/** Compares the references of `whereUsed` with those of a compiler, over any repository. */
import { basename, resolve } from "node:path";
import { asProgram, Problem } from "../js/build/run.mjs";
import { print } from "./ask.mjs";
import { compareLinks, ratios } from "./links-comparison.mjs";
import { table } from "./table.mjs";
import { clang } from "./truth/clang.mjs";
import { mcs } from "./truth/csharp.mjs";
import { GO_TYPES } from "./truth/go.mjs";
import { JAVAC } from "./truth/java.mjs";
import { PHPANTOM } from "./truth/php.mjs";
import { RUBY_TESTS } from "./truth/ruby.mjs";
import { RUSTDOC } from "./truth/rust.mjs";

/** The most differences that are printed of each side. */
const EXAMPLES = Number(process.env.RAGNAV_EXAMPLES ?? 40);

/**
 * The compiler of each language. That of C# compiles the folders that are named.
 *
 * @type {Record<string, (folders: string[]) => import("./compilers.mjs").Compiler>}
 */
const COMPILERS = {
	c: () => clang("c"),
	cpp: () => clang("c++"),
	csharp: (folders) => mcs(folders, []),
	go: () => GO_TYPES,
	java: () => JAVAC,
	php: () => PHPANTOM,
	ruby: () => RUBY_TESTS,
	rust: () => RUSTDOC,
};

await asProgram(async () => {
	const [language = "", folder, ...folders] = process.argv.slice(2);
	const compilerOf = COMPILERS[language];
	if (!compilerOf || !folder) {
		const languages = Object.keys(COMPILERS).join(", ");
		throw new Problem(
			`Name a language (${languages}) and a repository; for csharp also its folders with sources.`,
		);
	}
	const root = resolve(folder);
	const truth = await compilerOf(folders).usesOf(root);
	const scores = await compareLinks(basename(root), root, truth, EXAMPLES);
	const head = ["kind", "references", "precision", "recall", "with candidates"];
	const rows = [...scores].map(([kind, score]) => {
		const { precision, recall, reached } = ratios(score);
		const shares = [precision, recall, reached].map((one) => one.toFixed(4));
		return [kind, `${score.uses}`, ...shares];
	});
	print(`\n${table(head, rows)}`);
});
