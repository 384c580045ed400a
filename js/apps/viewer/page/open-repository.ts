import { messageOf } from "../../../core/errors.js";
import { Latest, worker } from "./client.js";
import { followRoute, reloadShown } from "./follow-route.js";
import { go, route } from "./location.js";
import {
	compare,
	forgetAnswers,
	lineage,
	progressOf,
	search,
	whereUsed,
} from "./queries.js";
import { loadRecent } from "./recent.js";
import * as state from "./state.js";
import type { Source } from "./worker-api.js";

const latest = { files: new Latest(), build: new Latest() };
const UNREACHABLE = "The repository cannot be reached";

/** The version of the files that the page shows. */
let version = "";
let stopFollowing = () => {};

/** Opens a repository in place of the one before. */
export async function openSource(source: Source): Promise<void> {
	try {
		state.opened.value = await worker.open(source);
	} catch (error) {
		state.notice.value = messageOf(error);
		return;
	}
	stopFollowing();
	forgetAnswers();
	const { name, notes } = state.opened.value;
	state.notice.value = notes[0] ?? null;
	state.shown.value = null;
	state.files.value = null;
	document.title = name;
	loadRecent(name);
	if (source.kind !== "served") {
		state.typedQuery.value = "";
		go({ place: { kind: "none" }, query: "", subject: "", panel: "search" });
	}
	// Without a version, the next check shows the files.
	version = (await readVersion()) ?? "";
	stopFollowing = followRoute();
	await listFiles();
	// A query that warming would have sped up reports why it fails.
	worker.warm().catch(() => undefined);
}

/** Returns the version of the files; without one it says that they cannot be reached. */
async function readVersion(): Promise<string | undefined> {
	try {
		return await worker.version();
	} catch (error) {
		state.notice.value = `${UNREACHABLE}: ${messageOf(error)}`;
		return undefined;
	}
}

/** Lists the files, at first without their statuses, which take longer. */
async function listFiles(): Promise<void> {
	try {
		const paths = await worker.paths();
		state.files.value = { meta: null, paths, statuses: new Map() };
	} catch (error) {
		state.notice.value = `${UNREACHABLE}: ${messageOf(error)}`;
		return;
	}
	await refreshFiles();
}

/** Lists the files and verifies them against the index. */
async function refreshFiles(): Promise<void> {
	try {
		const files = await latest.files.run((id) => worker.files(id));
		if (files === undefined) return;
		const before = state.files.peek()?.paths ?? [];
		// The same list of paths keeps the tree from being drawn again.
		const paths = isSameList(files.paths, before) ? before : files.paths;
		state.files.value = { ...files, paths };
		state.latestMeta.value = files.meta;
	} catch (error) {
		state.notice.value = messageOf(error);
	}
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
	return (
		one.length === other.length && one.every((path, at) => path === other[at])
	);
}

/** Runs the queries of the page again if the files have changed. */
export async function followChanges(): Promise<void> {
	if (state.opened.value === null) return;
	const now = await readVersion();
	if (now === undefined) return;
	if (state.notice.value?.startsWith(UNREACHABLE)) state.notice.value = null;
	if (now === version) return;
	version = now;
	await refreshAll();
}

async function refreshAll(): Promise<void> {
	const { panel } = route.peek();
	await Promise.all([
		refreshFiles(),
		reloadShown(),
		search(),
		panel === "used" && whereUsed(),
		panel === "lineage" && lineage(),
		panel === "changes" && compare(),
	]);
}

/** Builds the index in the page's memory. */
export async function buildIndex(): Promise<void> {
	state.progress.value = "Building the index";
	try {
		const result = await latest.build.run((id) =>
			worker.build(id, progressOf(latest.build, id)),
		);
		if (result === undefined) return;
		if (result.meta.status === "ERROR") {
			state.notice.value = result.meta.message;
		}
	} catch (error) {
		state.notice.value = messageOf(error);
	}
	state.progress.value = null;
	await refreshAll();
}
