import type { Request } from "../generated/glue.js";

/**
 * Copies what a host returns to plain values, which run no code of the host when the core reads
 * them. An exception in a getter would stop the core for good; here it counts as a failure of the
 * host. The core itself rejects values of the wrong shape.
 *
 * @throws the exceptions of the host's getters
 */
export function plainResponse(
	request: Request["name"],
	response: unknown,
): unknown {
	switch (request) {
		case "gitHead":
			return isObject(response) ? fieldsOf(response, HEAD_FIELDS) : response;
		case "readDirs":
			return eachOf(response, plainListing);
		case "changes":
			return plainChanges(response);
		case "commitsBetween":
			return response === null ? null : eachOf(response, plainCommitChanges);
		case "readObjects":
		case "readMany":
		case "extract":
			return eachOf(response, plainBytes);
		case "stat":
			return eachOf(response, plainStamp);
		case "overlay":
			return eachOf(response, (buffer) => plainFields(buffer, BUFFER_FIELDS));
		case "ignoreRules":
			return eachOf(response, plainRules);
		case "history":
			return eachOf(response, plainCommit);
		default:
			return response;
	}
}

const HEAD_FIELDS = ["head", "git_root"] as const;
const BUFFER_FIELDS = ["path", "text"] as const;
const CHANGES_FIELDS = ["from", "to"] as const;
const CHANGED_FIELDS = ["path", "before", "after"] as const;
const RULES_FIELDS = ["folder", "prefix", "global"] as const;

function plainListing(listing: unknown): unknown {
	return Array.isArray(listing)
		? eachOf(listing, plainEntry)
		: plainFailure(listing);
}

// This runs for every file of a repository, so it names the fields instead of looping over them.
function plainEntry(entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	const { name, kind, size } = entry;
	if (size === undefined) return { name, kind };
	return { name, kind, size, stamp: entry.stamp, racy: entry.racy };
}

function plainBytes(file: unknown): unknown {
	// A proxy of a `Uint8Array` is not a view, and would run code of the host.
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

function plainCommit(commit: unknown): unknown {
	if (!isObject(commit)) return commit;
	return { files: eachOf(commit.files, (path) => path) };
}

function plainChanges(changes: unknown): unknown {
	if (!isObject(changes)) return changes;
	const files = eachOf(changes.files, (file) =>
		plainFields(file, CHANGED_FIELDS),
	);
	return { ...fieldsOf(changes, CHANGES_FIELDS), files };
}

function plainCommitChanges(commit: unknown): unknown {
	if (!isObject(commit)) return commit;
	const files = eachOf(commit.files, (file) =>
		plainFields(file, CHANGED_FIELDS),
	);
	return { id: commit.id, files };
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
			.filter(([, set]) => set !== undefined),
	);
}

function eachOf(values: unknown, plain: (value: unknown) => unknown): unknown {
	// `from` fills holes with `undefined`, and ignores the methods of a subclass.
	return Array.isArray(values) ? Array.from(values, plain) : values;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}
