import { once } from "node:events";
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { batchHead, MAX_BATCH_PATHS } from "../../../hosts/shared/batch.js";
import { LISTING_NAME } from "../../../hosts/shared/file-listing.js";
import { pathProblem } from "../../../hosts/shared/relative-path.js";
import { type AppFile, appFiles } from "./app-files.js";
import { BATCH_NAME, type RepositoryFiles } from "./repository-files.js";

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
	"cache-control": "no-store",
};

/** Where the repository is below the page. */
const REPO = "repo/";
const FILES = `${REPO}files/`;
const BATCH = `${REPO}${BATCH_NAME}`;

/** Longer than any list of as many paths. */
const MAX_REQUEST_BYTES = 1024 * 1024;

/** Serves the viewer of a repository; it is for this machine alone, and listens nowhere by itself. */
export function viewerServer(files: RepositoryFiles): Server {
	const app = appFiles();
	return createServer((request, response) => {
		answer(request, response, app, files).catch(() => {
			// Most often a reader that has gone.
			if (response.headersSent) response.destroy();
			else refuse(response, 500);
		});
	});
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
	send(request, response, own);
}

/**
 * Whether a request was made to this machine by its own name. A page elsewhere may have its own name lead here, and would be
 * let in by a server that does not ask what it was called.
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
	const { text, etag } = await files.listing();
	if (request.headers["if-none-match"] === etag) {
		response.writeHead(304, { ...HEADERS, etag }).end();
		return;
	}
	const bytes = Buffer.from(text);
	send(request, response, { type: "application/json", bytes }, { etag });
}

async function sendFile(
	request: IncomingMessage,
	response: ServerResponse,
	files: RepositoryFiles,
	path: string,
): Promise<void> {
	const handle = await files.open(path);
	if (handle === undefined) return refuse(response, 404);
	// As bytes and nothing else: opened by itself, no file of the repository may be a page.
	response.writeHead(200, {
		...HEADERS,
		"content-type": "application/octet-stream",
		"content-disposition": "attachment",
	});
	if (request.method === "HEAD") {
		await handle.close();
		response.end();
		return;
	}
	await pipeline(handle.createReadStream(), response);
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
	response.writeHead(200, { ...HEADERS, "content-type": type });
	for (const path of paths) {
		const bytes = await files.read(path);
		response.write(batchHead(bytes?.length ?? null));
		if (bytes === undefined || response.write(bytes)) continue;
		await once(response, "drain");
	}
	response.end();
}

/** The paths that a request names; `undefined` for any other request, and for one that no page of ours would make. */
async function pathsIn(
	request: IncomingMessage,
): Promise<string[] | undefined> {
	if (request.headers["content-type"] !== "application/json") return undefined;
	let text = "";
	for await (const chunk of request.setEncoding("utf8")) {
		text += chunk;
		if (text.length > MAX_REQUEST_BYTES) return undefined;
	}
	try {
		const paths: unknown = JSON.parse(text);
		if (!Array.isArray(paths) || paths.length > MAX_BATCH_PATHS) {
			return undefined;
		}
		return paths.every((path) => typeof path === "string") ? paths : undefined;
	} catch {
		return undefined;
	}
}

function send(
	{ method }: IncomingMessage,
	response: ServerResponse,
	{ type, bytes }: AppFile,
	more: Record<string, string> = {},
): void {
	const length = String(bytes.length);
	const headers = { ...HEADERS, "content-type": type, ...more };
	response.writeHead(200, { ...headers, "content-length": length });
	response.end(method === "HEAD" ? undefined : bytes);
}

function refuse(response: ServerResponse, status: number): void {
	response.writeHead(status, { ...HEADERS, "content-type": "text/plain" });
	response.end(`${status}\n`);
}
