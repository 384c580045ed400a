// The packed extension as Open VSX takes it: its own client publishes it to a registry on this machine.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { npmPackages } from "../../js/build/npm-packages.mjs";
import { extension, inRoot } from "../../js/build/paths.mjs";

const VERSION = "1.1.1";
const PACKED = join(extension, "ragnav.vsix");

/** The checks of the client that need no registry. */
interface Client {
	isLicenseOk(folder: string, manifest: object): Promise<boolean>;
	validateManifest(manifest: object): void;
}

let modules: string;
let files: Record<string, Uint8Array>;
before(async () => {
	modules = await npmPackages(`ovsx-${VERSION}`, [`ovsx@${VERSION}`]);
	files = unzipSync(readFileSync(PACKED));
});

function textOf(name: string): string {
	const bytes = files[name];
	assert.ok(bytes, `the package has ${name}`);
	return new TextDecoder().decode(bytes);
}

test("the client of Open VSX accepts the manifest and the licence", async () => {
	const require = createRequire(join(modules, "ovsx", "package.json"));
	const client: Client = require("ovsx");
	const manifest = JSON.parse(textOf("extension/package.json"));
	client.validateManifest(manifest);
	assert.ok(await client.isLicenseOk(extension, manifest));
	assert.throws(() => client.validateManifest({ ...manifest, publisher: "" }));
});

test("the client of Open VSX publishes the package", async (t) => {
	const received: { url: string; body: Buffer }[] = [];
	const registry = createServer(async (request, response) => {
		const url = request.url ?? "";
		if (request.method === "POST") {
			received.push({ url, body: await buffer(request) });
		}
		const { publisher, name, version } = JSON.parse(
			textOf("extension/package.json"),
		);
		const names = { namespace: publisher, name, version };
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ ...names, targetPlatform: "universal" }));
	});
	await once(registry.listen(0, "127.0.0.1"), "listening");
	t.after(() => registry.close());
	const { port } = registry.address() as AddressInfo;
	const { stdout } = await promisify(execFile)(process.execPath, [
		...[join(modules, "ovsx/bin/ovsx"), "publish", PACKED],
		...["--registryUrl", `http://127.0.0.1:${port}`, "--pat", "token"],
	]);
	assert.match(stdout, /Published ragnav\.ragnav v\d/);
	const [{ url, body } = { url: "", body: Buffer.of() }] = received;
	assert.match(url, /^\/api\/-\/publish/);
	assert.ok(body.equals(readFileSync(PACKED)));
});

test("the package has all that a gallery shows", () => {
	const manifest = JSON.parse(textOf("extension/package.json"));
	assert.match(manifest.repository.url, /^git\+https:/);
	assert.match(manifest.engines.vscode, /^\^1\.\d+\.\d+$/);
	const listed = textOf("extension.vsixmanifest");
	for (const asset of ["Details", "Changelog", "License"]) {
		const type = `Microsoft\\.VisualStudio\\.Services\\.Content\\.${asset}`;
		const [, path = ""] =
			new RegExp(`Type="${type}" Path="([^"]+)"`).exec(listed) ?? [];
		assert.ok(textOf(path).length > 500, asset);
	}
	const icon = files[`extension/${manifest.icon}`];
	assert.ok(icon);
	// A gallery takes icons of 128 pixels or more; the width and the height are in the header.
	const header = new DataView(icon.buffer, icon.byteOffset);
	assert.deepEqual([header.getUint32(16), header.getUint32(20)], [128, 128]);
});

test("the pictures of the description are in the repository", () => {
	const manifest = JSON.parse(textOf("extension/package.json"));
	const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
	const pictures = textOf("extension/readme.md").matchAll(
		/!\[[^\]]+\]\((.*)\)/g,
	);
	const urls = [...pictures].map(([, url = ""]) => url);
	assert.ok(urls.length > 0);
	for (const url of urls) {
		const [base, path = ""] = url.split("/raw/HEAD/");
		assert.equal(base, repository);
		assert.ok(existsSync(inRoot(path)), url);
	}
});
