// A workspace that is not trusted: what its settings name is not used until it is.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { runCommand } from "./steps.js";
import { openWorkbench, type Workbench } from "./workbench.js";

const FILES = {
	"cart.py": "def total(lines):\n    return sum(lines)\n",
	".vscode/settings.json": '{ "ragnav.scip": ["absent.scip"] }',
	".git/HEAD": "ref: refs/heads/main\n",
	".git/refs/heads/main": "0123456789abcdef0123456789abcdef01234567\n",
};

let workbench: Workbench;
let page: Page;
before(async () => {
	workbench = await openWorkbench({ files: FILES, isTrusted: false });
	({ page } = workbench);
});
after(async () => {
	await workbench?.close();
});

const toast = (text: string) =>
	page.locator(".notification-toast", { hasText: text });

/** Returns what the extension says of the index and of SCIP indexes. */
async function freshness(): Promise<string> {
	await runCommand(page, "ragnav: Show Freshness");
	return toast("shop: up to date").innerText();
}

test("the settings of a workspace name SCIP indexes once it is trusted", async () => {
	const restricted = page.locator(".statusbar-item", {
		hasText: "Restricted Mode",
	});
	await restricted.waitFor();
	await runCommand(page, "ragnav: Build Index");
	await toast("shop is indexed, 1 file.").waitFor();
	assert.doesNotMatch(await freshness(), /absent\.scip/);
	await runCommand(page, "Notifications: Clear All Notifications");
	await toast("shop").first().waitFor({ state: "hidden" });
	await runCommand(page, "Workspaces: Manage Workspace Trust");
	await page.getByRole("button", { name: "Trust", exact: true }).click();
	await restricted.waitFor({ state: "hidden" });
	await page.keyboard.press("Escape");
	assert.match(await freshness(), /absent\.scip: not used/);
});
