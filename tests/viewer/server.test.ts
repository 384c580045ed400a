// The viewer's server, with raw requests that no browser sends.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fetchHost } from "#ragnav/hosts/fetch";
import {
	newRepo,
	type Repo,
	ragnav,
	raw,
	type Viewer,
	viewer,
} from "./repository.js";

let repo: Repo;
let served: Viewer;
before(async () => {
	repo = newRepo();
	served = await viewer(repo.folder);
});
after(async () => {
	assert.equal(await served?.close(), 0);
	repo?.remove();
});

const get = (path: string, headers?: Record<string, string>) =>
	raw(served.port, path, headers ? { headers } : {});

test("the listing has exactly the files of ragnav's walk", async () => {
	const { status, text, headers } = await get("/repo/ragnav-files.json");
	assert.equal(status, 200);
	const paths = JSON.parse(text).files.map(
		({ path }: { path: string }) => path,
	);
	assert.ok(paths.includes("shop/cart.py"));
	for (const absent of ["ignored.txt", ".hidden", ".gitignore", "link.txt"]) {
		assert.ok(!paths.includes(absent), absent);
	}
	assert.ok(!paths.some((path: string) => path.startsWith("linked")));
	const { etag = "" } = headers;
	const again = await get("/repo/ragnav-files.json", {
		"if-none-match": String(etag),
	});
	assert.equal(again.status, 304);
});

test("files of the repository are served as downloads, under a strict policy", async () => {
	const { status, headers, text } = await get("/repo/files/shop/cart.py");
	assert.equal(status, 200);
	assert.match(text, /class Cart/);
	assert.equal(headers["content-type"], "application/octet-stream");
	assert.equal(headers["content-disposition"], "attachment");
	assert.equal(headers["x-content-type-options"], "nosniff");
	const policy = String(headers["content-security-policy"]);
	assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)/);
	assert.equal(headers["access-control-allow-origin"], undefined);
});

test("paths outside of the listing are refused in every spelling", async () => {
	for (const path of [
		"/repo/files/../secret.txt",
		"/repo/files/../../secret.txt",
		"/repo/files/%2e%2e/secret.txt",
		"/repo/files/..%2fsecret.txt",
		"/repo/files/shop/../../../secret.txt",
		"/repo/files/shop/%2e%2e/%2e%2e/%2e%2e/secret.txt",
		`/repo/files/${repo.secret}`,
		`/repo/files/${encodeURIComponent(repo.secret)}`,
		"/repo/files/link.txt",
		"/repo/files/linked/secret.txt",
		"/repo/files/.hidden",
		"/repo/files/ignored.txt",
		"/repo/files/.gitignore",
		"/repo/files/.git/config",
		"/repo/files/.git/HEAD",
		"/repo/files/shop",
		"/repo/files/",
		"/repo/files/shop/cart.py%00.txt",
		"/repo/files/%ff",
		"/repo/files//shop/cart.py",
		"/../cli.js",
		"/..%2fesm%2fcli.js",
		"/package.json",
	]) {
		const { status, text } = await get(path);
		assert.ok(status === 400 || status === 404, `${path}: ${status}`);
		assert.doesNotMatch(text, /needle|secret/, path);
	}
});

async function batchOf(paths: string[]): Promise<string> {
	const { text } = await raw(served.port, "/repo/batch", {
		method: "POST",
		body: JSON.stringify(paths),
		headers: { "content-type": "application/json" },
	});
	return text;
}

test("a file that becomes a link, or is behind one, is refused", async () => {
	repo.put("later/file.txt", "as it was\n");
	await get("/repo/ragnav-files.json");
	assert.equal((await get("/repo/files/later/file.txt")).text, "as it was\n");
	const file = join(repo.folder, "later/file.txt");
	unlinkSync(file);
	symlinkSync(repo.secret, file);
	assert.equal((await get("/repo/files/later/file.txt")).status, 404);
	assert.doesNotMatch(await batchOf(["later/file.txt"]), /needle/);
	renameSync(join(repo.folder, "later"), join(repo.folder, "moved"));
	unlinkSync(join(repo.folder, "moved/file.txt"));
	writeFileSync(join(repo.folder, "moved/file.txt"), "inside\n");
	symlinkSync(join(repo.folder, "moved"), join(repo.folder, "later"));
	assert.equal((await get("/repo/files/later/file.txt")).status, 404);
	assert.doesNotMatch(await batchOf(["later/file.txt"]), /inside/);
	unlinkSync(join(repo.folder, "later"));
});

