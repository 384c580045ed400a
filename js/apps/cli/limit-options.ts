import { Option } from "commander";
import type { LimitOptions } from "../../core/limits.js";
import { wholeNumber } from "./arguments.js";

/** The limits as commander gives them. */
export interface LimitFlags {
	maxFileBytes?: number;
	maxFiles?: number;
	maxFolders?: number;
	maxDepth?: number;
	maxReadBytes?: number;
	maxMemoryBytes?: number;
	timeoutMs?: number;
}

/** The options of all commands that ask a repository. */
export function limitOptions(): Option[] {
	const limit = (flag: string, description: string) =>
		new Option(`${flag} <n>`, description)
			.argParser(wholeNumber)
			.helpGroup("Limits:");
	return [
		limit(
			"--timeout-ms",
			"end a question after so many milliseconds (default: 10 minutes; none for a build)",
		),
		limit("--max-file-bytes", "skip larger files (default: 4 MiB)"),
		limit("--max-files", "look at so many files at most (default: 500,000)"),
		limit(
			"--max-folders",
			"look at so many folders at most (default: 500,000)",
		),
		limit("--max-depth", "skip folders nested deeper (default: 256)"),
		limit("--max-read-bytes", "end what has read more (default: 32 GiB)"),
		limit("--max-memory-bytes", "end what needs more memory (default: 2 GiB)"),
	];
}

/** The same for `open`. */
export function limitsOf(flags: LimitFlags): LimitOptions {
	return {
		max_file_bytes: flags.maxFileBytes,
		max_files: flags.maxFiles,
		max_folders: flags.maxFolders,
		max_depth: flags.maxDepth,
		max_read_bytes: flags.maxReadBytes,
		max_memory_bytes: flags.maxMemoryBytes,
		timeout_ms: flags.timeoutMs,
	};
}
