import type { Changes, ChangesRequest, Failure } from "../../core/host.js";
import { batchFiles } from "../shared/batch.js";
import type { FileListing } from "../shared/file-listing.js";

const NO_COMMITS =
	"the server gives no commits; `ragnav viewer` does, on the machine of the repository";

/** Requests commits from a server that gives them. */
export class RemoteCommits {
	readonly #base: URL;
	readonly #fetch: typeof fetch;
	readonly #listing: () => Promise<FileListing>;

	constructor(
		base: URL,
		fetching: typeof fetch,
		listing: () => Promise<FileListing>,
	) {
		this.#base = base;
		this.#fetch = fetching;
		this.#listing = listing;
	}

	async changes(request: ChangesRequest): Promise<Changes | null> {
		const response = await this.#post("changes", request);
		return (await response.json()) as Changes | null;
	}

	async readObjects(
		ids: readonly string[],
		max_bytes: number,
	): Promise<(Uint8Array | Failure)[]> {
		const response = await this.#post("objects", { ids, max_bytes });
		const read = batchFiles(await response.arrayBuffer(), ids.length);
		return read.map((bytes) => bytes ?? { error: "missing" });
	}

	async #post(what: string, body: object): Promise<Response> {
		const { commits } = await this.#listing();
		if (commits === null) throw new Error(NO_COMMITS);
		const url = new URL(`./${commits}/${what}`, this.#base);
		const response = await this.#fetch(url, {
			method: "POST",
			cache: "no-store",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (response.ok) return response;
		const message = await response.text();
		throw new Error(message.trim() || `${url.href}: ${response.status}`);
	}
}
