import { text } from "node:stream/consumers";
import { pathInRepository, type Repositories } from "./repositories.js";

/** Returns the arguments with their paths as answers have them. */
export function inRepository(
	values: Record<string, unknown>,
	root: Repositories,
) {
	const { file, folder, symbol, place } = values;
	const changed = { ...values };
	if (typeof file === "string") changed.file = pathInRepository(file, root);
	if (typeof folder === "string") {
		changed.folder = pathInRepository(folder, root);
	}
	if (typeof symbol === "string")
		changed.symbol = placeInRepository(symbol, root);
	if (typeof place === "string") changed.place = placeInRepository(place, root);
	return changed;
}

/** Returns the arguments with the receipt that `-` stands for. */
export async function withReceipt(values: Record<string, unknown>) {
	if (values.receipt !== "-") return values;
	return { ...values, receipt: await receiptFromInput() };
}

/** Returns the receipt that standard input has, by itself or in an answer as JSON. */
async function receiptFromInput(): Promise<string> {
	const input = (await text(process.stdin)).trim();
	const [, receipt] = /"receipt":\s*"(r1\.[\w-]+)"/.exec(input) ?? [];
	return receipt ?? input;
}

/** Returns `FILE:LINE:COLUMN` with the path from the root, and any other text as it is. */
function placeInRepository(text: string, root: Repositories): string {
	const [, file, at] = /^(.+?)(:\d+:\d+)$/.exec(text) ?? [];
	if (file === undefined || at === undefined) return text;
	return `${pathInRepository(file, root)}${at}`;
}
