import { type BigIntStats, lstatSync } from "node:fs";
import type { Failure, FileStamp } from "../../core/host.js";
import { failureOf, notAFile } from "../shared/file-failure.js";
import { type Folders, isPlace, ON_WINDOWS } from "./folders.js";

// Plain numbers hold no nanoseconds, by which two changes in one millisecond differ.
const STAT_OPTIONS = { bigint: true, throwIfNoEntry: false } as const;

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;
/** Longest step of a kernel's clock for files, with room to spare, in nanoseconds. */
const FINE_STEP_NS = 100n * NS_PER_MS;
/** Longest step of a file system that keeps whole seconds (FAT's times are even), in nanoseconds. */
const COARSE_STEP_NS = 2n * NS_PER_SECOND;

/** Returns the stamp of each file, or why there is none, in the order of `paths`. */
export function stat(
	folders: Folders,
	paths: string[],
): (FileStamp | Failure)[] {
	// Read before the files are looked at: what changes meanwhile has changed in the future.
	const nowMs = Date.now();
	return paths.map((path) => statOne(folders, path, nowMs));
}

/**
 * Whether a file changed so shortly before `nowMs` (milliseconds since 1970) that a further change
 * could get the same times (nanoseconds since 1970); a change in the future counts as that.
 */
export function isRacy(
	ctimeNs: bigint,
	mtimeNs: bigint,
	nowMs: number,
	windows = ON_WINDOWS,
): boolean {
	const coarse =
		ctimeNs % NS_PER_SECOND === 0n && mtimeNs % NS_PER_SECOND === 0n;
	// Programs set mtime as they like, also into the future. It tells changes apart only where the
	// file system may not have a ctime: on Windows, and on those that keep whole seconds.
	const both = coarse || windows;
	const changedNs = both && mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
	const stepNs = coarse ? COARSE_STEP_NS : FINE_STEP_NS;
	return changedNs >= BigInt(nowMs) * NS_PER_MS - stepNs;
}

function statOne(
	folders: Folders,
	path: string,
	nowMs: number,
): FileStamp | Failure {
	const place = folders.entry(path);
	if (!isPlace(place)) return place;
	try {
		const stats = lstatSync(place, STAT_OPTIONS);
		if (stats === undefined) return { error: "missing" };
		return stats.isSymbolicLink()
			? statTarget(folders, place, stats, nowMs)
			: stampOfFile(stats, nowMs);
	} catch (error) {
		return failureOf(error);
	}
}

/** Stamp of the file behind a link, after the link's own, so that leading elsewhere changes it. */
function statTarget(
	folders: Folders,
	link: string,
	linkStats: BigIntStats,
	nowMs: number,
): FileStamp | Failure {
	const target = folders.follow(link);
	if (!isPlace(target)) return target;
	const stats = lstatSync(target, STAT_OPTIONS);
	if (stats === undefined) return { error: "missing" };
	if (stats.isSymbolicLink()) return { error: "denied" };
	const found = stampOfFile(stats, nowMs);
	if ("error" in found) return found;
	return {
		size: found.size,
		stamp: `${stampText(linkStats)}>${found.stamp}`,
		racy: found.racy || racyOf(linkStats, nowMs),
	};
}

function stampOfFile(stats: BigIntStats, nowMs: number): FileStamp | Failure {
	if (!stats.isFile()) return notAFile();
	return {
		size: Number(stats.size),
		stamp: stampText(stats),
		racy: racyOf(stats, nowMs),
	};
}

// Without the device: a working tree that is moved or mounted elsewhere keeps its stamps.
function stampText({ ino, ctimeNs, mtimeNs }: BigIntStats): string {
	return `${ino.toString(36)}-${ctimeNs.toString(36)}-${mtimeNs.toString(36)}`;
}

function racyOf({ ctimeNs, mtimeNs }: BigIntStats, nowMs: number): boolean {
	return isRacy(ctimeNs, mtimeNs, nowMs);
}
