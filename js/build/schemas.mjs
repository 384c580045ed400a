import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashOf, readText, writeFile } from "./cache.mjs";
import { generated, inRoot } from "./paths.mjs";
import { Problem } from "./run.mjs";
import { step } from "./setup.mjs";
import { briefInput, briefOutput } from "./tool-schemas.mjs";

/** @typedef {import("ts-json-schema-generator").Schema} Schema */

const QUERIES_FILE = join(generated, "queries.js");
const TOOLS_FILE = join(generated, "mcp-schemas.js");
const TYPES_FILE = join(generated, "query-answers.ts");
const STAMP = join(generated, ".mcp-schemas");

/**
 * The tools with arguments and answers of their own, and what the names of these types begin with.
 * Every other tool is a query of the core.
 *
 * @type {Record<string, string>}
 */
const OWN_TOOLS = {
	rag_status: "Status",
	rag_build_graph: "BuildGraph",
	rag_ask: "Ask",
};

/** JSON knows no whole numbers, so TypeScript has no name for them. */
const COUNT = { type: "integer", minimum: 1 };

const SCHEMA_TYPES = `/** A JSON schema of an object. */
export interface ObjectSchema {
	description?: string;
	type: "object";
	properties: Record<string, PropertySchema>;
	required?: string[];
	[key: string]: unknown;
}

/** A JSON schema of a property. */
export interface PropertySchema {
	description?: string;
	type?: string;
	enum?: string[];
	/** Of an array. */
	items?: { enum?: string[] };
	[key: string]: unknown;
}
`;

const QUERIES_TYPES = `import type { ObjectSchema, PropertySchema } from "./mcp-schemas.js";
import type { Queries } from "./ragnav.js";

export type { PropertySchema };

export type QueryName = keyof Queries;

/** The arguments of each query; the description is that of the query. */
export declare const queries: Record<QueryName, ObjectSchema>;
`;

/**
 * Writes what the command line and the MCP server derive from the definitions of the queries: the
 * arguments of each query, and the JSON schemas of each tool.
 */
export async function writeSchemas() {
	const hash = hashOf({ files: inputs() });
	const files = [QUERIES_FILE, TOOLS_FILE];
	if (readText(STAMP) === hash && files.every((file) => existsSync(file))) {
		return;
	}
	await step("JSON schemas: from the types", async () => {
		const { createGenerator } = await import("ts-json-schema-generator");
		const newGenerator = (/** @type {string} */ path) =>
			createGenerator({
				expose: "export",
				path,
				tsconfig: inRoot("js", "tsconfig.base.json"),
				// The checkout's own compiler checks them.
				skipTypeCheck: true,
				topRef: false,
			});
		const queries = queryArguments(
			newGenerator(join(generated, "ragnav.d.ts")),
		);
		writeFile(QUERIES_FILE, exported("queries", queries));
		writeFile(QUERIES_FILE.replace(/js$/, "d.ts"), QUERIES_TYPES);
		writeFile(TYPES_FILE, answerTypes(queries));
		const own = newGenerator(inRoot("js", "apps", "mcp", "arguments.ts"));
		const answers = newGenerator(TYPES_FILE);
		const schemas = toolSchemas(queries, own, answers);
		writeFile(TOOLS_FILE, exported("schemas", schemas));
		writeFile(TOOLS_FILE.replace(/js$/, "d.ts"), toolTypes(schemas));
	});
	writeFile(STAMP, hash);
}

/** The types that the schemas are made of refer to no other files. */
function inputs() {
	return [
		inRoot("js", "apps", "mcp", "arguments.ts"),
		inRoot("js", "apps", "mcp", "answers.ts"),
		join(generated, "ragnav.d.ts"),
		inRoot("js", "build", "schemas.mjs"),
		inRoot("js", "build", "tool-schemas.mjs"),
		inRoot("package-lock.json"),
	];
}

/**
 * Returns the schema of the arguments of each query.
 *
 * @param {import("ts-json-schema-generator").SchemaGenerator} core
 * @returns {Record<string, Schema>}
 */
function queryArguments(core) {
	const { properties = {} } = core.createSchema("Queries");
	const schemas = Object.entries(properties).map(([name, query]) => {
		const { arguments: type } = /** @type {any} */ (query).properties;
		const schema = core.createSchema(type.$ref.split("/").pop());
		return [name, tidied(inlined(schema))];
	});
	return Object.fromEntries(schemas);
}

/**
 * Returns a schema with the required properties first, and without those that only programs
 * written for older names need.
 *
 * @param {any} schema
 * @returns {Schema}
 */
function tidied({ properties, required = [], ...schema }) {
	const own = Object.entries(properties).filter(
		([, { description }]) => !description.startsWith("Another name of"),
	);
	const isFirst = (/** @type {string} */ name) => required.includes(name);
	own.sort(([a], [b]) => Number(isFirst(b)) - Number(isFirst(a)));
	return { ...schema, properties: Object.fromEntries(own), required };
}

/**
 * Returns a schema without references: not every host follows them where it tells its model what
 * a tool takes.
 *
 * @param {Schema} schema
 * @returns {Schema}
 */
function inlined({ $schema: _, definitions = {}, ...schema }) {
	/** @type {(value: any) => any} */
	const visit = (value) => {
		if (Array.isArray(value)) return value.map(visit);
		if (typeof value !== "object" || value === null) return value;
		const { $ref, ...own } = withoutNull(value);
		const target = $ref === undefined ? {} : named($ref, definitions);
		const parts = Object.entries({ ...target, ...own, ...words(own, target) });
		return Object.fromEntries(parts.map(([key, part]) => [key, visit(part)]));
	};
	return visit(schema);
}

