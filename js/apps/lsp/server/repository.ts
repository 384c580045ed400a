import type { Host, Navigator } from "../../../core/api.js";
import type { OpenDocument } from "./documents.js";
import { failure } from "./failures.js";
import { uriInFolder } from "./location.js";
import { TextLines } from "./text-lines.js";

/** The maximum size of a file whose lines are shown, in bytes. */
const MAX_BYTES = 16 << 20;

interface RepositoryParts {
	/** The URI of its folder. */
	uri: string;
	nav: Navigator;
	host: Host;
	/** Returns the document that is open for a path. */
	document(path: string): OpenDocument | undefined;
}

/** An opened folder: its queries, and the text of its files as the editor has them. */
export class Repository {
	readonly nav: Navigator;
	readonly #parts: RepositoryParts;
	/** The extensions of the known languages. */
	readonly #extensions: ReadonlySet<string>;

	constructor(parts: RepositoryParts) {
		this.nav = parts.nav;
		this.#parts = parts;
		const { languages } = parts.nav;
		this.#extensions = new Set(languages.flatMap((one) => one.extensions));
	}

	/** Returns the URI of a file; the editor's own if it is open. */
	uriOf(path: string): string {
		const { document, uri } = this.#parts;
		return document(path)?.uri ?? uriInFolder(uri, path);
	}

	/**
	 * Reports whether a file has the extension of a language that ragnav knows. Queries about others
	 * fail, and an editor asks about every document.
	 */
	knowsLanguageOf(path: string): boolean {
		const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
		return extension !== undefined && this.#extensions.has(extension);
	}

	/** Returns the editor's version of an open file; `null` for others. */
	versionOf(path: string): number | null {
		return this.#parts.document(path)?.text.version ?? null;
	}

	/**
	 * Returns the lines of a file.
	 *
	 * @throws ResponseError if it cannot be read
	 */
	async lines(path: string): Promise<TextLines> {
		const open = this.#parts.document(path);
		if (open !== undefined) return new TextLines(open.text.getText());
		const { host } = this.#parts;
		const [read] = await host.readMany([path], { max_bytes: MAX_BYTES });
		if (read instanceof Uint8Array) return new TextLines(decoded(read));
		const reason = read?.message ?? read?.error ?? "the host has no response";
		throw failure("FILE_UNREADABLE", `${path} cannot be read: ${reason}`);
	}
}

/** Decodes bytes as editors do: UTF-16 by its mark, and UTF-8 otherwise. */
function decoded(bytes: Uint8Array): string {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return decode("utf-16le", bytes);
	if (first === 0xfe && second === 0xff) return decode("utf-16be", bytes);
	return decode("utf-8", bytes);
}

function decode(encoding: string, bytes: Uint8Array): string {
	return new TextDecoder(encoding).decode(bytes);
}