test("requests for other host names and from other sites are refused", async () => {
	for (const host of [
		"example.com",
		"example.com:80",
		"127.0.0.1",
		"[::1]",
		"localhost",
	]) {
		assert.equal((await get("/", { host })).status, 403, host);
	}
	for (const name of ["127.0.0.1", "localhost"]) {
		const host = `${name}:${served.port}`;
		assert.equal((await get("/", { host })).status, 200, host);
	}
	for (const site of ["cross-site", "same-site"]) {
		const headers = { "sec-fetch-site": site };
		for (const path of ["/repo/ragnav-files.json", "/repo/files/README.md"]) {
			assert.equal((await get(path, headers)).status, 403, path);
		}
		assert.equal((await get("/", headers)).status, 200);
	}
	for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
		const { status } = await raw(served.port, "/", { method });
		assert.equal(status, 405, method);
	}
});

test("a batch has only files of the listing", async () => {
	const post = (body: string, type = "application/json") =>
		raw(served.port, "/repo/batch", {
			method: "POST",
			body,
			headers: { "content-type": type },
		});
	const paths = ["../secret.txt", "link.txt", "linked/secret.txt", ".hidden"];
	const { status, text } = await post(JSON.stringify(paths));
	assert.equal(status, 200);
	assert.doesNotMatch(text, /needle|secret/);
	const good = await post(JSON.stringify(["shop/till.py"]));
	assert.match(good.text, /def pay/);
	assert.equal((await post("[]", "text/plain")).status, 400);
	assert.equal((await post("{")).status, 400);
	assert.equal((await post(JSON.stringify([1]))).status, 400);
	assert.equal((await post(JSON.stringify(Array(300).fill("a")))).status, 400);
});

test("hosts/fetch reads the served files, also after an edit", async () => {
	const host = fetchHost(`${served.url}repo/`);
	await host.gitHead();
	const options = { max_bytes: 1e6 };
	const paths = ["shop/prices.py", "shop", "missing.py", "../secret.txt"];
	const [prices, ...others] = await host.readMany(paths, options);
	assert.ok(prices instanceof Uint8Array);
	assert.deepEqual(
		others.map((one) => "error" in one && one.error),
		["io", "missing", "denied"],
	);
	const [small] = await host.readMany(["shop/prices.py"], { max_bytes: 3 });
	assert.deepEqual(small, { error: "too_large" });
	const [before] = await host.stat(["shop/till.py"]);
	repo.put("shop/till.py", "def pay(cart):\n    return 0\n");
	await host.gitHead();
	const [now] = await host.stat(["shop/till.py"]);
	assert.notDeepEqual(now, before);
	const [bytes] = await host.readMany(["shop/till.py"], options);
	assert.match(new TextDecoder().decode(bytes as Uint8Array), /return 0/);
});

test("hosts/fetch validates the listing", async () => {
	const listing = (more: object) => ({
		version: 1,
		folder: "",
		files: [{ path: "a.py", size: 1, stamp: "1" }],
		...more,
	});
	for (const bad of [
		listing({ version: 2 }),
		listing({ folder: "../" }),
		listing({ folder: "https://example.com/" }),
		listing({ batch: "../../batch" }),
		listing({ batch: "//example.com/batch" }),
		listing({ commits: "../commits" }),
		listing({ files: [{ path: "../a", size: 1, stamp: "1" }] }),
		listing({ files: [{ path: "a" }] }),
		listing({ files: null }),
		[],
	]) {
		const host = fetchHost("http://127.0.0.1:1/", {
			fetch: async () => new Response(JSON.stringify(bad)),
		});
		await assert.rejects(host.gitHead(), /cannot be used/);
	}
});

test("--out creates files, and replaces only its own", () => {
	const out = join(repo.folder, "..", "site");
	const write = (folder: string) =>
		ragnav(["viewer", "--repo", repo.folder, "--out", folder]);
	const first = write(out);
	assert.equal(first.status, 0, first.stderr);
	assert.match(first.stdout, /files/);
	const inside = readFileSync(join(out, "repo/files/shop/cart.py"), "utf8");
	assert.match(inside, /class Cart/);
	assert.ok(!existsSync(join(out, "repo/files/link.txt")));
	assert.ok(!existsSync(join(out, "repo/files/.hidden")));
	assert.equal(write(out).status, 0);
	const foreign = join(repo.folder, "..", "foreign");
	mkdirSync(foreign);
	writeFileSync(join(foreign, "keep.txt"), "kept");
	const refused = write(foreign);
	assert.equal(refused.status, 2);
	assert.match(refused.stderr, /is not empty/);
	assert.equal(readFileSync(join(foreign, "keep.txt"), "utf8"), "kept");
	assert.match(write(repo.folder).stderr, /holds the repository/);
});