/**
 * @param {string} ref
 * @param {Record<string, any>} definitions
 */
function named(ref, definitions) {
	const name = ref.split("/").pop() ?? "";
	return name === "Count" ? COUNT : definitions[name];
}

/**
 * Removes `null` from the types of an optional property: both surfaces leave out what is absent.
 *
 * @param {any} schema
 */
function withoutNull(schema) {
	const { anyOf, type, ...rest } = schema;
	if (Array.isArray(type)) {
		return { ...rest, type: type.find((one) => one !== "null") };
	}
	const choices = anyOf?.filter(
		(/** @type {any} */ one) => one.type !== "null",
	);
	return choices?.length === 1 ? { ...choices[0], ...rest } : schema;
}

/**
 * Returns the description of a property, and its default and maximum if the description names
 * them. The values of an enumeration are described by its type, unless the property does.
 *
 * @param {any} own
 * @param {any} target
 */
function words(own, target) {
	const description = firstParagraph(own.description ?? target.description);
	if (description === undefined) return {};
	const values = target.enum ?? [];
	const isComplete = values.every((/** @type {string} */ value) =>
		description.includes(`\`${value}\``),
	);
	const about = isComplete ? "" : ` ${firstParagraph(target.description)}`;
	const value = /\bDefault ([\d,]+|`\w+`)\.?/.exec(description)?.[1];
	const maximum = /\bat most ([\d,]+)/.exec(description)?.[1];
	const hasDefault = own.type !== "boolean" && value !== undefined;
	return {
		description: description + about,
		...(hasDefault ? { default: wordValue(value) } : {}),
		...(maximum === undefined ? {} : { maximum: wordValue(maximum) }),
	};
}

/** @param {string | undefined} text */
function firstParagraph(text) {
	return text?.split("\n\n")[0]?.replace(/\s+/g, " ");
}

/** @param {string} word a number such as `1,000`, or a name in backticks */
function wordValue(word) {
	const name = /^`(\w+)`$/.exec(word)?.[1];
	return name ?? Number(word.replaceAll(/[,.]/g, ""));
}

/**
 * Returns the schemas of what each tool takes and answers.
 *
 * @param {Record<string, Schema>} queries
 * @param {import("ts-json-schema-generator").SchemaGenerator} own
 * @param {import("ts-json-schema-generator").SchemaGenerator} answers
 */
function toolSchemas(queries, own, answers) {
	const common = inlined(own.createSchema("CommonArguments")).properties;
	/** @type {Record<string, { input: Schema, output: Schema }>} */
	const schemas = {};
	for (const [query, schema] of Object.entries(queries)) {
		const { description: _, ...input } = schema;
		const properties = { ...input.properties, ...common };
		const output = briefOutput(checked(resolved(answers.createSchema(query))));
		const brief = briefInput({ ...input, properties });
		schemas[`rag_${query}`] = { input: brief, output };
	}
	for (const [tool, type] of Object.entries(OWN_TOOLS)) {
		const input = inlined(own.createSchema(`${type}Arguments`));
		const output = checked(answers.createSchema(`${type}Answer`));
		schemas[tool] = {
			input: briefInput(checked(input)),
			output: briefOutput(output),
		};
	}
	return schemas;
}

/**
 * Returns a schema with its own keys in place of a reference to one of its definitions.
 *
 * @param {Schema} schema
 * @returns {Schema}
 */
function resolved({ $ref, ...schema }) {
	if ($ref === undefined) return schema;
	const name = decodeURIComponent($ref).replace("#/definitions/", "");
	const { [name]: target, ...definitions } = schema.definitions ?? {};
	return { ...schema, .../** @type {Schema} */ (target), definitions };
}

/**
 * MCP wants schemas of objects, without a detour.
 *
 * @param {Schema} schema
 */
function checked(schema) {
	if (schema.type === "object" && schema.properties) return schema;
	throw new Problem(
		`A tool takes or answers something other than a plain object: ${JSON.stringify(schema).slice(0, 200)}`,
	);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function exported(name, value) {
	return `export const ${name} = ${JSON.stringify(value, null, "\t")};\n`;
}

/** @param {Record<string, unknown>} schemas */
function toolTypes(schemas) {
	const names = Object.keys(schemas).map((name) => `"${name}"`);
	return `${SCHEMA_TYPES}
export type ToolName = ${names.join(" | ")};

/** What each tool of \`ragnav mcp\` takes and answers. */
export declare const schemas: Record<ToolName, { input: ObjectSchema; output: ObjectSchema }>;
`;
}

/**
 * Returns the types of the answers of the tools that are queries.
 *
 * @param {Record<string, Schema>} queries
 */
function answerTypes(queries) {
	const types = Object.entries(queries).map(([name, { properties = {} }]) => {
		const answer = `WithMeta<Queries["${name}"]["answer"]>`;
		const whole = "cursor" in properties ? answer : `${answer} & Cut`;
		return `export type ${name} = ${whole};\n`;
	});
	return [
		'import type { Cut, WithMeta } from "../apps/mcp/answers.js";\n',
		'import type { Queries } from "./ragnav.js";\n\n',
		'export type * from "../apps/mcp/answers.js";\n',
		...types,
	].join("");
}
