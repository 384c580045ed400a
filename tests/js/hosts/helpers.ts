import { execFileSync } from "node:child_process";
import fs, {
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** Real path of a new folder that is removed after the test. */
export function temporaryFolder(t: TestContext): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "ragnav-hosts-")));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Writes a file, folders included; returns its path. */
export function put(path: string, content: string | Uint8Array = ""): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

const { PATH: path } = process.env;

const GIT_ENVIRONMENT: NodeJS.ProcessEnv = {
	PATH: path,
	GIT_CONFIG_GLOBAL: "/dev/null",
	GIT_CONFIG_NOSYSTEM: "1",
	GIT_AUTHOR_NAME: "A",
	GIT_AUTHOR_EMAIL: "a@example.org",
	GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z",
	GIT_COMMITTER_NAME: "A",
	GIT_COMMITTER_EMAIL: "a@example.org",
	GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z",
};

/** Output of a git command, run without the machine's configuration. */
export function git(cwd: string, ...args: string[]): string {
	return execFileSync("git", args, {
		cwd,
		env: GIT_ENVIRONMENT,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
	}).trim();
}

const [, major = 0, minor = 0] =
	/(\d+)\.(\d+)/.exec(git(tmpdir(), "--version"))?.map(Number) ?? [];

/** Why tests of reftable are skipped, `false` where they are not. */
export const NO_REFTABLE: string | false =
	major > 2 || (major === 2 && minor >= 45)
		? false
		: "reftable needs git 2.45 or newer";

/** What git itself takes for HEAD, `null` where it finds no commit. */
export function headByGit(cwd: string): string | null {
	try {
		return git(cwd, "rev-parse", "--verify", "HEAD");
	} catch {
		return null;
	}
}

/** New repository with one commit on the branch `main`. */
export function repository(folder: string, ...initOptions: string[]): string {
	mkdirSync(folder, { recursive: true });
	git(folder, "init", "--quiet", "--initial-branch=main", ...initOptions);
	commit(folder, "first");
	return folder;
}

export function commit(folder: string, message: string): void {
	git(folder, "commit", "--quiet", "--allow-empty", "--message", message);
}

/**
 * Runs `action` without the rights of the superuser, for whom no file is unreadable. Only the
 * effective user changes, so that it can change back.
 */
export function withoutPrivileges<T>(action: () => T): T {
	if (process.geteuid?.() !== 0) return action();
	process.seteuid?.(65534);
	try {
		return action();
	} finally {
		process.seteuid?.(0);
	}
}

const INITIAL_ENVIRONMENT = { ...process.env };

/** Sets environment variables until the test ends; `undefined` removes one. */
export function setEnvironment(
	t: TestContext,
	variables: Record<string, string | undefined>,
): void {
	for (const [name, value] of Object.entries(variables)) {
		t.after(() => assign(name, INITIAL_ENVIRONMENT[name]));
		assign(name, value);
	}
}

function assign(name: string, value: string | undefined): void {
	if (value === undefined) delete process.env[name];
	else process.env[name] = value;
}

const REAL = {
	fsyncSync: fs.fsyncSync,
	linkSync: fs.linkSync,
	lstatSync: fs.lstatSync,
	openSync: fs.openSync,
	readSync: fs.readSync,
	renameSync: fs.renameSync,
	unlinkSync: fs.unlinkSync,
	writeFileSync: fs.writeFileSync,
};

/** Replaces a function of node:fs until the test ends; `make` is given the one in place. */
export function replaceInFs<K extends keyof typeof REAL>(
	t: TestContext,
	name: K,
	make: (current: (typeof REAL)[K]) => (typeof REAL)[K],
): void {
	const target: typeof REAL = fs;
	target[name] = make(target[name]);
	syncBuiltinESMExports();
	t.after(() => {
		target[name] = REAL[name];
		syncBuiltinESMExports();
	});
}

/** Stands for a system call that fails. */
export function failWith(code: string): () => never {
	return () => {
		throw Object.assign(new Error(`${code}: words, call '/x'`), {
			code,
			syscall: "call",
		});
	};
}
