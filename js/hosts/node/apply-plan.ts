import {
	copyFileSync,
	linkSync,
	lstatSync,
	readFileSync,
	renameSync,
	rmSync,
} from "node:fs";
import { dirname } from "node:path";
import type { EditedFile, Refusal, TextEdit } from "../../core/api.js";
import { messageOf, RagnavError } from "../../core/errors.js";
import { editBytes } from "../../core/pure.js";
import { errorCode } from "../shared/file-failure.js";
import { childPath, Folders } from "./folders.js";
import { performWrite } from "./perform-write.js";
import { temporaryName, writeNew } from "./temporary-file.js";

/** A plan of edits: the answer of `renamePlan` or of `movePlan`. */
export interface EditPlan {
	items: readonly (TextEdit & { file: string })[];
	files: readonly EditedFile[];
	refusals: readonly Refusal[];
}

/** A file as it is, and as it becomes. */
interface Step {
	file: string;
	from: string;
	to: string;
	/** `null` for a file that the plan creates. */
	before: Uint8Array | null;
	after: Uint8Array;
	mode: number;
}

/** The mode of a new file, of which the system takes what people do not want. */
const NEW_MODE = 0o666;

/**
 * Applies a plan of edits to the files below a root: all of them, or none. It returns the paths of
 * the files that it wrote.
 *
 * Each file is replaced as a whole, so that a reader sees the old text or the new one. If a file
 * cannot be replaced, those before it are put back, which takes no space on the disk. Unsaved text
 * of an editor is not known here.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` for a plan with refusals, and if a file has changed since
 * the plan was made or a new one exists by now; `FILE_UNREADABLE` if a file cannot be read;
 * `HOST_FAILED` if one cannot be written. If files could not be put back either, the message names
 * them and the files that hold their old texts.
 *
 * @example
 * ```js
 * import { applyPlan, open } from "ragnav";
 * import { nodeHost } from "ragnav/hosts/node";
 *
 * const nav = await open(nodeHost("."));
 * const plan = await nav.renamePlan("price_of", "cost_of");
 * console.log(plan.refusals.length); // 0
 * console.log(applyPlan(".", plan).length > 1); // true
 * applyPlan(".", await nav.renamePlan("cost_of", "price_of"));
 * nav.close();
 * ```
 */
export function applyPlan(root: string, plan: EditPlan): string[] {
	const [refusal] = plan.refusals;
	if (refusal !== undefined) {
		const message = `the plan is refused: ${refusal.message}`;
		throw new RagnavError("INVALID_ARGUMENT", message);
	}
	const folders = new Folders(root);
	const steps = plan.files.map((edited) => stepOf(folders, edited, plan));
	const temporary = steps.map(({ to }) => beside(to));
	const old = steps.map(({ from }) => beside(from));
	let kept: readonly string[] = [];
	try {
		for (const [at, { file, after, mode }] of steps.entries()) {
			performWrite(file, () => writeNew(temporary[at] ?? "", after, mode));
		}
		replaceAll(steps, temporary, old);
	} catch (thrown) {
		if (thrown instanceof NotPutBack) kept = thrown.kept;
		throw asFailure(thrown);
	} finally {
		for (const path of [...temporary, ...old]) {
			if (!kept.includes(path)) rmSync(path, { force: true });
		}
	}
	return steps.map(({ file }) => file);
}

/** Returns an error of the file system as one with a code of ragnav, and any other unchanged. */
function asFailure(thrown: unknown): unknown {
	if (thrown instanceof RagnavError) return thrown;
	const isOfSystem = thrown instanceof NotPutBack || errorCode(thrown) !== "";
	return isOfSystem
		? new RagnavError("HOST_FAILED", messageOf(thrown))
		: thrown;
}

