import type { Ask } from "../generated/glue.js";

/**
 * A host's answer as values that run no code of the host's when they are read. A getter that threw inside the core would
 * stop the core for good; here it is the host that failed. What has not the shape that was asked for is left to the core to refuse.
 *
 * @throws whatever reading the answer throws
 */
export function plainAnswer(asked: Ask["ask"], answer: unknown): unknown {
	switch (asked) {
		case "git_head":
			return isObject(answer) ? fieldsOf(answer, HEAD_FIELDS) : answer;
		case "read_dirs":
			return eachOf(answer, plainListing);
		case "read_many":
		case "extract":
			return eachOf(answer, plainBytes);
		case "stat":
			return eachOf(answer, plainStamp);
		case "overlay":
			return eachOf(answer, (buffer) => plainFields(buffer, BUFFER_FIELDS));
		case "ignore_rules":
			return eachOf(answer, plainRules);
		default:
			return answer;
	}
}

const HEAD_FIELDS = ["head", "git_root"] as const;
const BUFFER_FIELDS = ["path", "text"] as const;
const RULES_FIELDS = ["prefix", "global"] as const;

function plainListing(listing: unknown): unknown {
	return Array.isArray(listing)
		? eachOf(listing, plainEntry)
		: plainFailure(listing);
}

// The fields are named one by one here and below: this runs for every file of a repository.
function plainEntry(entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	const { name, kind, size } = entry;
	if (size === undefined) return { name, kind };
	return { name, kind, size, stamp: entry.stamp, racy: entry.racy };
}

function plainBytes(file: unknown): unknown {
	// What only pretends to be bytes, as a proxy does, is no view.
	return ArrayBuffer.isView(file) ? file : plainFailure(file);
}

function plainStamp(found: unknown): unknown {
	if (!isObject(found)) return found;
	const { size, stamp, racy, error } = found;
	return { size, stamp, racy, error };
}

function plainFailure(failure: unknown): unknown {
	return isObject(failure) ? { error: failure.error } : failure;
}

function plainRules(rules: unknown): unknown {
	if (!isObject(rules)) return rules;
	const lines = eachOf(rules.lines, (line) => line);
	return { ...fieldsOf(rules, RULES_FIELDS), lines };
}

function plainFields(value: unknown, fields: readonly string[]): unknown {
	return isObject(value) ? fieldsOf(value, fields) : value;
}

function fieldsOf(
	value: Record<string, unknown>,
	fields: readonly string[],
): Record<string, unknown> {
	return Object.fromEntries(
		fields
			.map((field) => [field, value[field]])
			.filter(([, held]) => held !== undefined),
	);
}

function eachOf(values: unknown, plain: (value: unknown) => unknown): unknown {
	// `from` takes holes for absent values, and nothing of a subclass.
	return Array.isArray(values) ? Array.from(values, plain) : values;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}
