/** Writes `vectors/` from the tables: `node conformance/generate.mjs`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asProgram, runPackage } from "../js/build/run.mjs";
import { GROUPS } from "./tables/index.mjs";
import { VECTORS } from "./vectors.mjs";

await asProgram(async () => {
	for (const group of GROUPS)
		writeFileSync(
			join(VECTORS, `${group.group}.json`),
			JSON.stringify(group, undefined, "\t"),
		);
	await runPackage(
		["@biomejs/biome", "biome"],
		["format", "--write", VECTORS],
		{ stdout: true },
	);
});
