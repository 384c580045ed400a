import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The page's colours, which follow its theme. */
const colours = HighlightStyle.define([
	{
		tag: [tags.keyword, tags.modifier, tags.operatorKeyword],
		color: "var(--code-keyword)",
	},
	{
		tag: [tags.string, tags.special(tags.string), tags.regexp],
		color: "var(--code-string)",
	},
	{
		tag: [tags.comment, tags.docComment],
		color: "var(--code-comment)",
		fontStyle: "italic",
	},
	{
		tag: [tags.number, tags.bool, tags.null, tags.atom],
		color: "var(--code-number)",
	},
	{
		tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
		color: "var(--code-function)",
	},
	{
		tag: [tags.className, tags.typeName, tags.tagName],
		color: "var(--code-type)",
	},
	{
		tag: [tags.meta, tags.attributeName, tags.propertyName],
		color: "var(--code-name)",
	},
	{ tag: tags.heading, color: "var(--code-keyword)", fontWeight: "bold" },
	{ tag: [tags.link, tags.url], color: "var(--code-string)" },
	{ tag: tags.emphasis, fontStyle: "italic" },
	{ tag: tags.strong, fontWeight: "bold" },
]);

export const sourceTheme = [
	syntaxHighlighting(colours),
	EditorView.theme({
		"&": {
			height: "100%",
			fontSize: "13px",
			color: "var(--text)",
			backgroundColor: "var(--surface)",
		},
		"&.cm-focused": {
			outline: "2px solid var(--focus)",
			outlineOffset: "-2px",
		},
		".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
		".cm-content": { caretColor: "var(--text)" },
		".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
		".cm-gutters": {
			backgroundColor: "var(--surface)",
			color: "var(--quiet)",
			borderRight: "1px solid var(--line)",
		},
		".cm-activeLine": { backgroundColor: "var(--active-line)" },
		".cm-activeLineGutter": {
			backgroundColor: "var(--active-line)",
			color: "var(--text)",
		},
		".cm-shown-line": { backgroundColor: "var(--shown-line)" },
		".cm-tooltip": {
			backgroundColor: "var(--raised)",
			color: "var(--text)",
			border: "1px solid var(--line)",
			borderRadius: "4px",
			padding: "4px 8px",
			maxWidth: "520px",
		},
		"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
			{ backgroundColor: "var(--selection)" },
	}),
];
