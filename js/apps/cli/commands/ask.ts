import { Option } from "commander";
import type { PassageKind } from "../../../entries/node.js";
import { parseNumber } from "../arguments.js";
import { exitCodeOf } from "../exit-codes.js";
import { passagePlaces, printPassages } from "../print/passages.js";
import { withProgress } from "../progress.js";
import {
	addCommonOptions,
	addOpenOption,
	addPolicyOption,
	newCommand,
	type RowFlags,
	type Terminal,
} from "../terminal.js";

interface AskFlags extends RowFlags, Partial<Record<PassageKind, boolean>> {
	limit?: number;
	budget?: number;
	history?: boolean;
	rerank?: boolean;
}

/** The options that limit an answer to one kind of passages. */
const KINDS: Record<PassageKind, string> = {
	code: "Only code, without tests",
	docs: "Only documentation: notes, README, change logs",
	tests: "Only tests",
};

export function addAskCommand(terminal: Terminal): void {
	const about = "Finds the passages of notes and code that answer a question.";
	const command = newCommand(terminal, "ask", about).argument(
		"<question>",
		"In words, or with field:value, #tag, [[link]]",
	);
	const kinds = Object.keys(KINDS) as PassageKind[];
	for (const kind of kinds) {
		const others = kinds.filter((other) => other !== kind);
		command.addOption(new Option(`--${kind}`, KINDS[kind]).conflicts(others));
	}
	command
		.option("--limit <n>", "Passages at most", parseNumber)
		.option("--budget <n>", "Tokens of text at most", parseNumber)
		.option("--history", "Count the history of commits too")
		.option("--rerank", "Let the model of RAGNAV_MODEL order the passages");
	addCommonOptions(addOpenOption(addPolicyOption(command))).action(
		(question: string, flags: AskFlags) =>
			terminal.answer(flags, {
				ask: (nav) =>
					withProgress((call) =>
						nav.ask(question, {
							...call,
							only: kinds.find((kind) => flags[kind]) ?? null,
							// A person reads what belongs together below the name of its file.
							deduplicate: false,
							limit: flags.limit ?? null,
							token_budget: flags.budget ?? null,
							history: flags.history ?? null,
							rerank: flags.rerank ?? null,
						}),
					),
				print: printPassages,
				places: passagePlaces,
				exit: exitCodeOf,
			}),
	);
}
