/** The keys of a manifest whose values people read. */
const SHOWN = new Set([
	...[
		"title",
		"description",
		"displayName",
		"contents",
		"fullName",
		"userDescription",
	],
	...["markdownDescription", "enumDescriptions", "contextualTitle"],
]);

/** What a language model reads, which stays in English. */
const FOR_MODELS = new Set(["inputSchema", "modelDescription"]);

/** The names of the product. */
const NAMES = new Set(["ragnav"]);

/**
 * Replaces what people read in the manifest of an editor extension by keys, and returns the texts of
 * these keys.
 *
 * @param {any} manifest
 * @returns {{ manifest: any, texts: Record<string, string> }}
 */
export function localised(manifest) {
	/** @type {Record<string, string>} */
	const texts = {};
	/** @type {(value: any, key: string, path: string[]) => any} */
	const visit = (value, key, path) => {
		if (FOR_MODELS.has(key)) return value;
		if (Array.isArray(value)) {
			return value.map((part, at) => visit(part, key, [...path, String(at)]));
		}
		if (typeof value === "object" && value !== null) {
			const parts = Object.entries(value).map(([name, part]) => [
				name,
				visit(part, name, [...path, name]),
			]);
			return Object.fromEntries(parts);
		}
		if (typeof value !== "string" || !isShown(key, path)) return value;
		if (NAMES.has(value)) return value;
		const name = path.join(".");
		texts[name] = value;
		return `%${name}%`;
	};
	const { description, contributes, ...rest } = manifest;
	return {
		manifest: {
			...rest,
			description: visit(description, "description", ["description"]),
			contributes: visit(contributes, "contributes", []),
		},
		texts,
	};
}

/**
 * Views have a `name` that people read, and others one that programs read.
 *
 * @param {string} key
 * @param {string[]} path
 */
function isShown(key, path) {
	return SHOWN.has(key) || (key === "name" && path[0] === "views");
}

/**
 * Returns the texts in another language; those without a translation stay.
 *
 * @param {Record<string, string>} texts
 * @param {Record<string, string>} translations
 */
export function translated(texts, translations) {
	const entries = Object.entries(texts);
	return Object.fromEntries(
		entries.map(([key, text]) => [key, translations[text] ?? text]),
	);
}
