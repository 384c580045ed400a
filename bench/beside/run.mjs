/**
 * Measures ragnav beside other tools: `npm run bench:peers -- --data DIR`. DIR holds checkouts of the
 * repositories of `corpora.mjs` and of SWARM-CG; the other corpora and the tools are fetched once into
 * the cache, and after that nothing needs the network. `--only where-used,speed` chooses parts, and
 * `--write` writes `bench/REPORT-peers.md` and its charts from all that was kept.
 */
import { writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { inRoot } from "../../js/build/paths.mjs";
import { asProgram, Problem, say } from "../../js/build/run.mjs";
import { inWorkspace } from "../workspace.mjs";
import { lineage } from "./calls.mjs";
import { chartFile, chartOf, pageOf } from "./page.mjs";
import { freshness, retrieval } from "./recorded.mjs";
import { keepResult, keptResults } from "./results.mjs";
import { schemas } from "./schemas.mjs";
import { speed } from "./speed.mjs";
import { tokens } from "./tokens.mjs";
import { definitions, whereUsed } from "./uses.mjs";

/** @typedef {import("./results.mjs").Result} Result */
/**
 * @typedef {object} Context
 * @property {string} data the folder that holds the repositories
 * @property {string} temp removed when the run ends
 */

/**
 * The parts in the order of the page.
 *
 * @type {Record<string, (context: Context) => Promise<Result>>}
 */
const PARTS = {
	freshness,
	"where-used": whereUsed,
	definitions,
	lineage,
	retrieval,
	speed,
	tokens,
	schemas,
};

await asProgram(async () => {
	const { data, only, write } = options();
	await inWorkspace(async (temp) => {
		for (const name of only) {
			say(`${name}: measuring`);
			const result = await PARTS[name]?.({ data, temp });
			if (result) keepResult(result, machine());
		}
	});
	const kept = keptResults(Object.keys(PARTS));
	const page = pageOf(kept);
	process.stdout.write(page);
	if (!write) return;
	writeFileSync(inRoot("bench", "REPORT-peers.md"), page);
	for (const result of kept)
		writeFileSync(inRoot(chartFile(result.part)), chartOf(result) ?? "");
});

function options() {
	const { values } = parseArgs({
		options: {
			data: { type: "string" },
			only: { type: "string" },
			write: { type: "boolean", default: false },
		},
	});
	const all = Object.keys(PARTS);
	const only = values.only?.split(",") ?? all;
	const unknown = only.filter((name) => !all.includes(name));
	if (unknown.length > 0)
		throw new Problem(`--only takes ${all.join(", ")}; not ${unknown}.`);
	if (!values.data)
		throw new Problem(
			"Name the folder that holds the repositories: --data DIR",
		);
	return { data: resolve(values.data), only, write: values.write };
}

function machine() {
	const [first] = cpus();
	const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
	return `${cpus().length} × ${first?.model.trim()}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`;
}
