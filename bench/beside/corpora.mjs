/** The repositories in which the references and definitions of several tools are compared. */
import { join } from "node:path";
import { output, Problem } from "../../js/build/run.mjs";
import { GO_TYPES } from "../truth/go.mjs";
import { goTruth } from "./truth-go.mjs";
import { typescriptTruth } from "./truth-typescript.mjs";

/** @typedef {"function" | "method" | "type"} Kind */
/** @typedef {[file: string, line: number]} Place a line from 1 */
/**
 * @typedef {object} Declaration
 * @property {string} name
 * @property {Kind} kind
 * @property {string} file
 * @property {number} line of its name
 * @property {number} column from 0, in UTF-16 units
 * @property {Place[]} uses other than imports
 */
/**
 * @typedef {object} Truth
 * @property {string} name
 * @property {Declaration[]} declarations
 * @property {(declaration: Declaration, place: Place) => "import" | "other" | "unknown"} meaningOf
 * what the compiler says about a row at which it finds no use of the declaration: that it means
 * something else, or that it cannot say
 */
/**
 * @typedef {object} Corpus
 * @property {string} repository the owner and the name on GitHub
 * @property {string} commit
 * @property {string} folder of the repository that the tools see
 * @property {string} language
 * @property {(root: string) => Promise<Truth>} truthOf
 */

/** @type {Corpus[]} */
export const CORPORA = [
	{
		repository: "spf13/cobra",
		commit: "adbc8813901bba65827259daa8e22ff94ec1f30e",
		folder: ".",
		language: "Go",
		truthOf: (root) => goTruth(GO_TYPES, root),
	},
	{
		repository: "gitleaks/gitleaks",
		commit: "b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b",
		folder: ".",
		language: "Go",
		truthOf: (root) => goTruth(GO_TYPES, root),
	},
	{
		repository: "colinhacks/zod",
		commit: "e516c3baf22615e20934116abebfed6c000222c2",
		folder: "packages/zod",
		language: "TypeScript",
		truthOf: typescriptTruth,
	},
	{
		repository: "honojs/hono",
		commit: "28a9c128912de19f3fb28b00ae289c9b93f6f392",
		folder: "src",
		language: "TypeScript",
		truthOf: typescriptTruth,
	},
];

/**
 * Returns the folder of a corpus in the folder that holds the repositories.
 *
 * @param {string} data
 * @param {Corpus} corpus
 */
export const folderOf = (data, corpus) =>
	join(checkoutOf(data, corpus), corpus.folder);

/**
 * Returns the checkout of a repository, which must be at the commit that is measured.
 *
 * @param {string} data the folder that holds the repositories
 * @param {{ repository: string, commit: string }} wanted
 */
export function checkoutOf(data, { repository, commit }) {
	const folder = join(data, repository.split("/")[1] ?? "");
	const head = output("git", ["-C", folder, "rev-parse", "HEAD"])?.trim();
	if (head === commit) return folder;
	throw new Problem(
		`Missing ${repository} at ${commit}. Check it out in ${folder}.`,
	);
}

/** @param {{ repository: string, commit: string }} corpus */
export function titleOf({ repository, commit }) {
	return `${repository} ${commit.slice(0, 10)}`;
}
