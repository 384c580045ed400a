import { closeSync, createReadStream } from "node:fs";
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../../core/errors.js";
import { batchHead, MAX_BATCH_PATHS } from "../../../hosts/shared/batch.js";
import { LISTING_NAME } from "../../../hosts/shared/file-listing.js";
import { pathProblem } from "../../../hosts/shared/relative-path.js";
import type { AppFile } from "./app-files.js";
import { changesRequestOf, objectsRequestOf } from "./commits.js";
import { Compressor, chooseEncoding } from "./compression.js";
import {
	BATCH_NAME,
	COMMITS_NAME,
	type RepositoryFiles,
} from "./repository-files.js";
import type { UnlinkedFiles } from "./unlinked-files.js";

/** What the page may do: run its own scripts and the core, and nothing that comes from elsewhere or from the repository. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self' 'wasm-unsafe-eval'",
	"worker-src 'self'",
	"connect-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const HEADERS = {
	"content-security-policy": POLICY,
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
};

/** The browser stores nothing of the repository. */
const NOT_STORED = { "cache-control": "no-store" };
/** The browser stores it, and asks by its ETag before each use. */
const REVALIDATED = { "cache-control": "no-cache", vary: "accept-encoding" };
/** The browser stores it for a year and does not ask again. */
const IMMUTABLE = {
	"cache-control": "public, max-age=31536000, immutable",
	vary: "accept-encoding",
};

/** Smaller files gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 1024;

const compressor = new Compressor();

/** Where the repository is below the page. */
const REPO = "repo/";
const FILES = `${REPO}files/`;
const BATCH = `${REPO}${BATCH_NAME}`;
const CHANGES = `${REPO}${COMMITS_NAME}/changes`;
const OBJECTS = `${REPO}${COMMITS_NAME}/objects`;

/** Many small files are written at once, because each write is a chunk and a system call. */
const CHUNK_BYTES = 256 * 1024;

/** Longer than any list of as many paths. */
const MAX_REQUEST_BYTES = 1024 * 1024;
/** Longer than the paths of any repository that is walked whole. */
const MAX_CHANGES_BYTES = 128 * 1024 * 1024;

/** Serves the viewer of a repository; it is for this machine alone, and listens nowhere by itself. */
export function viewerServer(
	files: RepositoryFiles,
	app: Map<string, AppFile>,
): Server {
	compressAhead(app);
	return createServer((request, response) => {
		answer(request, response, app, files).catch(() => {
			// Most often a reader that has gone.
			if (response.headersSent) response.destroy();
			else refuse(response, 500);
		});
	});
}

/** Compresses the page before a browser asks for it. */
function compressAhead(app: Map<string, AppFile>): void {
	for (const { bytes } of app.values()) {
		if (bytes.length < MIN_COMPRESSED_BYTES) continue;
		// A failure shows itself when the file is sent.
		compressor.compress(bytes, "br").catch(() => undefined);
	}
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	app: Map<string, AppFile>,
	files: RepositoryFiles,
): Promise<void> {
	if (!isToUs(request)) return refuse(response, 403);
	if (isFromElsewhere(request) && request.url !== "/") {
		return refuse(response, 403);
	}
	if (request.method === "POST" && request.url === `/${BATCH}`) {
		return sendBatch(request, response, files);
	}
	if (request.method === "POST" && request.url === `/${CHANGES}`) {
		return sendChanges(request, response, files);
	}
	if (request.method === "POST" && request.url === `/${OBJECTS}`) {
		return sendObjects(request, response, files);
	}
	if (request.method !== "GET" && request.method !== "HEAD") {
		return refuse(response, 405);
	}
	const path = pathOf(request.url ?? "/");
	if (path === undefined) return refuse(response, 400);
	if (path === REPO + LISTING_NAME) {
		return sendListing(request, response, files);
	}
	if (path.startsWith(FILES)) {
		return sendFile(request, response, files, path.slice(FILES.length));
	}
	const own = app.get(path === "" ? "index.html" : path);
	if (own === undefined) return refuse(response, 404);
	const caching = own.isImmutable ? IMMUTABLE : REVALIDATED;
	await send(request, response, own, caching);
}

/**
 * Whether a request was made to this machine by its own name. A page elsewhere may have its own
 * name lead here, and would be let in by a server that does not ask what it was called.
 */
function isToUs({ headers, socket }: IncomingMessage): boolean {
	const names = ["127.0.0.1", "localhost"];
	const ours = names.map((name) => `${name}:${socket.localPort}`);
	if (socket.localPort === 80) ours.push(...names);
	return ours.includes(headers.host ?? "");
}

