import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashOf, readText, writeFile } from "./cache.mjs";
import { generated, inRoot } from "./paths.mjs";
import { Problem } from "./run.mjs";
import { step } from "./setup.mjs";

const FILE = join(generated, "mcp-schemas.js");
const STAMP = join(generated, ".mcp-schemas");

/** @type {Record<string, string>} the tools, and what the types of their arguments and answers begin with */
const TOOLS = {
	rag_search: "Search",
	rag_where_used: "WhereUsed",
	rag_lineage: "Lineage",
	rag_locate: "Locate",
	rag_identify: "Identify",
	rag_outline: "Outline",
	rag_files: "Files",
	rag_status: "Status",
	rag_build_graph: "BuildGraph",
	rag_ask: "Ask",
};

const DECLARATIONS = `/** A JSON schema of an object. */
export interface ObjectSchema {
	$schema: string;
	type: "object";
	properties: Record<string, { description?: string; [key: string]: unknown }>;
	required?: string[];
	[key: string]: unknown;
}

export type ToolName = ${Object.keys(TOOLS)
	.map((name) => `"${name}"`)
	.join(" | ")};

/** What each tool of \`ragnav mcp\` takes and answers. */
export declare const schemas: Record<ToolName, { input: ObjectSchema; output: ObjectSchema }>;
`;

/** Brings the JSON schemas of the MCP server's tools up to date, which are made of the types of what they take and answer. */
export async function writeSchemas() {
	const hash = hashOf({ files: inputs() });
	if (readText(STAMP) === hash && existsSync(FILE)) return;
	await step("JSON schemas: from the types", async () => {
		const schemas = JSON.stringify(await allSchemas(), null, "\t");
		writeFile(FILE, `export const schemas = ${schemas};\n`);
		writeFile(FILE.replace(/\.js$/, ".d.ts"), DECLARATIONS);
	});
	writeFile(STAMP, hash);
}

/** The types that the schemas are made of lead to no others. */
function inputs() {
	return [
		inRoot("js", "apps", "mcp", "arguments.ts"),
		inRoot("js", "apps", "mcp", "answers.ts"),
		join(generated, "ragnav.d.ts"),
		inRoot("js", "build", "schemas.mjs"),
		inRoot("package-lock.json"),
	];
}

async function allSchemas() {
	const { createGenerator } = await import("ts-json-schema-generator");
	const generatorOf = (
		/** @type {string} */ file,
		/** @type {"none" | "export"} */ expose,
	) =>
		createGenerator({
			expose,
			path: inRoot("js", "apps", "mcp", file),
			tsconfig: inRoot("js", "tsconfig.base.json"),
			// The checkout's own compiler checks them.
			skipTypeCheck: true,
			topRef: false,
		});
	// Not every host follows references where it tells its model what a tool takes.
	const takes = generatorOf("arguments.ts", "none");
	const answers = generatorOf("answers.ts", "export");
	return Object.fromEntries(
		Object.entries(TOOLS).map(([tool, type]) => {
			const input = takes.createSchema(`${type}Arguments`);
			const output = answers.createSchema(`${type}Answer`);
			return [tool, { input: checked(input), output: checked(output) }];
		}),
	);
}

/**
 * MCP wants schemas of objects, without a detour.
 *
 * @param {import("ts-json-schema-generator").Schema} schema
 */
function checked(schema) {
	if (schema.type === "object" && schema.properties) return schema;
	throw new Problem(
		`A tool takes or answers what is no plain object: ${JSON.stringify(schema).slice(0, 200)}`,
	);
}
