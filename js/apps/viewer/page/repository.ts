import { type Navigator, open } from "../../../core/api.js";
import type { Failure, Host } from "../../../core/host.js";
import { fetchHost } from "../../../hosts/fetch/host.js";
import { walkedFiles } from "../../../hosts/shared/walked-files.js";
import { zipHost } from "../../../hosts/zip/host.js";
import { directoryHost } from "./directory-host.js";
import type { Files, FileText, Opened, Source } from "./worker-api.js";

/** Larger files are not shown, as they are not searched. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Binary files say so early. */
const SNIFFED_BYTES = 8000;

/** A repository that is open in the worker. */
export interface Repository {
	opened: Opened;
	nav: Navigator;
	version(): Promise<string>;
	files(signal: AbortSignal): Promise<Files>;
	text(path: string): Promise<FileText>;
	close(): void;
}

interface Place {
	host: Host;
	name: string;
	notes: string[];
	paths(): Promise<string[]>;
	version(): Promise<string>;
}

/** @throws Error where there is none to be had */
export async function openRepository(source: Source): Promise<Repository> {
	const { host, name, notes, paths, version } = await placeOf(source);
	const nav = await open(host);
	return {
		opened: { name, kind: source.kind, notes },
		nav,
		version,
		files: async (signal) => {
			const [status, found] = await Promise.all([
				nav.status({ signal }),
				paths(),
			]);
			const { meta, items } = status;
			const standings = new Map(
				items.map(({ file, verdict, proof }) => [file, { verdict, proof }]),
			);
			return { meta, paths: found, standings };
		},
		text: async (path) => {
			const [read] = await host.readMany([path], { max_bytes: MAX_FILE_BYTES });
			return textOf(read ?? { error: "missing" });
		},
		close: () => nav.close(),
	};
}

async function placeOf(source: Source): Promise<Place> {
	switch (source.kind) {
		case "served":
			return served(source.url);
		case "zip":
			return zipped(source.name, source.bytes);
		case "folder":
			return folder(source.handle);
	}
}

async function served(url: string): Promise<Place> {
	const host = fetchHost(url);
	let last = await host.listing();
	const { root } = last;
	const versions = new Versions(JSON.stringify(last));
	return {
		host,
		name: root ?? url,
		notes: [],
		paths: async () => {
			const { files } = await host.listing();
			return files
				.map(({ path }) => path)
				.filter((path) => !path.startsWith(".llmc/"));
		},
		version: async () => {
			const listing = await host.listing();
			// An unchanged listing is the same object, where the server says so.
			if (listing !== last) versions.next(JSON.stringify(listing));
			last = listing;
			return versions.current;
		},
	};
}

function zipped(name: string, bytes: Uint8Array): Place {
	const { host, left_out } = zipHost(bytes);
	const notes =
		left_out > 0
			? [`${left_out} entries were left out: too large, or with bad names.`]
			: [];
	return {
		host,
		name,
		notes,
		paths: async () => [...(await walkedFiles(host)).keys()],
		version: async () => "",
	};
}

function folder(handle: FileSystemDirectoryHandle): Place {
	const host = directoryHost(handle);
	const paths = async () => [...(await walkedFiles(host)).keys()];
	const versions = new Versions("");
	return {
		host,
		name: handle.name,
		notes: [],
		paths,
		version: async () => {
			const found = await paths();
			const stats = (await host.stat?.(found)) ?? [];
			// A file that is no longer young has not changed by that.
			const stamps = stats.map((one) => ({ ...one, racy: null }));
			versions.next(JSON.stringify([found, stamps]));
			return versions.current;
		},
	};
}

/** Numbers for what is too long to be sent to the page. */
class Versions {
	#text: string;
	#count = 0;

	constructor(text: string) {
		this.#text = text;
	}

	get current(): string {
		return String(this.#count);
	}

	next(text: string): void {
		if (text === this.#text) return;
		this.#text = text;
		this.#count += 1;
	}
}

const PROBLEMS: Record<Failure["error"], string> = {
	missing: "There is no such file.",
	denied: "This file may not be read.",
	too_large: "This file is larger than 4 MiB, and is not shown.",
	io: "This file cannot be read.",
};

function textOf(read: Uint8Array | Failure): FileText {
	if (!(read instanceof Uint8Array)) return { problem: PROBLEMS[read.error] };
	if (read.subarray(0, SNIFFED_BYTES).includes(0)) {
		return { problem: "This is a binary file." };
	}
	try {
		return { text: new TextDecoder("utf-8", { fatal: true }).decode(read) };
	} catch {
		return { problem: "This file is not UTF-8." };
	}
}
