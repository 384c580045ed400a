// Neovim as a client of `ragnav lsp`, without a window.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import type {
	Hover,
	Location,
	LocationLink,
	MarkupContent,
} from "vscode-languageserver-protocol";
import { neovim } from "../../js/build/neovim.mjs";
import { sourceRepo } from "./index-repo.js";
import { FILES } from "./lsp-client.js";
import { CLI } from "./mcp-client.js";

const SCRIPT = fileURLToPath(new URL("lsp-neovim.lua", import.meta.url));

/** What the script prints. */
interface Seen {
	definition: (LocationLink | Location)[];
	hover: Hover;
	references: Location[];
	renamed: string;
}

test("Neovim goes to definitions, follows unsaved edits, and renames", async (t) => {
	const repo = sourceRepo(t, FILES);
	const program = await neovim();
	const args = ["--headless", "--clean", "-n", "-c", `luafile ${SCRIPT}`];
	const printed = execFileSync(program, args, {
		encoding: "utf8",
		timeout: 60_000,
		env: {
			...process.env,
			HOME: repo,
			LSP_NODE: process.execPath,
			LSP_CLI: CLI,
			LSP_REPO: repo,
		},
	});
	const seen: Seen = JSON.parse(printed);
	const [definition] = seen.definition;
	assert.ok(definition);
	const uri = "uri" in definition ? definition.uri : definition.targetUri;
	assert.equal(uri, pathToFileURL(join(repo, "shop/prices.py")).href);
	const { value } = seen.hover.contents as MarkupContent;
	assert.match(value, /def price_of\(article\):.*read live/s);
	assert.deepEqual(
		seen.references.map(({ range }) => range.start.line),
		[2, 8, 11],
	);
	assert.match(seen.renamed, /sum\(cost_of\(line\)/);
});
