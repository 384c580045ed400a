import { type BigIntStats, lstatSync } from "node:fs";
import type { Failure, FileStamp } from "../../core/host.js";
import { failureOf, notAFile } from "../shared/file-failure.js";
import { type Folders, isPlace, ON_WINDOWS } from "./folders.js";

// Only `bigint` has nanoseconds, which distinguish two changes in one millisecond.
const STAT_OPTIONS = { bigint: true, throwIfNoEntry: false } as const;

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;
/** An upper bound on the step of a kernel's clock for files, in nanoseconds. */
const FINE_STEP_NS = 100n * NS_PER_MS;
/** The longest step of a file system with whole seconds, in nanoseconds. FAT has even seconds. */
const COARSE_STEP_NS = 2n * NS_PER_SECOND;

/** Is told of each file that has several hard links, with its place and its stamp. */
export type OnLinked = (place: string, stamp: FileStamp) => void;

/** Returns the stamp of each file, or why there is none, in the order of `paths`. */
export function stat(
	folders: Folders,
	paths: string[],
	onLinked?: OnLinked,
): (FileStamp | Failure)[] {
	// Taken before the files are read, so that a change in between counts as racy.
	const nowMs = Date.now();
	return paths.map((path) => statOne(folders, path, { nowMs, onLinked }));
}

/** Returns the stamp of the file at a place of the disk; `undefined` if there is none. */
export function stampAt(place: string, nowMs: number): FileStamp | undefined {
	try {
		const stats = lstatSync(place, STAT_OPTIONS);
		return stats?.isFile() ? stampOf(stats, nowMs) : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Reports whether a file changed so shortly before `nowMs` that a further change could get the same
 * times. A time in the future counts as racy. `nowMs` is in milliseconds since 1970, the times are
 * in nanoseconds since 1970.
 */
export function isRacy(
	ctimeNs: bigint,
	mtimeNs: bigint,
	nowMs: number,
	windows = ON_WINDOWS,
): boolean {
	const coarse =
		ctimeNs % NS_PER_SECOND === 0n && mtimeNs % NS_PER_SECOND === 0n;
	// Programs can set mtime freely, also into the future. So mtime counts only where ctime may be
	// missing: on Windows, and on file systems with whole seconds.
	const both = coarse || windows;
	const changedNs = both && mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
	const stepNs = coarse ? COARSE_STEP_NS : FINE_STEP_NS;
	return changedNs >= BigInt(nowMs) * NS_PER_MS - stepNs;
}

interface StatContext {
	nowMs: number;
	onLinked: OnLinked | undefined;
}

function statOne(
	folders: Folders,
	path: string,
	context: StatContext,
): FileStamp | Failure {
	const place = folders.entry(path);
	if (!isPlace(place)) return place;
	try {
		const stats = lstatSync(place, STAT_OPTIONS);
		if (stats === undefined) return { error: "missing" };
		return stats.isSymbolicLink()
			? statTarget(folders, place, stats, context)
			: stampOfFile(place, stats, context);
	} catch (error) {
		return failureOf(error);
	}
}

/**
 * Returns the stamp of a link's target. It contains the link's own, which changes with the link.
 */
function statTarget(
	folders: Folders,
	link: string,
	linkStats: BigIntStats,
	context: StatContext,
): FileStamp | Failure {
	const target = folders.follow(link);
	if (!isPlace(target)) return target;
	const stats = lstatSync(target, STAT_OPTIONS);
	if (stats === undefined) return { error: "missing" };
	if (stats.isSymbolicLink()) return { error: "denied" };
	const found = stampOfFile(target, stats, context);
	if ("error" in found) return found;
	return {
		size: found.size,
		stamp: `${stampText(linkStats)}>${found.stamp}`,
		racy: found.racy || racyOf(linkStats, context.nowMs),
	};
}

function stampOfFile(
	place: string,
	stats: BigIntStats,
	{ nowMs, onLinked }: StatContext,
): FileStamp | Failure {
	if (!stats.isFile()) return notAFile();
	const stamp = stampOf(stats, nowMs);
	if (stats.nlink > 1n) onLinked?.(place, stamp);
	return stamp;
}

function stampOf(stats: BigIntStats, nowMs: number): FileStamp {
	return {
		size: Number(stats.size),
		stamp: stampText(stats),
		racy: racyOf(stats, nowMs),
	};
}

// Omits the device, so that a working tree keeps its stamps when it is mounted elsewhere.
function stampText({ ino, ctimeNs, mtimeNs }: BigIntStats): string {
	return `${ino.toString(36)}-${ctimeNs.toString(36)}-${mtimeNs.toString(36)}`;
}

function racyOf({ ctimeNs, mtimeNs }: BigIntStats, nowMs: number): boolean {
	return isRacy(ctimeNs, mtimeNs, nowMs);
}