test("a folder that cannot be served is reported", () => {
	const missing = ragnav(["viewer", "--repo", join(repo.folder, "missing")]);
	assert.equal(missing.status, 2);
	assert.match(missing.stderr, /REPO_NOT_FOUND/);
	const taken = ragnav(["viewer", "--port", String(served.port)]);
	assert.equal(taken.status, 2);
	assert.match(taken.stderr, /is taken/);
	assert.equal(ragnav(["viewer", "--port", "99999"]).status, 2);
	assert.equal(ragnav(["viewer", "--out", "x", "--open"]).status, 2);
});

test("the listing has the files of the index", async () => {
	const built = ragnav(["build-graph", "--repo", repo.folder]);
	assert.equal(built.status, 0, built.stderr);
	const items: { file: string }[] = JSON.parse(
		ragnav(["status", "--repo", repo.folder, "--json"]).stdout,
	).items;
	const { text } = await get("/repo/ragnav-files.json");
	const listed: { path: string }[] = JSON.parse(text).files;
	const paths = listed.map(({ path }) => path);
	const own = paths.filter((path) => !path.startsWith(".llmc/"));
	assert.deepEqual(own, items.map(({ file }) => file).sort());
	assert.ok(paths.includes(".llmc/rag/facts.bin"));
});

test("the page is compressed, and revalidated by its hash", async () => {
	const core = (headers: Record<string, string>) =>
		raw(served.port, "/core.wasm", { method: "HEAD", headers });
	const plain = await core({});
	const size = Number(plain.headers["content-length"]);
	assert.equal(plain.headers["content-encoding"], undefined);
	for (const encoding of ["br", "gzip"]) {
		const accepts = { "accept-encoding": `identity, ${encoding};q=0.8` };
		const { headers } = await core(accepts);
		assert.equal(headers["content-encoding"], encoding);
		assert.ok(Number(headers["content-length"]) < size / 2, encoding);
		assert.equal(headers.vary, "accept-encoding");
		assert.equal(headers["cache-control"], "no-cache");
		const tag = { ...accepts, "if-none-match": String(headers.etag) };
		const again = await core(tag);
		assert.equal(again.status, 304);
		assert.equal(again.headers.etag, plain.headers.etag);
	}
	assert.equal((await core({ "if-none-match": '"other"' })).status, 200);
	const refused = await core({ "accept-encoding": "br;q=0, gzip;q=0.0" });
	assert.equal(refused.headers["content-encoding"], undefined);
});

test("chunks with a hash in their name are cached for a year", async () => {
	const { text } = await get("/worker.js");
	const [chunk = ""] = /shared-[A-Z0-9]{8}\.js/.exec(text) ?? [];
	const { headers } = await get(`/${chunk}`);
	assert.match(String(headers["cache-control"]), /max-age=31536000, immutable/);
	const file = await get("/repo/files/shop/cart.py");
	assert.equal(file.headers["cache-control"], "no-store");
});

test("commits are compared, and only the files that differ can be read", async () => {
	const own = newRepo();
	const commits = await viewer(own.folder);
	const host = fetchHost(`${commits.url}repo/`);
	const head = { from: "HEAD", to: null, paths: [], unsaved: [] };
	const post = (what: string, body: unknown) =>
		raw(commits.port, `/repo/commits/${what}`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		});
	try {
		own.put("shop/prices.py", "def price_of(article, vat):\n    return 1\n");
		const paths = ["shop/prices.py", "shop/cart.py"];
		const changes = await host.changes?.({ ...head, paths });
		const [file, ...others] = changes?.files ?? [];
		assert.equal(file?.path, "shop/prices.py");
		assert.deepEqual(others, []);
		const cart = execFileSync(
			"git",
			["-C", own.folder, "rev-parse", "HEAD:shop/cart.py"],
			{ encoding: "utf8" },
		).trim();
		const read = await host.readObjects?.([String(file?.before), cart], {
			max_bytes: 1000,
		});
		assert.match(new TextDecoder().decode(read?.[0] as Uint8Array), /PRICES/);
		assert.deepEqual(read?.[1], { error: "missing" });
		assert.equal(await host.changes?.({ ...head, from: "nowhere" }), null);
		for (const [what, body] of [
			["changes", { from: "HEAD" }],
			["changes", null],
			["objects", { ids: [cart] }],
			["objects", { ids: Array(1000).fill(cart), max_bytes: 1 }],
		] as const) {
			assert.equal((await post(what, body)).status, 400);
		}
		const elsewhere = await raw(commits.port, "/repo/commits/changes", {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"sec-fetch-site": "cross-site",
			},
			body: JSON.stringify(head),
		});
		assert.equal(elsewhere.status, 403);
	} finally {
		await commits.close();
		own.remove();
	}
});