/** Whether another site's page asks, as browsers say. It may lead to the viewer, as any link does, and to nothing beyond. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
	const site = headers["sec-fetch-site"];
	return site !== undefined && site !== "same-origin" && site !== "none";
}

/** The path as it was asked for, never normalised: what is not normal is refused. */
function pathOf(url: string): string | undefined {
	const [raw = ""] = url.split(/[?#]/, 1);
	if (!raw.startsWith("/")) return undefined;
	try {
		const path = decodeURIComponent(raw.slice(1));
		return pathProblem(path.replace(/\/$/, "")) === null ? path : undefined;
	} catch {
		return undefined;
	}
}

async function sendListing(
	request: IncomingMessage,
	response: ServerResponse,
	files: RepositoryFiles,
): Promise<void> {
	const { bytes, etag } = await files.listing();
	const type = "application/json";
	await send(request, response, { type, bytes, etag }, NOT_STORED);
}

async function sendFile(
	request: IncomingMessage,
	response: ServerResponse,
	files: RepositoryFiles,
	path: string,
): Promise<void> {
	const opened = (await files.openable([path])).open(path);
	if (opened === undefined) return refuse(response, 404);
	// As bytes and nothing else: opened by itself, no file of the repository may be a page.
	response.writeHead(200, {
		...HEADERS,
		...NOT_STORED,
		"content-type": "application/octet-stream",
		"content-disposition": "attachment",
	});
	if (request.method === "HEAD") {
		closeSync(opened);
		response.end();
		return;
	}
	await pipeline(createReadStream(path, { fd: opened }), response);
}

/** Many files at once: a page that searches would else ask for each by itself. */
async function sendBatch(
	request: IncomingMessage,
	response: ServerResponse,
	files: RepositoryFiles,
): Promise<void> {
	const paths = await pathsIn(request);
	if (paths === undefined) return refuse(response, 400);
	const type = "application/octet-stream";
	response.writeHead(200, {
		...HEADERS,
		...NOT_STORED,
		"content-type": type,
	});
	const openable = await files.openable(paths);
	await pipeline(Readable.from(batchChunks(openable, paths)), response);
}

/** Compares two states. The page reads why git cannot. */
async function sendChanges(
	request: IncomingMessage,
	response: ServerResponse,
	{ commits }: RepositoryFiles,
): Promise<void> {
	const asked = changesRequestOf(await jsonIn(request, MAX_CHANGES_BYTES));
	if (asked === undefined) return refuse(response, 400);
	try {
		const text = JSON.stringify(commits.changes(asked));
		sendText(response, 200, "application/json", text);
	} catch (error) {
		sendText(response, 500, "text/plain", messageOf(error));
	}
}

async function sendObjects(
	request: IncomingMessage,
	response: ServerResponse,
	{ commits }: RepositoryFiles,
): Promise<void> {
	const asked = objectsRequestOf(await jsonIn(request, MAX_REQUEST_BYTES));
	if (asked === undefined || asked.ids.length > MAX_BATCH_PATHS) {
		return refuse(response, 400);
	}
	const bytes = commits.objects(asked.ids, asked.max_bytes);
	sendText(response, 200, "application/octet-stream", bytes);
}

function sendText(
	response: ServerResponse,
	status: number,
	type: string,
	content: string | Buffer,
): void {
	const headers = { ...HEADERS, ...NOT_STORED, "content-type": type };
	response.writeHead(status, headers);
	response.end(content);
}

/** Yields a batch in chunks, each of which the server writes at once. */
function* batchChunks(files: UnlinkedFiles, paths: string[]) {
	let gathered: Uint8Array[] = [];
	let size = 0;
	for (const path of paths) {
		const bytes = files.read(path);
		gathered.push(batchHead(bytes?.length ?? null), bytes ?? new Uint8Array());
		size += bytes?.length ?? 0;
		if (size < CHUNK_BYTES) continue;
		yield Buffer.concat(gathered);
		gathered = [];
		size = 0;
	}
	if (gathered.length > 0) yield Buffer.concat(gathered);
}

/** The paths that a request names; `undefined` for any other request, and for one that no page of ours would make. */
async function pathsIn(
	request: IncomingMessage,
): Promise<string[] | undefined> {
	const paths = await jsonIn(request, MAX_REQUEST_BYTES);
	if (!Array.isArray(paths) || paths.length > MAX_BATCH_PATHS) return undefined;
	return paths.every((path) => typeof path === "string") ? paths : undefined;
}

/** Returns the JSON of a request; `undefined` for anything else, and above a size. */
async function jsonIn(
	request: IncomingMessage,
	maxBytes: number,
): Promise<unknown> {
	if (request.headers["content-type"] !== "application/json") return undefined;
	let text = "";
	for await (const chunk of request.setEncoding("utf8")) {
		text += chunk;
		if (text.length > maxBytes) return undefined;
	}
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Sends a content, compressed if the browser accepts that, or 304 if the browser has it. */
async function send(
	{ method, headers }: IncomingMessage,
	response: ServerResponse,
	{ type, bytes, etag }: Pick<AppFile, "type" | "bytes" | "etag">,
	caching: Record<string, string>,
): Promise<void> {
	if (hasTag(headers["if-none-match"], etag)) {
		response.writeHead(304, { ...HEADERS, ...caching, etag }).end();
		return;
	}
	const isSmall = bytes.length < MIN_COMPRESSED_BYTES;
	const encoding = isSmall
		? undefined
		: chooseEncoding(headers["accept-encoding"]);
	const content =
		encoding === undefined ? bytes : await compressor.compress(bytes, encoding);
	response.writeHead(200, {
		...HEADERS,
		...caching,
		...(encoding !== undefined && { "content-encoding": encoding }),
		"content-type": type,
		"content-length": String(content.length),
		// The tag of the content, so weak: each encoding has other bytes.
		etag: encoding === undefined ? etag : `W/${etag}`,
	});
	response.end(method === "HEAD" ? undefined : content);
}

/** Reports whether `If-None-Match` names a content, in any encoding of it. */
function hasTag(known: string | undefined, etag: string): boolean {
	const tags = (known ?? "").split(",").map((tag) => tag.trim());
	return tags.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}

function refuse(response: ServerResponse, status: number): void {
	response.writeHead(status, {
		...HEADERS,
		...NOT_STORED,
		"content-type": "text/plain",
	});
	response.end(`${status}\n`);
}
