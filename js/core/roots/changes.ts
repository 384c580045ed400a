import { noCommits } from "../errors.js";
import type {
	ChangedFile,
	Changes,
	ChangesRequest,
	CommitChanges,
	CommitsBetweenRequest,
	Failure,
} from "../host.js";
import type { Mount } from "./mount.js";

/** What `to` is for the files that are staged for the next commit. */
const STAGED = "staged";
/** The commit that is checked out, which only a repository without commits lacks. */
const HEAD = "HEAD";

/** The changes of one repository. */
interface Compared {
	mount: Mount;
	changes: Changes;
}

/**
 * Compares two states of several repositories. `NAME:COMMIT` compares that repository alone.
 * Another text names a commit of each repository; those that have none fail.
 *
 * @throws Error if no repository can be compared
 */
export async function changesOf(
	mounts: readonly Mount[],
	request: ChangesRequest,
): Promise<Changes | null> {
	const from = addressed(mounts, request.from);
	const to = request.to === null ? null : addressed(mounts, request.to);
	const chosen = from.mount ?? to?.mount;
	if (chosen !== undefined && to?.mount && to.mount !== chosen) {
		throw new Error(
			`${request.from} and ${request.to} are commits of different repositories; compare commits of one`,
		);
	}
	const among = chosen === undefined ? mounts : [chosen];
	const compared = await Promise.all(
		among.map((mount) =>
			compare(mount, {
				from: from.ref,
				to: to?.ref ?? null,
				paths: inside(mount, request.paths),
				unsaved: inside(mount, request.unsaved),
			}),
		),
	);
	const found = compared.filter((one) => one !== null);
	if (found.length > 0) return joined(found);
	const failed = among.find(({ state }) => state.error_code === "HOST_FAILED");
	if (failed === undefined) return null;
	throw new Error(`${failed.name}: ${failed.state.message}`);
}

/** Returns the commits of one repository; `null` if the first names none, or several. */
export async function commitsBetweenOf(
	mounts: readonly Mount[],
	request: CommitsBetweenRequest,
): Promise<CommitChanges[] | null> {
	const { mount, ref } = addressed(mounts, request.from);
	if (mount === undefined || ref.includes(" ")) return null;
	const commits = await mount.attempt("commitsBetween", () =>
		mount.host.commitsBetween?.({ ...request, from: ref }),
	);
	const { name } = mount;
	const inside = (commit: CommitChanges): CommitChanges => ({
		id: `${name}:${commit.id}`,
		files: commit.files.map((file) => changedIn(name, file)),
	});
	return commits?.map(inside) ?? null;
}

/** Returns the contents of objects, whose ids begin with the name of their repository. */
export async function objectsOf(
	mounts: readonly Mount[],
	ids: readonly string[],
	options: { max_bytes: number },
): Promise<(Uint8Array | Failure)[]> {
	const contents = ids.map((): Uint8Array | Failure => ({ error: "missing" }));
	const requests = mounts.map(async (mount) => {
		const own = ids.flatMap((id, at) => {
			const ref = without(mount, id);
			return ref === null ? [] : [{ at, ref }];
		});
		const refs = own.map(({ ref }) => ref);
		if (refs.length === 0) return;
		const read = await mount.readAll("readObjects", refs, () => {
			if (mount.host.readObjects === undefined) throw noCommits();
			return mount.host.readObjects(refs, options);
		});
		for (const [order, { at }] of own.entries()) {
			contents[at] = read[order] ?? { error: "missing" };
		}
	});
	await Promise.all(requests);
	return contents;
}

async function compare(
	mount: Mount,
	request: ChangesRequest,
): Promise<Compared | null> {
	const changes = await mount.attempt("changes", () => {
		if (mount.host.changes === undefined) throw noCommits();
		return mount.host.changes(request);
	});
	if (changes === undefined) return null;
	if (changes !== null) return { mount, changes };
	const missing = await missingCommit(mount, request);
	const advice = `it is not compared; name a commit of every repository, or one of this: ${mount.name}:COMMIT`;
	const problem =
		missing === HEAD
			? "it has no commit yet"
			: `there is no commit \`${missing}\``;
	mount.fail("changes", "INVALID_ARGUMENT", `${problem}; ${advice}`);
	return null;
}

/** Returns which of two commits a repository does not have. */
async function missingCommit(
	mount: Mount,
	{ from, to }: ChangesRequest,
): Promise<string> {
	if (to === null || to === STAGED) return from;
	const nothing = { from, to: from, paths: [], unsaved: [] };
	const same = await mount.attempt("changes", () =>
		mount.host.changes?.(nothing),
	);
	return same ? to : from;
}

function joined(all: Compared[]): Changes {
	const files = all.flatMap(({ mount: { name }, changes }) =>
		changes.files.map((file) => changedIn(name, file)),
	);
	const commits = (state: "from" | "to") =>
		all.flatMap(({ mount: { name }, changes }) => {
			const id = changes[state];
			return id ? [`${name}:${id}`] : [];
		});
	return {
		from: commits("from").join(" "),
		to: commits("to").join(" ") || null,
		files,
	};
}

function changedIn(
	name: string,
	{ path, before, after }: ChangedFile,
): ChangedFile {
	return {
		path: `${name}/${path}`,
		before: before ? `${name}:${before}` : null,
		after: after ? `${name}:${after}` : null,
	};
}

/** Returns the repository that a commit names, if it names one, and the commit in it. */
function addressed(mounts: readonly Mount[], ref: string) {
	const mount = mounts.find((one) => without(one, ref) !== null);
	return {
		mount,
		ref: mount === undefined ? ref : (without(mount, ref) ?? ref),
	};
}

function without({ name }: Mount, text: string): string | null {
	return text.startsWith(`${name}:`) ? text.slice(name.length + 1) : null;
}

function inside({ name }: Mount, paths: readonly string[]): string[] {
	const below = paths.filter((path) => path.startsWith(`${name}/`));
	return below.map((path) => path.slice(name.length + 1));
}
