import {
	type Host,
	type MaybePromise,
	type Navigator,
	type OpenOptions,
	open,
} from "../../../core/api.js";
import type { EditorBuffer } from "../../../core/host.js";
import { pathProblem } from "../../../hosts/shared/relative-path.js";
import type { Documents, OpenDocument } from "./documents.js";
import { invalidParams } from "./failures.js";
import { pathFromFolder, placeOfUri, type UriPlace } from "./location.js";
import type { SharedRepository } from "./options.js";
import { overlaidHost } from "./overlaid-host.js";
import { Repository } from "./repository.js";

/** How folders are opened. */
export interface FolderOptions {
	openHost(folder: string): MaybePromise<Host | SharedRepository>;
	openOptions(folder: string): OpenOptions;
	/** Whether to watch folders whose host can. */
	watch: boolean;
	/** Is called after files have changed. */
	onChange: () => void;
}

/** A folder of the workspace, opened by the first request about it. */
export class Folder {
	readonly uri: string;
	/** Where it is; `undefined` if its URI is not usable. */
	readonly place: UriPlace | undefined;
	readonly #documents: Documents;
	readonly #options: FolderOptions;
	#opened: Promise<Repository> | undefined;
	/** Whether the navigator is the server's own. */
	#closes = true;
	#open = new Map<string, OpenDocument>();
	/** The edition of the documents that `#open` is about. */
	#edition = -1;

	constructor(uri: string, documents: Documents, options: FolderOptions) {
		this.uri = uri;
		this.place = placeOfUri(uri);
		this.#documents = documents;
		this.#options = options;
	}

	/** Opens the repository. After a failure the next call tries again. */
	repository(): Promise<Repository> {
		this.#opened ??= this.#openRepository().catch((thrown: unknown) => {
			this.#opened = undefined;
			throw thrown;
		});
		return this.#opened;
	}

	close(): void {
		this.#opened?.then(
			({ nav }) => this.#closes && nav.close(),
			() => undefined,
		);
		this.#opened = undefined;
	}

	async #openRepository(): Promise<Repository> {
		if (this.place === undefined) {
			throw invalidParams(`the folder ${this.uri} has no usable URI`);
		}
		const given = await this.#options.openHost(this.uri);
		this.#closes = !("nav" in given);
		const { nav, host } = "nav" in given ? given : await this.#own(given);
		return new Repository({
			uri: this.uri,
			nav,
			host,
			document: (path) => this.#openDocuments().get(path),
		});
	}

	/** Opens a navigator of the server, in which open documents replace their files. */
	async #own(host: Host): Promise<SharedRepository> {
		const overlaid = overlaidHost(host, () => this.#buffers());
		const options = this.#options.openOptions(this.uri);
		const nav = await open(overlaid, options);
		if (this.#options.watch && host.watch !== undefined) this.#watch(nav);
		return { nav, host };
	}

	/** Queries need not wait for the watcher: until it proves anything, they verify the files. */
	#watch(nav: Navigator): void {
		void nav.watch({ build: false, onChange: this.#options.onChange });
	}

	#buffers(): EditorBuffer[] {
		return [...this.#openDocuments()].map(([path, { edition, text }]) => ({
			path,
			version: edition,
			text: text.getText(),
		}));
	}

	/** Returns the open documents of this folder by their paths. */
	#openDocuments(): Map<string, OpenDocument> {
		const { edition } = this.#documents;
		if (this.#edition === edition) return this.#open;
		this.#edition = edition;
		this.#open = new Map();
		for (const document of this.#documents.all()) {
			const path = this.#pathOf(document.uri);
			if (path !== undefined) this.#open.set(path, document);
		}
		return this.#open;
	}

	#pathOf(uri: string): string | undefined {
		const place = placeOfUri(uri);
		if (place === undefined || this.place === undefined) return undefined;
		const path = pathFromFolder(this.place, place);
		// One path that the core refuses would fail every query.
		return path !== undefined && pathProblem(path) === null ? path : undefined;
	}
}
