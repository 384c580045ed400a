import type { AskAnswer } from "../answers.js";

/** Formats passages, each with its place and its text. */
export function passagesText({ items, omitted }: AskAnswer): string[] {
	const lines = items.flatMap((passage) => {
		const { citation, about, title, id } = passage;
		const place =
			citation === null
				? title || id
				: `${citation.path}:${citation.start_line}-${citation.end_line}`;
		const name = citation?.heading ? `  ${citation.heading}` : "";
		const head = `${place}${name}  ${about}`;
		return "content" in passage
			? [head, passage.content.trimEnd(), ""]
			: [head];
	});
	return omitted > 0 ? [...lines, `… and ${omitted} that do not fit`] : lines;
}