function stepOf(folders: Folders, edited: EditedFile, plan: EditPlan): Step {
	const { file, hash, moves_to } = edited;
	const from = placeOf(folders, file);
	if (hash === null) requireAbsent(from, file);
	const before = hash === null ? null : readFile(from, file);
	const edits = plan.items.filter((item) => item.file === file);
	const to = moves_to === null ? from : placeOf(folders, moves_to);
	if (to !== from) requireAbsent(to, moves_to);
	try {
		const after = editBytes(before ?? new Uint8Array(), hash, edits);
		const mode = before === null ? newMode() : lstatSync(from).mode;
		return { file: moves_to ?? file, from, to, before, after, mode };
	} catch (thrown) {
		if (!(thrown instanceof RagnavError)) throw thrown;
		throw new RagnavError(thrown.code, `${file}: ${thrown.message}`);
	}
}

function requireAbsent(path: string, file: string | null): void {
	// A link that leads nowhere is there, too.
	if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
	const message = `${file} exists already; move it away first`;
	throw new RagnavError("INVALID_ARGUMENT", message);
}

function newMode(): number {
	return NEW_MODE & ~process.umask();
}

function placeOf(folders: Folders, file: string): string {
	const place = folders.entry(file);
	if (typeof place === "string") return place;
	const message = `${file} cannot be read: ${place.message ?? place.error}`;
	throw new RagnavError("FILE_UNREADABLE", message);
}

function readFile(path: string, file: string): Uint8Array {
	try {
		if (!lstatSync(path).isFile()) throw new Error("it is no file");
		return new Uint8Array(readFileSync(path));
	} catch (thrown) {
		const message = `${file} cannot be read: ${messageOf(thrown)}`;
		throw new RagnavError("FILE_UNREADABLE", message);
	}
}

/** Returns a temporary path in the folder of a file. */
function beside(path: string): string {
	return childPath(dirname(path), temporaryName());
}

/** Puts the new files in place; after an error, the old ones are there again. */
function replaceAll(
	steps: readonly Step[],
	temporary: readonly string[],
	old: readonly string[],
): void {
	const done: number[] = [];
	try {
		for (const [at, step] of steps.entries()) {
			performWrite(step.file, () => {
				requireUnchanged(step);
				if (step.before !== null) keepOld(step.from, old[at] ?? "");
				done.push(at);
				renameSync(temporary[at] ?? "", step.to);
				if (step.to !== step.from) rmSync(step.from);
			});
		}
	} catch (thrown) {
		putBack(steps, old, done.reverse(), thrown);
		throw thrown;
	}
}

/** A program may have written the file since it was read, or one where it moves to. */
function requireUnchanged({ from, to, file, before }: Step): void {
	if (before === null || to !== from) requireAbsent(to, file);
	if (before === null) return;
	if (Buffer.compare(readFileSync(from), before) === 0) return;
	const message = `${file} has changed meanwhile; plan the edits again`;
	throw new RagnavError("INVALID_ARGUMENT", message);
}

/** Gives a file a second name, under which it stays when another one takes its place. */
function keepOld(path: string, old: string): void {
	try {
		linkSync(path, old);
	} catch {
		// Some file systems have no hard links.
		copyFileSync(path, old);
	}
}

/** Some files are neither replaced nor as they were. */
class NotPutBack extends Error {
	/** The files that hold the old texts. */
	readonly kept: readonly string[];

	constructor(left: readonly Left[], cause: unknown) {
		const files = left.map(({ file, old }) =>
			old === null ? `${file} (new)` : `${file} (old text: ${old})`,
		);
		super(
			`${messageOf(cause)}; these files could not be put back: ${files.join(", ")}`,
			{ cause },
		);
		this.kept = left.flatMap(({ old }) => old ?? []);
	}
}

/** A file that could not be put back. */
interface Left {
	file: string;
	/** The file that holds the old text; `null` for a new file. */
	old: string | null;
}

function putBack(
	steps: readonly Step[],
	old: readonly string[],
	done: readonly number[],
	cause: unknown,
): void {
	const left: Left[] = [];
	for (const at of done) {
		const step = steps[at];
		if (step === undefined) continue;
		const kept = old[at] ?? "";
		try {
			if (step.before !== null) renameSync(kept, step.from);
			if (step.before === null || step.to !== step.from) {
				rmSync(step.to, { force: true });
			}
		} catch {
			left.push({ file: step.file, old: step.before && kept });
		}
	}
	if (left.length > 0) throw new NotPutBack(left, cause);
}
