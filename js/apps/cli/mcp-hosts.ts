import {
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { cancel, isCancel, multiselect } from "@clack/prompts";
import { applyEdits, modify, type ParseError, parse } from "jsonc-parser";
import { RagnavError } from "../../entries/node.js";
import { performWrite } from "../../hosts/node/perform-write.js";
import { temporaryName, writeNew } from "../../hosts/node/temporary-file.js";
import { note } from "./note.js";
import { displayPath } from "./view.js";

/** A program that starts MCP servers, and the file in which it looks for them. */
interface McpHost {
	name: string;
	/** The file, below the repository or the home folder. */
	file: string;
	/** Where in the file the servers are. */
	servers: string;
	/** Paths that show that somebody uses the program here. */
	signs: string[];
	/** What an entry has beside the command. */
	extra?: Record<string, unknown>;
}

/** How entries are written. */
export interface WriteFlags {
	yes?: boolean;
	dryRun?: boolean;
}

/**
 * Writes the entries that the person chooses into the settings of the hosts that are used here.
 *
 * @throws RagnavError `INVALID_ARGUMENT` for settings that are no JSON; then nothing is written
 */
export async function writeEntries(
	root: string,
	flags: WriteFlags,
): Promise<void> {
	const found = hostsOf(root).filter(isUsed);
	const missing = found.filter((host) => !hasEntry(host));
	for (const host of found.filter(hasEntry)) {
		say(`${host.name}: ${displayPath(host.file)} has ragnav already`);
	}
	const chosen = await choose(missing, flags);
	for (const host of chosen) writeEntry(host, flags.dryRun === true);
	if (found.length === 0) sayNothingFound(root);
}

/** Returns every known host, with absolute paths. */
function hostsOf(root: string): McpHost[] {
	const home = homedir();
	const inRoot = (...parts: string[]) => join(root, ...parts);
	const desktop = desktopFolder(home);
	return [
		{
			name: "Claude Code",
			file: inRoot(".mcp.json"),
			servers: "mcpServers",
			signs: [
				inRoot(".mcp.json"),
				inRoot(".claude"),
				inRoot("CLAUDE.md"),
				join(home, ".claude.json"),
			],
			extra: { type: "stdio" },
		},
		{
			name: "VS Code",
			file: inRoot(".vscode", "mcp.json"),
			servers: "servers",
			signs: [inRoot(".vscode")],
			extra: { type: "stdio" },
		},
		{
			name: "Cursor",
			file: inRoot(".cursor", "mcp.json"),
			servers: "mcpServers",
			signs: [inRoot(".cursor"), join(home, ".cursor")],
		},
		{
			name: "Gemini CLI",
			file: inRoot(".gemini", "settings.json"),
			servers: "mcpServers",
			signs: [inRoot(".gemini"), join(home, ".gemini")],
		},
		{
			name: "Claude Desktop",
			file: join(desktop, "claude_desktop_config.json"),
			servers: "mcpServers",
			signs: [desktop],
			// It starts servers outside of the project.
			extra: { args: ["-y", "ragnav", "mcp", "--repo", root] },
		},
	];
}

/** Returns the folder in which Claude Desktop keeps its settings. */
function desktopFolder(home: string): string {
	if (process.platform === "darwin") {
		return join(home, "Library", "Application Support", "Claude");
	}
	const { APPDATA } = process.env;
	return join(APPDATA ?? join(home, ".config"), "Claude");
}

function isUsed({ signs }: McpHost): boolean {
	return signs.some((path) => existsSync(path));
}

function hasEntry(host: McpHost): boolean {
	const errors: ParseError[] = [];
	const options = { allowTrailingComma: true, allowEmptyContent: true };
	const settings: unknown = parse(textOf(host), errors, options);
	if (errors.length > 0) {
		throw new RagnavError(
			"INVALID_ARGUMENT",
			`${displayPath(host.file)} (${host.name}) is no valid JSON; correct it, then run \`ragnav init\` again`,
		);
	}
	const servers = (settings as Record<string, unknown> | undefined)?.[
		host.servers
	];
	return typeof servers === "object" && servers !== null && "ragnav" in servers;
}

function textOf({ file }: McpHost): string {
	return existsSync(file) ? readFileSync(file, "utf8") : "{}\n";
}

/** Returns the hosts to write, as the person chooses. */
async function choose(hosts: McpHost[], flags: WriteFlags): Promise<McpHost[]> {
	if (hosts.length === 0 || flags.yes === true || flags.dryRun === true) {
		return hosts;
	}
	if (!process.stdin.isTTY) {
		throw new RagnavError(
			"INVALID_ARGUMENT",
			"there is no terminal to ask on; pass --yes to write the entries, or --dry-run to see them",
		);
	}
	const chosen = await multiselect({
		message: "Write an entry for ragnav to",
		options: hosts.map((host) => ({
			value: host,
			label: host.name,
			hint: displayPath(host.file),
		})),
		initialValues: hosts,
		required: false,
	});
	if (isCancel(chosen)) {
		cancel("Nothing was written.");
		return [];
	}
	return chosen;
}

/** Adds the entry and keeps everything else in the file, comments too. */
function writeEntry(host: McpHost, isDryRun: boolean): void {
	const text = textOf(host);
	const entry = {
		command: "npx",
		args: ["-y", "ragnav", "mcp"],
		...host.extra,
	};
	const path = [host.servers, "ragnav"];
	const formattingOptions = { insertSpaces: true, tabSize: 2 };
	const edits = modify(text, path, entry, { formattingOptions });
	const written = applyEdits(text, edits);
	if (isDryRun) {
		say(`${displayPath(host.file)} (${host.name}):\n${written.trimEnd()}`);
		return;
	}
	performWrite(displayPath(host.file), () => replaceFile(host.file, written));
	say(`${host.name}: wrote ${displayPath(host.file)}`);
}

/** Replaces a file, or the one that a link leads to, in one step. */
function replaceFile(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	const target = existsSync(file) ? realpathSync(file) : file;
	const mode = statSync(target, { throwIfNoEntry: false })?.mode;
	const temporary = join(dirname(target), temporaryName());
	try {
		writeNew(temporary, Buffer.from(text), mode);
		renameSync(temporary, target);
	} finally {
		rmSync(temporary, { force: true });
	}
}

function sayNothingFound(root: string): void {
	const hosts = hostsOf(root).map(({ name }) => name);
	note(
		`no sign of ${hosts.join(", ")} in this project; any other host starts the server with: npx -y ragnav mcp`,
	);
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
