import type { WriteFlags } from "../mcp-hosts.js";
import { oneRepositoryOption } from "../one-repository.js";
import { rootOf } from "../repositories.js";
import { newCommand, type Terminal } from "../terminal.js";

interface InitFlags extends WriteFlags {
	repo?: string;
}

/** Adds the command that writes the entries of MCP hosts. */
export function addInitCommand(terminal: Terminal): void {
	const about =
		"Offers to tell the agents and editors of this project about ragnav.";
	newCommand(terminal, "init", about)
		.addOption(
			oneRepositoryOption(
				"The repository (default: the one around the working folder)",
				"run `ragnav init` for each",
			),
		)
		.option("--yes", "Write every entry without asking")
		.option("--dry-run", "Show what would be written, and write nothing")
		.action(async (flags: InitFlags) => {
			// Prompts and the editing of settings load only where they are needed.
			const { writeEntries } = await import("../mcp-hosts.js");
			await writeEntries(rootOf(flags), flags);
		});
}
