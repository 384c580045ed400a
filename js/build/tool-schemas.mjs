// Every schema of every tool is part of what a model reads before its first question, so they say
// what is needed and no more.

/** @typedef {import("ts-json-schema-generator").Schema} Schema */

/**
 * Fields of answers that a schema, which allows fields that it does not name, leaves out: those
 * that all answers have, the arguments that an answer repeats, the lengths of lists, and what only
 * some servers have.
 */
const USUAL = new Set([
	...["source", "freshness_state", "skipped", "doubts", "truncated"],
	...["total", "cursor", "completeness"],
	...[
		"query",
		"symbol",
		"direction",
		"from",
		"to",
		"new_name",
		"about",
		"arguments",
	],
	...["affected_total", "tests_total", "candidates_total"],
	...["callers_total", "callees_total"],
	"compiler_indexes",
]);

/** Fields that an answer of the MCP server leaves out of an item, if they are as usual. */
const SPARSE = new Set(["source", "freshness_state", "proof", "ordinal"]);

/**
 * The descriptions of arguments that several tools take.
 *
 * @type {Record<string, string>}
 */
const COMMON = {
	symbol:
		"A full id, a suffix (`Auth.login`), a name, or a place (`src/app.py:12:5`).",
	include: "Globs of the files to search, as in .gitignore.",
	exclude: "Globs of files to leave out.",
	folder: "Only rows in this folder.",
	history: "Rank files higher that commits change often.",
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
		// Its name says what it is, in every tool.
		const description = name === "limit" ? undefined : (COMMON[name] ?? first);
		const { items } = property;
		const brief = items && { items: { type: items.type, enum: items.enum } };
		return [name, { ...property, description, ...brief }];
	});
	return { ...schema, properties: Object.fromEntries(brief) };
}

/**
 * Returns the schema of a tool's answer: its fields with their types, and the fields that every
 * item has. Absent fields have their defaults, so that only `meta` and `items` are required.
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
	const own = Object.entries(others).filter(([name]) => !USUAL.has(name));
	const item = target(plain(items).items, definitions);
	const always = itemFields(item, plain).filter(([name, value]) =>
		isAlways(name, target(value, definitions)),
	);
	const required = always.map(([name]) => name);
	return {
		type: "object",
		properties: {
			meta: { required: ["status"] },
			items: { type: "array", items: { required } },
			...typed(own, typeOnly),
		},
		required: ["meta", "items"],
	};
}

/**
 * Reports whether every item of an answer of the MCP server has a field.
 *
 * @param {string} name
 * @param {any} schema
 */
function isAlways(name, { type, anyOf = [] }) {
	const isNull = (/** @type {any} */ one) => one.type === "null";
	const isAbsent = Array.isArray(type) || anyOf.some(isNull);
	const isLeftOut = type === "boolean" || type === "array";
	return !SPARSE.has(name) && !isAbsent && !isLeftOut;
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
 * Returns the fields that items must have; of an item of several kinds, none.
 *
 * @param {any} item
 * @param {(value: any) => any} plain
 * @returns {[string, unknown][]}
 */
function itemFields({ properties = {}, required = [], allOf = [] }, plain) {
	const own = Object.entries(properties);
	const needed = own.filter(([name]) => required.includes(name));
	const inherited = allOf.map(plain);
	const parts = inherited.flatMap((/** @type {any} */ part) =>
		itemFields(part, plain),
	);
	return [...needed, ...parts];
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
