import { clang } from "./truth/clang.mjs";
import { mcs } from "./truth/csharp.mjs";
import { GO_TYPES } from "./truth/go.mjs";
import { JAVAC } from "./truth/java.mjs";
import { PHPANTOM } from "./truth/php.mjs";
import { RUBY_TESTS } from "./truth/ruby.mjs";
import { RUSTDOC } from "./truth/rust.mjs";

/**
 * A compiler that says what the names of a repository mean.
 *
 * @typedef {object} Compiler
 * @property {string} name
 * @property {(root: string) => Promise<string>} usesOf prints a {@link Declaration} on each line
 */
/**
 * A declaration of a repository with its uses. Lines count from 1, columns from 0 in UTF-16 units.
 *
 * @typedef {object} Declaration
 * @property {string} file
 * @property {number} line
 * @property {number} column
 * @property {string} name
 * @property {"function" | "method" | "type" | "other"} kind `other` is not asked for; its uses are
 *   known to mean nothing else
 * @property {[file: string, line: number, column: number][]} uses
 */
/**
 * @typedef {object} Corpus
 * @property {string} language the name in ragnav
 * @property {string} repository the owner and the name on GitHub
 * @property {string} commit
 * @property {string} [folder] the part whose facts are compared, if not all
 * @property {Compiler} compiler
 */

/**
 * The repositories whose references are compared with what a compiler says.
 *
 * @type {Corpus[]}
 */
export const COMPILED = [
	{
		language: "csharp",
		repository: "jbevain/cecil",
		commit: "98ec890d44643ad88d573e97be0e120435eda732",
		compiler: mcs(
			[
				"Mono",
				"Mono.Cecil",
				"Mono.Cecil.Cil",
				"Mono.Cecil.Metadata",
				"Mono.Cecil.PE",
				"Mono.Collections.Generic",
				"Mono.Security.Cryptography",
			],
			["NET_4_0"],
		),
	},
	{
		language: "csharp",
		repository: "JamesNK/Newtonsoft.Json",
		commit: "e5ac9a8473dfdefb8fe2cddae433a9aaa94a5b37",
		compiler: mcs(["Src/Newtonsoft.Json"], ["NET45"]),
	},
	{
		language: "cpp",
		repository: "google/leveldb",
		commit: "78a352f47ed6c1e9d750545e9b242289185b87e1",
		compiler: clang("c++"),
	},
	{
		language: "cpp",
		repository: "fmtlib/fmt",
		commit: "60ccad511fd680cb91d8b60a315759f71c67bef9",
		folder: "include",
		compiler: clang("c++"),
	},
	{
		language: "c",
		repository: "jqlang/jq",
		commit: "579e6f76cffd7643ba4002a2c3618a5ea710589a",
		compiler: clang("c"),
	},
	{
		language: "c",
		repository: "redis/redis",
		commit: "4f8cdc2a1ea53e42955af758aabffee67cb455dd",
		folder: "src",
		compiler: clang("c"),
	},
	{
		language: "c",
		repository: "libexpat/libexpat",
		commit: "1185697878a3b09cada8e89f847a4c8315cd7ddc",
		compiler: clang("c"),
	},
	{
		language: "c",
		repository: "libjpeg-turbo/libjpeg-turbo",
		commit: "8a99315babe7fe946bef539c125f26b9e6aad8ab",
		compiler: clang("c"),
	},
	{
		language: "go",
		repository: "spf13/cobra",
		commit: "adbc8813901bba65827259daa8e22ff94ec1f30e",
		compiler: GO_TYPES,
	},
	{
		language: "go",
		repository: "gin-gonic/gin",
		commit: "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9",
		compiler: GO_TYPES,
	},
	{
		language: "java",
		repository: "google/gson",
		commit: "9835b6f90192f79cdf5300c528fc6212455fb6c1",
		compiler: JAVAC,
	},
	{
		language: "java",
		repository: "apache/commons-lang",
		commit: "d15939ef46f0bd4144994df8be95cf5a7f91eb52",
		compiler: JAVAC,
	},
	{
		language: "php",
		repository: "guzzle/guzzle",
		commit: "2779e868a00289e1b1fd854af030c43a06f4bcb4",
		compiler: PHPANTOM,
	},
	{
		language: "php",
		repository: "Seldaek/monolog",
		commit: "57eb1028342134e701e77c617565d51b6e5a2a53",
		compiler: PHPANTOM,
	},
	{
		language: "php",
		repository: "nikic/PHP-Parser",
		commit: "fbd47f7ebcbb450138d92642a0a53b72a5285dda",
		compiler: PHPANTOM,
	},
	{
		language: "ruby",
		repository: "rack/rack",
		commit: "8bf4eb078498edc9105fb04add80d89c5340e60b",
		compiler: RUBY_TESTS,
	},
	{
		language: "ruby",
		repository: "Shopify/liquid",
		commit: "7a5e45fc4784e6e2e3092f2eb6f613644f1e2e5a",
		compiler: RUBY_TESTS,
	},
	{
		language: "rust",
		repository: "hyperium/http",
		commit: "82db5b8af1e3939678fee88f3c57b72fee7e3a7b",
		compiler: RUSTDOC,
	},
	{
		language: "rust",
		repository: "tokio-rs/axum",
		commit: "3d78036dcac289d6c1d54934708acb6a5bd73686",
		compiler: RUSTDOC,
	},
	{
		language: "rust",
		repository: "sharkdp/bat",
		commit: "2ba8db9c14e5794572f5ea338c2b90404c9769cb",
		compiler: RUSTDOC,
	},
];

/**
 * The repositories whose files are compared with what a parser says.
 *
 * @type {Omit<Corpus, "compiler">[]}
 */
export const PARSED = [
	...COMPILED,
	{
		language: "ruby",
		repository: "sinatra/sinatra",
		commit: "cb22afd7902b566b6eaba6c4ea89739494a65d12",
	},
];

/** @typedef {{ precision: number, recall: number }} Needed */

/**
 * What resolved rows must reach, by kind.
 *
 * @type {Record<Exclude<Declaration["kind"], "other">, Needed>}
 */
const NEEDED = {
	function: { precision: 0.98, recall: 0.95 },
	type: { precision: 0.98, recall: 0.95 },
	method: { precision: 0.97, recall: 0.85 },
};

/** What methods must reach in languages that need not declare types. */
const NEEDED_WITHOUT_TYPES = { precision: 0.95, recall: 0.6 };
const WITHOUT_TYPES = ["php", "ruby"];

/**
 * Returns what resolved rows of a language must reach.
 *
 * @param {string} language
 * @param {Exclude<Declaration["kind"], "other">} kind
 * @returns {Needed}
 */
export function neededOf(language, kind) {
	const isLoose = kind === "method" && WITHOUT_TYPES.includes(language);
	return isLoose ? NEEDED_WITHOUT_TYPES : NEEDED[kind];
}
