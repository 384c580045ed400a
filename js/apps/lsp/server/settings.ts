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
}

const DEFAULTS: Settings = {
	references: "resolved",
	renameCandidates: "refuse",
	codeLens: false,
};

/** The values of each setting. */
const VALUES: { [Name in keyof Settings]: readonly Settings[Name][] } = {
	references: ["resolved", "all"],
	renameCandidates: ["refuse", "leave", "rename"],
	codeLens: [false, true],
};

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
	if (!Object.hasOwn(VALUES, name)) {
		const known = Object.keys(VALUES).join(", ");
		throw invalidParams(
			`there is no setting ${JSON.stringify(name)}; there are ${known}`,
		);
	}
	const values: readonly unknown[] = VALUES[name as keyof Settings];
	if (values.includes(value)) return;
	const shown = values.map((one) => JSON.stringify(one)).join(" or ");
	throw invalidParams(`the setting ${name} must be ${shown}`);
}
