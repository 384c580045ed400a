import { type Command, Option } from "commander";
import {
	type PropertySchema,
	type QueryName,
	queries,
} from "../../../generated/queries.js";
import type { Queries } from "../../../generated/ragnav.js";
import { applyPlan } from "../../../hosts/node/apply-plan.js";
import {
	chosenValues,
	collectValues,
	type Place,
	parseNumber,
	parsePlace,
} from "../arguments.js";
import { EXIT_ERROR, errorCodeOf, exitCodeOf } from "../exit-codes.js";
import { type AnyPlan, planInFolder } from "../plan-in-folder.js";
import { printExplore } from "../print/explore.js";
import { printImpact } from "../print/impact.js";
import { printMove } from "../print/move.js";
import {
	type Printed,
	printFiles,
	printLineage,
	printOccurrences,
	printOutline,
	printPlaces,
	printSearch,
	printWhereUsed,
} from "../print/queries.js";
import { printRecheck } from "../print/recheck.js";
import { printRename } from "../print/rename.js";
import { printTrace } from "../print/trace.js";
import { inRepository, withReceipt } from "../query-values.js";
import type { Repositories } from "../repositories.js";
import {
	addCommonOptions,
	addLineOptions,
	addOpenOption,
	addPolicyOption,
	newCommand,
	type RowFlags,
	type Terminal,
} from "../terminal.js";
import type { View } from "../view.js";

type Flags = RowFlags & Record<string, unknown>;

/** How each query is printed. `status` has a command of its own, which prints counts. */
const PRINTERS: {
	[Name in Exclude<QueryName, "status">]: (
		answer: Queries[Name]["answer"],
		view: View,
	) => Printed;
} = {
	search: printSearch,
	where_used: printWhereUsed,
	lineage: printLineage,
	locate: printPlaces,
	definition: printPlaces,
	type_definition: printPlaces,
	identify: printPlaces,
	outline: printOutline,
	occurrences: printOccurrences,
	files: printFiles,
	explore: printExplore,
	impact: printImpact,
	trace: printTrace,
	rename_plan: printRename,
	move_plan: printMove,
	recheck: printRecheck,
};

/** The queries whose commands have other names. */
const COMMANDS: Partial<Record<QueryName, string>> = {
	rename_plan: "rename",
	move_plan: "move",
};

/** The queries that plan edits. */
const PLANS: ReadonlySet<QueryName> = new Set(["rename_plan", "move_plan"]);

/** The queries whose rows show lines of text. */
const WITH_LINES: ReadonlySet<QueryName> = new Set(["search", "where_used"]);

/** The queries that succeed with no rows too. */
const GOOD_WITHOUT_ROWS: ReadonlySet<QueryName> = new Set([
	"impact",
	"recheck",
]);

/** What users of other tools type for an option of a query. */
interface Shorthand {
	option: Option;
	/** The option of the query, and its value. */
	values: Record<string, unknown>;
}

const SHORTHANDS: Partial<Record<QueryName, Shorthand[]>> = {
	impact: [
		{
			option: new Option("--staged", "The same as --to staged").conflicts("to"),
			values: { to: "staged" },
		},
	],
	search: [
		{
			option: new Option("--regex", "The same as --mode regex").conflicts(
				"mode",
			),
			values: { mode: "regex" },
		},
		{
			option: new Option(
				"-i, --ignore-case",
				"The same as --no-case-sensitive",
			),
			values: { case_sensitive: false },
		},
	],
};

/** Adds a command for each query: its arguments and options are those of the query's definition. */
export function addQueryCommands(terminal: Terminal): void {
	for (const name of Object.keys(PRINTERS) as (keyof typeof PRINTERS)[]) {
		addQueryCommand(terminal, name);
	}
}

function addQueryCommand(
	terminal: Terminal,
	name: keyof typeof PRINTERS,
): void {
	const { description = "", properties, required = [] } = queries[name];
	const described = withCommandNames(description);
	const command = newCommand(terminal, titleOf(name), described);
	const positionalOf = addArguments(command, name);
	const shorthands = SHORTHANDS[name] ?? [];
	for (const { option } of shorthands) command.addOption(option);
	for (const [key, schema] of Object.entries(properties)) {
		if (!required.includes(key)) addOption(command, key, schema);
	}
	if (WITH_LINES.has(name)) addLineOptions(command);
	if (PLANS.has(name)) {
		command.option("--apply", "Write the edits to all files, or to none");
	}
	addCommonOptions(addOpenOption(command));
	command.action((...given: unknown[]) => {
		const flags = given[command.registeredArguments.length] as Flags;
		const typed = shorthands.filter(
			({ option }) => flags[option.attributeName()] === true,
		);
		const values = Object.assign(
			optionsOf(flags, properties),
			...typed.map(({ values }) => values),
			positionalOf(given),
		);
		return terminal.answer(flags, {
			ask: async (nav, repositories) => {
				const own = inRepository(await withReceipt(values), repositories);
				const answer = await nav.query(name, own);
				if (flags.apply === true) apply(repositories, answer as AnyPlan);
				return answer;
			},
			print: PRINTERS[name] as (answer: unknown, view: View) => Printed,
			exit: (answer) => exitCode(name, answer),
		});
	});
}

