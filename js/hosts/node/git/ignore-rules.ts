import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { IgnoreRules } from "../../../core/host.js";
import { readSmallFile } from "../small-file.js";
import { gitConfigValue } from "./config.js";
import { commonDirOf, findRepository, type Repository } from "./repository.js";

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Ignore rules that hold at `root` and lie outside it, weakest first: the user's global excludes,
 * the repository's `info/exclude`, the `.gitignore` files of the folders from the git root down
 * to `root`. Left out is what a walk of `root` meets itself: its `.gitignore` files, and
 * `.git/info/exclude` where `.git` is a plain folder there. In a repository there is always an
 * entry of its own, if without lines: that is how the walk knows of it where HEAD cannot be read.
 *
 * `core.excludesFile` is taken from the user's configuration (`$GIT_CONFIG_GLOBAL`, else
 * `$XDG_CONFIG_HOME/git/config` and `~/.gitconfig`), not from the system's or the repository's;
 * `[include]` and `~user/` are not expanded. A file that cannot be read, or is larger than
 * 16 MiB, counts as absent.
 */
export function gitIgnoreRules(root: string): IgnoreRules[] {
	const repository = findRepository(root);
	const top = repository?.top ?? root;
	const down = repository?.down ?? "";
	const own = { ...rulesFrom(globalExcludes(top), down), global: true };
	const rules: IgnoreRules[] = own.lines.length > 0 ? [own] : [];
	if (repository !== null && repository.kind !== "bare") {
		rules.push(repositoryExcludes(repository), ...rulesAbove(repository));
	}
	return rules;
}

function repositoryExcludes(repository: Repository): IgnoreRules {
	const { gitDir, down, kind } = repository;
	const isMetByTheWalk = kind === "plain" && down === "";
	if (gitDir === null || isMetByTheWalk) return { prefix: down, lines: [] };
	return rulesFrom(join(commonDirOf(gitDir), "info", "exclude"), down);
}

function rulesAbove({ top, down }: Repository): IgnoreRules[] {
	if (down === "") return [];
	const names = down.split("/");
	return names.map((_, depth) => {
		const path = join(top, ...names.slice(0, depth), ".gitignore");
		const prefix = names.slice(depth).join("/");
		// Git does not follow a `.gitignore` that is a link.
		return isPlainFile(path) ? rulesFrom(path, prefix) : { prefix, lines: [] };
	});
}

/** Path of the user's excludes file, whether it exists or not; `null` without a home folder. */
function globalExcludes(top: string): string | null {
	const home = homeFolder();
	const settings = settingsFolder(home);
	const configured = configuredExcludes(home, settings);
	if (configured === null) {
		return settings === null ? null : join(settings, "ignore");
	}
	if (configured === "") return null;
	if (!configured.startsWith("~/")) return resolve(top, configured);
	return home === null ? null : join(home, configured.slice(2));
}

function configuredExcludes(
	home: string | null,
	settings: string | null,
): string | null {
	const { GIT_CONFIG_GLOBAL: chosen } = process.env;
	const candidates =
		chosen !== undefined
			? [chosen]
			: [
					settings === null ? "" : join(settings, "config"),
					home === null ? "" : join(home, ".gitconfig"),
				];
	let value: string | null = null;
	for (const path of candidates.filter((candidate) => candidate !== "")) {
		const text = readText(path);
		value = gitConfigValue(text, "core", "excludesFile") ?? value;
	}
	return value;
}

function settingsFolder(home: string | null): string | null {
	const { XDG_CONFIG_HOME: chosen } = process.env;
	if (chosen) return join(chosen, "git");
	return home === null ? null : join(home, ".config", "git");
}

// Git asks HOME first on every system; Node does not on Windows, and throws without any home.
function homeFolder(): string | null {
	const { HOME: chosen } = process.env;
	if (chosen) return chosen;
	try {
		return homedir() || null;
	} catch {
		return null;
	}
}

function rulesFrom(path: string | null, prefix: string): IgnoreRules {
	const text = path === null ? "" : readText(path);
	const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
	if (lines.at(-1) === "") lines.pop();
	return { prefix, lines };
}

function readText(path: string): string {
	try {
		return readSmallFile(path, MAX_BYTES)?.toString("utf8") ?? "";
	} catch {
		return "";
	}
}

function isPlainFile(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
	} catch {
		return false;
	}
}
