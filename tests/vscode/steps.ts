// What a person does in the workbench, by clicks and keys.
import type { Locator, Page } from "playwright-core";

const INPUT = ".quick-input-widget input[type=text]";

/** Runs a command of the palette, with inputs for its prompts. */
export async function runCommand(
	page: Page,
	title: string,
	...answers: string[]
): Promise<void> {
	await page.keyboard.press("F1");
	const input = page.locator(INPUT);
	await input.fill(`>${title}`);
	const named = new RegExp(`^${title}(,|$)`);
	await page.getByRole("option", { name: named }).first().click();
	for (const answer of answers) {
		await input.fill(answer);
		await page.keyboard.press("Enter");
	}
}

/** Opens the editor's quick input by a key, and chooses what has a text. */
export async function chooseQuickly(
	page: Page,
	key: string,
	text: string,
	chosen: string | RegExp,
): Promise<void> {
	await page.keyboard.press(key);
	await page.locator(INPUT).fill(text);
	const rows = page.locator(".quick-input-list .monaco-list-row");
	await rows.filter({ hasText: chosen }).first().click();
}

/** Returns a view by its name. */
export function paneOf(page: Page, name: string): Locator {
	return page.locator(`.pane:has(.pane-header[aria-label*="${name}"])`);
}

/** Returns a row of a view by its text. */
export function rowOf(view: Locator, text: string | RegExp): Locator {
	return view.locator(".monaco-list-row", { hasText: text }).first();
}