/**
 * Adds the required arguments of a query, of which a file and a line are one. Returns a function
 * that returns them by name from what was typed.
 */
function addArguments(command: Command, name: QueryName) {
	const { properties, required = [] } = queries[name];
	const isPlace = required.includes("file") && required.includes("line");
	const isInPlace = (key: string) => key === "file" || key === "line";
	const others = required.filter((key) => !(isPlace && isInPlace(key)));
	if (isPlace) {
		const about = "The place, from the working folder or the repository's root";
		command.argument("<file:line>", about, parsePlace);
	}
	for (const key of others) {
		const label = key.replaceAll("_", "-");
		command.argument(`<${label}>`, properties[key]?.description);
	}
	return (typed: unknown[]): Record<string, unknown> => {
		const place = isPlace ? (typed[0] as Place) : {};
		const named = others.map((key, at) => [key, typed[at + (isPlace ? 1 : 0)]]);
		return { ...place, ...Object.fromEntries(named) };
	};
}

/** Returns the name of a query's command. */
function titleOf(name: string): string {
	const commands: Record<string, string> = COMMANDS;
	return commands[name] ?? name.replaceAll("_", "-");
}

/** Returns a description with the names of commands in place of those of tools. */
function withCommandNames(description: string): string {
	return description.replaceAll(/\brag_(\w+)/g, (_, name) => titleOf(name));
}

/** Writes the edits of a plan that is not refused. */
function apply(repositories: Repositories, plan: AnyPlan): void {
	if (plan.meta.status === "ERROR" || plan.refusals.length > 0) return;
	const { path, plan: own } = planInFolder(repositories, plan);
	applyPlan(path, own);
}

function exitCode(name: QueryName, answer: Queries[QueryName]["answer"]) {
	if ("refusals" in answer && answer.refusals.length > 0) return EXIT_ERROR;
	return GOOD_WITHOUT_ROWS.has(name) ? errorCodeOf(answer) : exitCodeOf(answer);
}

/** Adds the option of a query's option. */
function addOption(command: Command, key: string, schema: PropertySchema) {
	if (key === "stale_policy") return addPolicyOption(command);
	const flag = `--${flagOf(key)}`;
	const about = firstSentence(schema.description ?? "");
	const description = withDefault(about, schema.default);
	if (schema.type === "boolean") {
		const negative = flag.replace("--", "--no-");
		command.option(flag, description);
		command.option(negative, `The opposite of ${flag}`);
		return command;
	}
	const option = new Option(`${flag} <${valueName(schema)}>`, description);
	if (schema.type === "integer") option.argParser(parseNumber);
	if (schema.type === "array") option.argParser(collectValues);
	const choices = schema.enum ?? schema.items?.enum;
	if (choices !== undefined) {
		option.choices(choices);
		if (schema.type === "array") option.argParser(chosenValues(choices));
	}
	return command.addOption(option);
}

/** The options that have another name on the command line. */
const FLAGS: Record<string, string> = {
	folder: "in",
	from: "since",
	since: "since-receipt",
};

/** Returns the name of a query's option on the command line. */
function flagOf(key: string): string {
	return FLAGS[key] ?? key.replaceAll("_", "-");
}

/** Returns a description as commander shows a default: the core, not commander, fills it in. */
function withDefault(about: string, value: unknown): string {
	return value === undefined ? about : `${about} (default: ${value})`;
}

function valueName({ type, enum: values, items }: PropertySchema): string {
	if (type === "integer") return "n";
	if ((values ?? items?.enum) !== undefined) return "word";
	return type === "array" ? "glob" : "text";
}

/** Returns the first sentence, without the default, which the help adds. */
function firstSentence(text: string): string {
	const [sentence = ""] = text.split(/(?<=\w)\.(?= |$)/);
	return sentence.replace(/ Default[ :].*$/, "");
}

/** Returns the options that were given, by their names in the query. */
function optionsOf(flags: Flags, properties: Record<string, PropertySchema>) {
	const entries = Object.keys(properties).map((key) => [
		key,
		flags[new Option(`--${flagOf(key)}`).attributeName()],
	]);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
