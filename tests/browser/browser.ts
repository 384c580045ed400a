// Headless Chromium, and a local server of static files.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import {
	type Browser,
	type BrowserContextOptions,
	chromium as launcher,
	type Page,
} from "playwright-core";
import { chromium } from "../../js/build/chromium.mjs";

/** The arguments that switch off network requests and windows. */
const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

/** Starts a browser. */
export async function launch(): Promise<Browser> {
	const executablePath = await chromium();
	return launcher.launch({ executablePath, args: FLAGS });
}

/** The time in milliseconds that one step of a page may take: long enough for a slow machine. */
const PATIENCE_MS = 300_000;

/** Opens an empty page in a context of its own. */
export async function openPage(
	browser: Browser,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const page = await browser.newPage(options);
	page.setDefaultTimeout(PATIENCE_MS);
	return page;
}

const TYPES: Record<string, string> = {
	".css": "text/css",
	".html": "text/html",
	".js": "text/javascript",
	".json": "application/json",
	".mjs": "text/javascript",
	".svg": "image/svg+xml",
	".wasm": "application/wasm",
};

/** The strictest content security policy under which ragnav works. */
export const POLICY =
	"default-src 'self'; img-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** Serves a folder on loopback. */
export async function serve(folder: string, policy = POLICY) {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? "/", "http://localhost");
		const name = normalize(decodeURIComponent(pathname));
		const file = join(folder, name.endsWith("/") ? `${name}index.html` : name);
		if (!existsSync(file) || !statSync(file).isFile()) {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(200, {
			"content-type": TYPES[extname(file)] ?? "application/octet-stream",
			"content-security-policy": policy,
		});
		createReadStream(file).pipe(response);
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
