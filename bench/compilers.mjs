import { clang } from "./truth/clang.mjs";
import { GO_TYPES } from "./truth/go.mjs";
import { JAVAC } from "./truth/java.mjs";

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
 * @property {Compiler} compiler
 */

/**
 * The repositories whose references are compared with what a compiler says.
 *
 * @type {Corpus[]}
 */
export const COMPILED = [
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
];

/**
 * What resolved rows must reach, by kind.
 *
 * @type {Record<Exclude<Declaration["kind"], "other">, { precision: number, recall: number }>}
 */
export const NEEDED = {
	function: { precision: 0.98, recall: 0.95 },
	type: { precision: 0.98, recall: 0.95 },
	method: { precision: 0.97, recall: 0.85 },
};
