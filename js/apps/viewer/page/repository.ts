import { type Navigator, open } from "../../../core/api.js";
import type { Failure, Host } from "../../../core/host.js";
import { fetchHost } from "../../../hosts/fetch/host.js";
import { walkedFiles } from "../../../hosts/shared/walked-files.js";
import { zipHost } from "../../../hosts/zip/host.js";
import { directoryHost } from "./directory-host.js";
import { furtherLanguages } from "./further-languages.js";
import { readAheadHost } from "./read-ahead.js";
import type { Files, FileText, Opened, Source } from "./worker-api.js";

/** Larger files are not shown, because no query reads them. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The length of the start in which a NUL character marks a binary file. */
const SNIFFED_LENGTH = 8000;

/** A repository that is open in the worker. */
export interface Repository {
	opened: Opened;
	nav: Navigator;
	version(): Promise<string>;
	files(signal: AbortSignal): Promise<Files>;
	paths(): Promise<readonly string[]>;
	/** The paths of the files as they were listed last. */
	knownPaths(): readonly string[];
	text(path: string): Promise<FileText>;
	close(): void;
}

interface Place {
	host: Host;
	name: string;
	notes: string[];
	paths(): Promise<string[]>;
	version(): Promise<string>;
	close?(): void;
}

/** @throws Error for an archive or an address that holds no repository */
export async function openRepository(source: Source): Promise<Repository> {
	const place = await placeOf(source);
	const { host, name, notes, paths, version } = place;
	const nav = await open(host, { languages: await furtherLanguages() });
	let known: readonly string[] = [];
	return {
		opened: { name, kind: source.kind, notes },
		nav,
		version,
		files: async (signal) => {
			const [status, found] = await Promise.all([
				nav.status({ signal }),
				paths(),
			]);
			known = found;
			const { meta, items } = status;
			// The page marks no unchanged file, and a message with all files would delay it.
			const statuses = new Map(
				items
					.filter(({ verdict }) => verdict !== "unchanged")
					.map(({ file, verdict, proof }) => [file, { verdict, proof }]),
			);
			return { meta, paths: found, statuses };
		},
		paths: async () => {
			known = await paths();
			return known;
		},
		knownPaths: () => known,
		text: async (path) => {
			const [read] = await host.readMany([path], { max_bytes: MAX_FILE_BYTES });
			return textOf(read ?? { error: "missing" });
		},
		close: () => {
			place.close?.();
			nav.close();
		},
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
	const host = readAheadHost(fetchHost(url));
	let last = await host.listing();
	let isReadingAhead = false;
	const { root } = last;
	const versions = new Versions(JSON.stringify(last));
	return {
		host,
		name: root ?? url,
		notes: [],
		paths: async () => {
			const { files, batch } = await host.listing();
			// Reading ahead earlier would delay the tree. A static server has no batches and may be far
			// away, so each of its files is requested when a query needs it.
			if (!isReadingAhead && batch !== null) void host.readAhead(files);
			isReadingAhead = true;
			return files
				.map(({ path }) => path)
				.filter((path) => !path.startsWith(".llmc/"));
		},
		version: async () => {
			const listing = await host.listing();
			// The host returns the same object while the server reports no change.
			if (listing !== last) versions.next(JSON.stringify(listing));
			last = listing;
			return versions.current;
		},
		close: host.stop,
	};
}

function zipped(name: string, bytes: Uint8Array): Place {
	const { host, left_out } = zipHost(bytes);
	const notes =
		left_out > 0
			? [
					`${left_out} entries were left out: they are too large or have invalid names.`,
				]
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
			// `racy` expires with time, without a change of the file.
			const stamps = stats.map((one) => ({ ...one, racy: null }));
			versions.next(JSON.stringify([found, stamps]));
			return versions.current;
		},
	};
}

/** Numbers the versions of a text that is too long for a message to the page. */
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
	denied: "There is no permission to read this file.",
	too_large: "This file is larger than 4 MiB, so it is not shown.",
	io: "This file cannot be read.",
};

function textOf(read: Uint8Array | Failure): FileText {
	if (!(read instanceof Uint8Array)) return { problem: PROBLEMS[read.error] };
	const text = new TextDecoder(markedEncoding(read)).decode(read);
	return text.slice(0, SNIFFED_LENGTH).includes("\0")
		? { problem: "This is a binary file." }
		: { text };
}

/** Returns the encoding of the byte order mark, else UTF-8; U+FFFD replaces invalid bytes. */
function markedEncoding([first, second]: Uint8Array): string {
	if (first === 0xff && second === 0xfe) return "utf-16le";
	return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
