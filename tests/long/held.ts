// What a process holds, and whether it grows.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Navigator } from "#ragnav";

/** What a process holds at one time. */
export interface Held {
	/** Bytes of live JavaScript values and buffers, garbage collected first. */
	values: number;
	/** Bytes of WebAssembly memory of the navigator. */
	core: number;
	/** Bytes of the process; what was freed may still count. */
	process: number;
	/** Open files, where the system tells. */
	files: number;
}

declare const gc: (() => void) | undefined;

/** Collections that are waited for at most: buffers are given back by threads of their own, some time after what held them. */
const MOST_COLLECTIONS = 20;
/** So many have to find the same, for what is left to be live. */
const ALIKE = 3;
/** Bytes by which two that find the same may differ. */
const NOISE = 64 << 10;

export async function held(nav: Navigator): Promise<Held> {
	return {
		values: await liveValues(),
		core: nav.memoryBytes,
		process: process.memoryUsage().rss,
		files: openFiles(),
	};
}

/** Collects garbage until no less is left. */
async function liveValues(): Promise<number> {
	if (gc === undefined) throw new Error("run it with node --expose-gc");
	let least = Number.POSITIVE_INFINITY;
	let alike = 0;
	for (let time = 0; time < MOST_COLLECTIONS && alike < ALIKE; time++) {
		gc();
		await setImmediate();
		const { heapUsed, external } = process.memoryUsage();
		const bytes = heapUsed + external;
		alike = bytes < least - NOISE ? 0 : alike + 1;
		least = Math.min(least, bytes);
	}
	return least;
}

function openFiles(): number {
	try {
		return readdirSync("/proc/self/fd").length;
	} catch {
		return 0;
	}
}

/** What may come and go without being a leak: caches of the runtime, a page of WebAssembly. */
const SLACK: Held = {
	values: 1 << 20,
	core: 2 << 20,
	// What was freed stays with the allocator, as it likes.
	process: 64 << 20,
	files: 4,
};
const SHARE = 1.1;

/**
 * Asserts that the least that was held in the last half is what was held before it, the first fifth being the warm-up. The least, since
 * what is free is given back at times of its own.
 */
export function assertFlat(seen: readonly Held[]): void {
	const early = seen.slice(seen.length / 5, seen.length / 2);
	const late = seen.slice(seen.length / 2);
	for (const what of ["values", "core", "process", "files"] as const) {
		const before = Math.min(...early.map((one) => one[what]));
		const after = Math.min(...late.map((one) => one[what]));
		const most = before * SHARE + SLACK[what];
		assert.ok(after <= most, `${what} grew from ${before} to ${after}`);
	}
}

/** One line for a report. */
export function shown({ values, core, process, files }: Held): string {
	const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
	return `values ${mebibytes(values)}, core ${mebibytes(core)}, process ${mebibytes(process)}, ${files} open files`;
}
