import type { CandidateRule } from "../../../core/api.js";
import { invalidParams } from "./failures.js";

/** What a client chooses with `initializationOptions`. */
export interface Settings {
	/** The references to list: proven ones, or also those that only share the name. */
	references: "resolved" | "all";
	/** What a rename does with references that only share the name. */
	renameCandidates: CandidateRule;
	/** Whether definitions show their number of references. */
	codeLens: boolean;
	/** The paths of SCIP indexes, from the root of each folder. */
	scip: readonly string[];
}

const DEFAULTS: Settings = {
	references: "resolved",
	renameCandidates: "refuse",
	codeLens: false,
	scip: [],
};

/** What a value must be, in words and as a test. */
interface Rule {
	words: string;
	accepts(value: unknown): boolean;
}

const RULES: Readonly<Record<keyof Settings, Rule>> = {
	references: oneOf("resolved", "all"),
	renameCandidates: oneOf("refuse", "leave", "rename"),
	codeLens: oneOf(false, true),
	scip: {
		words: "a list of paths from the folder",
		accepts: (value) => Array.isArray(value) && value.every(isPath),
	},
};

function oneOf(...values: readonly unknown[]): Rule {
	return {
		words: values.map((one) => JSON.stringify(one)).join(" or "),
		accepts: (value) => values.includes(value),
	};
}

function isPath(value: unknown): boolean {
	return typeof value === "string" && value !== "";
}

/**
 * Returns the settings in `initializationOptions`, with a default for each that is absent.
 *
 * @throws ResponseError for an unknown setting or value
 */
export function readSettings(given: unknown): Settings {
	if (given === undefined || given === null) return DEFAULTS;
	if (typeof given !== "object" || Array.isArray(given)) {
		throw invalidParams("initializationOptions must be an object");
	}
	const present = Object.entries(given).filter(([, value]) => value != null);
	for (const [name, value] of present) checkSetting(name, value);
	return { ...DEFAULTS, ...Object.fromEntries(present) };
}

function checkSetting(name: string, value: unknown): void {
	if (!Object.hasOwn(RULES, name)) {
		const known = Object.keys(RULES).join(", ");
		throw invalidParams(
			`there is no setting ${JSON.stringify(name)}; there are ${known}`,
		);
	}
	const { words, accepts } = RULES[name as keyof Settings];
	if (accepts(value)) return;
	throw invalidParams(`the setting ${name} must be ${words}`);
}
