import { messageOf } from "../errors.js";
import {
	type DirEntry,
	type Failure,
	type GitHead,
	type Host,
	isPromise,
	type MaybePromise,
	type RootState,
} from "../host.js";

/** A repository with the name under which others refer to it. */
export interface NamedHost {
	/** The name: one segment of a path, which does not begin with a dot. */
	name: string;
	/** The access to its files. */
	host: Host;
}

/** A failure of a whole repository. */
export interface RootFailure {
	error_code: NonNullable<RootState["error_code"]>;
	message: string;
}

type Method = Exclude<keyof Host, "root" | "roots">;

/** What decides which texts are current. Without it, nothing of the repository can be trusted. */
const REQUIRED: readonly Method[] = ["overlay", "ignoreRules"];

/** What only some queries request, so that a failure is no longer known to the next one. */
const OCCASIONAL: readonly Method[] = [
	"changes",
	"commitsBetween",
	"readObjects",
	"history",
];

const NO_ROOT =
	"the root cannot be listed; give the folder that holds the code";

/** One of several repositories. It turns exceptions of its host into failures of this repository. */
export class Mount {
	readonly name: string;
	readonly host: Host;
	readonly #failures = new Map<Method, RootFailure>();
	#head: { head: string | null; git_root: string | null } | undefined;

	constructor({ name, host }: NamedHost) {
		this.name = name;
		this.host = host;
	}

	get state(): RootState {
		const { head = null, git_root = null } = this.#head ?? {};
		const [failure] = this.#failures.values();
		const { error_code = null, message = null } = failure ?? {};
		return { name: this.name, head, git_root, error_code, message };
	}

	/** Requests the commit that is checked out, which every query does first. */
	async gitHead(): Promise<{ head: string | null; git_root: string | null }> {
		for (const method of OCCASIONAL) this.#failures.delete(method);
		const given = await this.attempt("gitHead", () => this.host.gitHead());
		this.#head = headOf(given ?? null);
		return this.#head;
	}

	/** Reports whether the repository is one of git, so that its ignore files count. */
	async isInGit(): Promise<boolean> {
		const { head, git_root } = this.#head ?? (await this.gitHead());
		return head !== null || git_root !== null;
	}

	/** Lists folders. If the root cannot be listed, the repository has failed. */
	async readDirs(paths: string[]): Promise<(DirEntry[] | Failure)[]> {
		const listed = await this.readAll("readDirs", paths, () =>
			this.host.readDirs(paths),
		);
		const root = listed[paths.indexOf("")];
		if (root !== undefined && !Array.isArray(root) && !this.isBlocked) {
			const code = root.error === "missing" ? "REPO_NOT_FOUND" : "HOST_FAILED";
			const cause = root.message ?? root.error;
			this.fail("readDirs", code, `${NO_ROOT} (${cause})`);
		}
		return listed;
	}

	/** Requests one result for each path. If the host throws, each is a failure. */
	async readAll<T>(
		method: Method,
		paths: string[],
		request: () => MaybePromise<(T | Failure)[]>,
	): Promise<(T | Failure)[]> {
		const failed = (): Failure[] => {
			const message = this.state.message ?? undefined;
			return paths.map(() => ({ error: "io", message }));
		};
		if (this.isBlocked) return failed();
		const read = await this.attempt(method, request);
		if (read === undefined) return failed();
		if (Array.isArray(read) && read.length === paths.length) return read;
		const message = `the host's ${method} must return one result for each of ${paths.length} paths`;
		this.fail(method, "HOST_FAILED", message);
		return failed();
	}

	/** Runs a request. If it throws, the repository has failed, and the result is `undefined`. */
	async attempt<T>(
		method: Method,
		request: () => MaybePromise<T>,
	): Promise<T | undefined> {
		try {
			const given = request();
			const result = isPromise(given) ? await given : given;
			this.#failures.delete(method);
			return result;
		} catch (thrown) {
			this.fail(method, "HOST_FAILED", messageOf(thrown));
			return undefined;
		}
	}

	/** Records a failure, which lasts until the same request succeeds. */
	fail(
		method: Method,
		error_code: RootFailure["error_code"],
		message: string,
	): void {
		this.#failures.set(method, { error_code, message });
	}

	/** Whether the repository cannot be read, because it is unknown which texts are current. */
	get isBlocked(): boolean {
		return REQUIRED.some((method) => this.#failures.has(method));
	}
}

function headOf(given: GitHead | string | null) {
	if (given === null || typeof given !== "object") {
		return { head: given, git_root: null };
	}
	return { head: given.head, git_root: given.git_root ?? null };
}
