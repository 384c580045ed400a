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

/**
 * The page may run its own scripts and the core, and nothing from elsewhere or from the repository.
 */
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

/** The headers of the repository's files, which the browser must not store. */
const NOT_STORED = { "cache-control": "no-store" };
/** The headers of a file that the browser stores and revalidates by its ETag before each use. */
const REVALIDATED = { "cache-control": "no-cache", vary: "accept-encoding" };
/** The headers of a file that the browser stores for a year without revalidation. */
const IMMUTABLE = {
	"cache-control": "public, max-age=31536000, immutable",
	vary: "accept-encoding",
};

/** The minimum size for compression, from which smaller files gain nothing. */
const MIN_COMPRESSED_BYTES = 1024;

const compressor = new Compressor();

/** The path of the repository below the page. */
const REPO = "repo/";
const FILES = `${REPO}files/`;
const BATCH = `${REPO}${BATCH_NAME}`;
const CHANGES = `${REPO}${COMMITS_NAME}/changes`;
const OBJECTS = `${REPO}${COMMITS_NAME}/objects`;

/** The size of a write: small files are joined, because each write is a chunk and a system call. */
const CHUNK_BYTES = 256 * 1024;

/** The maximum size of a list of {@link MAX_BATCH_PATHS} paths. */
const MAX_REQUEST_BYTES = 1024 * 1024;
/** The maximum size of a request to compare, which has all paths of a repository. */
const MAX_CHANGES_BYTES = 128 * 1024 * 1024;

/**
 * Returns the server of the viewer, which answers this machine only. The caller makes it listen.
 */
export function viewerServer(
	files: RepositoryFiles,
	app: Map<string, AppFile>,
): Server {
	compressAhead(app);
	return createServer((request, response) => {
		answer(request, response, app, files).catch(() => {
			// In most cases the browser has closed the connection.
			if (response.headersSent) response.destroy();
			else refuse(response, 500);
		});
	});
}

/** Compresses the page's files before a browser requests them. */
function compressAhead(app: Map<string, AppFile>): void {
	for (const { bytes } of app.values()) {
		if (bytes.length < MIN_COMPRESSED_BYTES) continue;
		// Sending the file reports the failure.
		compressor.compress(bytes, "br").catch(() => undefined);
	}
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	app: Map<string, AppFile>,
	files: RepositoryFiles,
): Promise<void> {
	if (!hasOwnHost(request)) return refuse(response, 403);
	if (isCrossSite(request) && request.url !== "/") {
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
 * Reports whether the `Host` header names this machine. This prevents DNS rebinding, where the
 * domain of another site resolves to this machine.
 */
function hasOwnHost({ headers, socket }: IncomingMessage): boolean {
	const names = ["127.0.0.1", "localhost"];
	const ours = names.map((name) => `${name}:${socket.localPort}`);
	if (socket.localPort === 80) ours.push(...names);
	return ours.includes(headers.host ?? "");
}

/**
 * Reports whether a page of another site made the request, by `Sec-Fetch-Site`. Such a page may
 * link to the viewer, but load nothing else.
 */
function isCrossSite({ headers }: IncomingMessage): boolean {
	const site = headers["sec-fetch-site"];
	return site !== undefined && site !== "same-origin" && site !== "none";
}

/** Parses the path of a URL; returns `undefined` for one that is not normalized. */
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
	// A file of the repository must never open as a page of this origin.
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

/** Sends many files at once, because a search would else request each by itself. */
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

/** Compares two states. If git cannot, the response has the reason for the page. */
async function sendChanges(
	request: IncomingMessage,
	response: ServerResponse,
	{ commits }: RepositoryFiles,
): Promise<void> {
	const wanted = changesRequestOf(await jsonIn(request, MAX_CHANGES_BYTES));
	if (wanted === undefined) return refuse(response, 400);
	try {
		const text = JSON.stringify(commits.changes(wanted));
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
	const wanted = objectsRequestOf(await jsonIn(request, MAX_REQUEST_BYTES));
	if (wanted === undefined || wanted.ids.length > MAX_BATCH_PATHS) {
		return refuse(response, 400);
	}
	const bytes = commits.objects(wanted.ids, wanted.max_bytes);
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

/** Yields a batch in chunks, each for one write. */
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

/** Parses the paths of a request; returns `undefined` for anything else and for long lists. */
async function pathsIn(
	request: IncomingMessage,
): Promise<string[] | undefined> {
	const paths = await jsonIn(request, MAX_REQUEST_BYTES);
	if (!Array.isArray(paths) || paths.length > MAX_BATCH_PATHS) return undefined;
	return paths.every((path) => typeof path === "string") ? paths : undefined;
}

/** Parses the JSON of a request; returns `undefined` for anything else and above `maxBytes`. */
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

/** Sends a content, compressed if the browser accepts that, or 304 if the browser has stored it. */
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
		// A weak tag, because the bytes of each encoding differ.
		etag: encoding === undefined ? etag : `W/${etag}`,
	});
	response.end(method === "HEAD" ? undefined : content);
}

/** Reports whether `If-None-Match` has the tag of a content, in any encoding. */
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
