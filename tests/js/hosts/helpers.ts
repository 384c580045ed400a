import { execFileSync } from "node:child_process";
import fs, {
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** Creates a folder that is removed after the test, and returns its real path. */
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

/**
 * Creates a folder with a root in it, links in the root that lead inside and outside, and the files
 * `d/file` inside and `secret/file` outside. Returns the root.
 */
export function linkedRoot(t: TestContext): string {
	const folder = temporaryFolder(t);
	const root = join(folder, "root");
	put(join(root, "d", "file"), "inside");
	put(join(folder, "secret", "file"), "outside");
	const links: [target: string, name: string][] = [
		["d/file", "to-file"],
		["to-file", "to-link"],
		["d", "to-dir"],
		["../secret", "out-dir"],
		["../secret/file", "out-file"],
		["out-file", "out-chain"],
		["nowhere", "broken"],
		["loop", "loop"],
		["/dev/zero", "device"],
	];
	for (const [target, name] of links) symlinkSync(target, join(root, name));
	return root;
}

const { PATH: path } = process.env;

export const GIT_ENVIRONMENT: NodeJS.ProcessEnv = {
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

/** Runs git without the machine's configuration, and returns its output. */
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

/** The reason to skip tests of reftable; `false` if git supports it. */
export const NO_REFTABLE: string | false =
	major > 2 || (major === 2 && minor >= 45)
		? false
		: "reftable needs git 2.45 or newer";

/** Returns the commit of HEAD by git itself; `null` if there is none. */
export function headByGit(cwd: string): string | null {
	try {
		return git(cwd, "rev-parse", "--verify", "HEAD");
	} catch {
		return null;
	}
}

/** Creates a repository with one commit on the branch `main`. */
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
 * Runs `action` without the rights of the superuser, who can read every file. It changes only the
 * effective user, and changes it back.
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

/** Replaces a function of node:fs until the test ends; `make` receives the current one. */
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

/** Throws the error of a failed system call. */
export function failWith(code: string): () => never {
	return () => {
		throw Object.assign(new Error(`${code}: words, call '/x'`), {
			code,
			syscall: "call",
		});
	};
}
