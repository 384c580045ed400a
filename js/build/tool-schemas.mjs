// Every schema of every tool is part of what a model reads before its first question, so they say
// what is needed and no more.

/** @typedef {import("ts-json-schema-generator").Schema} Schema */

/** Are in no answer of the MCP server: `meta` says the same. */
const REPEATED = new Set(["source", "freshness_state"]);

/** Are seldom needed; a schema allows fields that it does not name. */
const RARE = new Set([
	...["source", "freshness_state", "proof", "encoding"],
	...["enrichment", "explanation", "ordinal", "match", "score"],
	...["skipped", "doubts", "truncated"],
	...["siblings", "metadata", "tags", "heading", "rank", "end_utf16"],
]);

/**
 * The descriptions of arguments that several tools take.
 *
 * @type {Record<string, string>}
 */
const COMMON = {
	symbol:
		"A full id, a suffix such as `Auth.login`, a name, or a place such as `src/app.py:12:5`.",
	include: "Globs of the files to search, as in .gitignore.",
	exclude: "Globs of files to leave out.",
	folder: "Only rows in this folder.",
	history: "Rank files higher that commits change often.",
	limit: "Items at most.",
	cursor: "From the page before.",
};

/**
 * Returns the schema of a tool's arguments with the first sentence of each description. A default
 * has its own keyword.
 *
 * @param {any} schema
 * @returns {Schema}
 */
export function briefInput({ properties, ...schema }) {
	const brief = Object.entries(properties).map(([name, property]) => {
		const [first] = property.description.split(/(?<=\.) (?=[A-Z])/);
		return [name, { ...property, description: COMMON[name] ?? first }];
	});
	return { ...schema, properties: Object.fromEntries(brief) };
}

/**
 * Returns the schema of a tool's answer: the fields of the answer and of its items, with their
 * types. Absent fields have their defaults, so that only `meta` and `items` are required.
 *
 * @param {any} schema
 * @returns {Schema}
 */
export function briefOutput({ definitions, properties }) {
	/** @type {(value: any) => any} */
	const plain = (value) => withoutNull(target(value, definitions), definitions);
	/** @type {(value: any) => any} */
	const typeOnly = (value) => {
		const { type } = plain(value);
		return type === undefined ? {} : { type };
	};
	const { meta: _, items, ...others } = properties;
	const isNamed = (/** @type {string} */ name) =>
		!REPEATED.has(name) && !RARE.has(name);
	const own = Object.entries(others).filter(([name]) => isNamed(name));
	const fields = itemFields(plain(plain(items).items), plain);
	const frequent = fields.filter(([name]) => !RARE.has(name));
	return {
		type: "object",
		properties: {
			meta: { type: "object", required: ["status"] },
			items: {
				type: "array",
				items: { type: "object", properties: typed(frequent, typeOnly) },
			},
			...typed(own, typeOnly),
		},
		required: ["meta", "items"],
	};
}

/**
 * @param {[string, any][]} fields
 * @param {(value: any) => Schema} typeOnly
 * @returns {Record<string, Schema>}
 */
function typed(fields, typeOnly) {
	return Object.fromEntries(
		fields.map(([name, value]) => [name, typeOnly(value)]),
	);
}

/**
 * Returns the fields of an item; of one that is one of several kinds, those of all kinds.
 *
 * @param {any} item
 * @param {(value: any) => any} plain
 * @returns {[string, unknown][]}
 */
function itemFields({ properties = {}, anyOf = [], allOf = [] }, plain) {
	const parts = [...anyOf, ...allOf].map(plain);
	const inherited = parts.flatMap((part) => itemFields(part, plain));
	return [...Object.entries(properties), ...inherited];
}

/**
 * @param {any} value
 * @param {Record<string, any>} definitions
 */
function target(value, definitions) {
	const { $ref } = value ?? {};
	if ($ref === undefined) return value ?? {};
	const name = decodeURIComponent($ref).replace("#/definitions/", "");
	return target(definitions[name], definitions);
}

/**
 * Returns a schema without the choice `null`, since an answer has no nulls.
 *
 * @param {any} schema
 * @param {Record<string, any>} definitions
 */
function withoutNull(schema, definitions) {
	const { type, anyOf } = schema;
	if (Array.isArray(type)) {
		const types = type.filter((one) => one !== "null");
		return { ...schema, type: types.length === 1 ? types[0] : types };
	}
	const choices = anyOf?.filter(
		(/** @type {any} */ one) => one.type !== "null",
	);
	return choices?.length === 1 ? target(choices[0], definitions) : schema;
}
