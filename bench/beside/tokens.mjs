/** What a model reads for 40 tasks over Django. */
import { join } from "node:path";
import { output } from "../../js/build/run.mjs";
import { ragnav } from "../commands.mjs";
import { django } from "../corpus.mjs";
import { measured } from "../measured.mjs";
import { ripgrepProgram } from "../ripgrep.mjs";
import { tokenCosts } from "../token-tasks.mjs";
import { copyFolder } from "../workspace.mjs";
import { ragnavVersion } from "./versions.mjs";

const RELEASE = "5.1";

/**
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./results.mjs").Result>}
 */
export async function tokens({ temp }) {
	const folder = join(temp, "tokens");
	copyFolder(await django(RELEASE), folder);
	await measured(ragnav(folder, "build-graph"));
	const costs = await tokenCosts(folder);
	const [, rg = ""] =
		output(ripgrepProgram(), ["--version"])?.split(/\s+/) ?? [];
	return {
		part: "tokens",
		title: "Tokens for 40 tasks",
		note: "A token is four bytes of the text that a model reads, and a value is the median of ten tasks about functions and methods that chance chose. The truth is ragnav's own: `locate` and its resolved references, which the parts above hold against compilers. [Tokens](REPORT-tokens.md) has more.",
		columns: [
			{ key: "all", title: "tokens", unit: "tokens", better: "less" },
			{
				key: "first",
				title: "to the first right row",
				unit: "tokens",
				better: "less",
			},
			{
				key: "precision",
				title: "share of right rows",
				unit: "share",
				better: "more",
			},
		],
		chart: "all",
		rows: costs
			.filter(({ kind }) => kind !== "all")
			.map(({ kind, way, all, first, precision }) => ({
				...(TOOLS[way] ?? { tool: way, command: way }),
				...{ corpus: `Django ${RELEASE}`, what: kind },
				version: way === "MCP" ? ragnavVersion() : rg,
				values: { all, first, precision },
			})),
	};
}

/** @type {Record<string, { tool: string, command: string }>} */
const TOOLS = {
	MCP: { tool: "ragnav", command: "ragnav mcp" },
	"rg -n -w -C2": { tool: "rg", command: "rg -n -w -C2 -F NAME" },
	"3 files": {
		tool: "rg and 3 files",
		command: "rg -c -w -F NAME, and the text of 3 files",
	},
};
