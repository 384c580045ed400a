import type { KnownLanguage } from "../../../entries/node.js";
import { printable, type View } from "../view.js";
import type { Printed } from "./queries.js";

/** Prints languages as a table. */
export function printLanguages(
	languages: readonly KnownLanguage[],
	view: View,
): Printed {
	const { bold, dim } = view.colors;
	const cells = languages.map((language) => ({
		name: printable(language.name),
		extensions: printable(
			language.extensions.map((end) => `.${end}`).join(" "),
		),
		references: describeReferences(language),
	}));
	const name = widthOf(cells.map((row) => row.name));
	const extensions = widthOf(cells.map((row) => row.extensions));
	const rows = cells.map(
		(row) =>
			`${bold(row.name.padEnd(name))}  ${row.extensions.padEnd(extensions)}  ${dim(row.references)}`,
	);
	const summary = [
		`${languages.length} languages, all with definitions and references.`,
		"Other files are searched as text; `ragnav status` counts them.",
	];
	return { rows, summary };
}

function describeReferences(language: KnownLanguage): string {
	const { references, embeds, is_plugin } = language;
	const scope =
		references === "across_files" ? "resolved across files" : "by name";
	const code = embeds.length === 0 ? "" : ` (embeds ${embeds.join(" or ")})`;
	return `${scope}${printable(code)}${is_plugin ? ", plug-in" : ""}`;
}

function widthOf(texts: readonly string[]): number {
	return Math.max(0, ...texts.map((text) => text.length));
}
