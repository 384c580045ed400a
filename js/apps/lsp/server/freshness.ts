import type { RagToolMeta } from "../../../core/api.js";
import { countWords } from "../../../core/counts.js";
import { describeFreshness } from "../../../core/plain-words.js";

/** Describes in one line how fresh an answer is, as the command line prints it. */
export function freshnessLine(meta: RagToolMeta): string {
	const words = describeFreshness(meta).text.replace(/\.$/, "");
	const { files } = meta;
	if (files === null) return words;
	const skipped = files.skipped === 0 ? "" : `, ${files.skipped} skipped`;
	return `${words} (${countWords(files.graph + files.live, "file")}${skipped})`;
}
