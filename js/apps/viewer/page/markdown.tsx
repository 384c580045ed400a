import type { SyntaxNode } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";
import type { ComponentChildren } from "preact";
import { fileHash } from "./location.js";

const gfm = parser.configure(GFM);

/** A Markdown text without its HTML, so that the page gets text nodes only. */
export function Markdown({ text }: { text: string }) {
	return <>{blocksOf(gfm.parse(text).topNode, text)}</>;
}

function blocksOf(node: SyntaxNode, text: string): ComponentChildren[] {
	return childrenOf(node).map((child) => blockOf(child, text));
}

function blockOf(node: SyntaxNode, text: string): ComponentChildren {
	const { name, from } = node;
	const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
	// The page itself has the first two levels.
	if (level === "1") return <h3 key={from}>{inlineOf(node, text)}</h3>;
	if (level !== undefined) return <h4 key={from}>{inlineOf(node, text)}</h4>;
	switch (name) {
		case "Paragraph":
			return <p key={from}>{inlineOf(node, text)}</p>;
		case "BulletList":
			return <ul key={from}>{blocksOf(node, text)}</ul>;
		case "OrderedList":
			return <ol key={from}>{blocksOf(node, text)}</ol>;
		case "ListItem":
			return <li key={from}>{blocksOf(node, text)}</li>;
		case "Blockquote":
			return <blockquote key={from}>{blocksOf(node, text)}</blockquote>;
		case "FencedCode":
		case "CodeBlock":
			return <Code key={from} text={codeOf(node, text)} />;
		case "Table":
			return <table key={from}>{tableOf(node, text)}</table>;
		case "HorizontalRule":
			return <hr key={from} />;
		default:
			return null;
	}
}

function Code({ text }: { text: string }) {
	return (
		<pre
			// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
			tabIndex={0}
		>
			{text}
		</pre>
	);
}

function codeOf(node: SyntaxNode, text: string): string {
	return node
		.getChildren("CodeText")
		.map(({ from, to }) => text.slice(from, to))
		.join("");
}

function tableOf(node: SyntaxNode, text: string): ComponentChildren {
	const rows = childrenOf(node).filter(({ name }) => /Header|Row/.test(name));
	return (
		<tbody>
			{rows.map((row) => (
				<tr key={row.from}>
					{row.getChildren("TableCell").map((cell) => (
						<td key={cell.from}>{inlineOf(cell, text)}</td>
					))}
				</tr>
			))}
		</tbody>
	);
}

/** The nodes that are hidden: Markdown's own marks, and HTML. */
const HIDDEN =
	/Mark$|^(?:HTMLTag|HTMLBlock|Comment|LinkLabel|LinkTitle|CodeInfo)$/;

/** Returns the text of a block with its links and emphasis. */
function inlineOf(node: SyntaxNode, text: string): ComponentChildren[] {
	const parts: ComponentChildren[] = [];
	let at = node.from;
	for (const child of childrenOf(node)) {
		parts.push(text.slice(at, child.from), spanOf(child, text));
		at = child.to;
	}
	parts.push(text.slice(at, node.to));
	return parts;
}

function spanOf(node: SyntaxNode, text: string): ComponentChildren {
	const { name, from, to } = node;
	if (HIDDEN.test(name)) return null;
	switch (name) {
		case "StrongEmphasis":
			return <strong key={from}>{inlineOf(node, text)}</strong>;
		case "Emphasis":
			return <em key={from}>{inlineOf(node, text)}</em>;
		case "InlineCode":
			return <code key={from}>{inlineOf(node, text)}</code>;
		case "Link":
			return <Link key={from} node={node} text={text} />;
		case "Image":
			return text.slice(from, to).match(/^!\[([^\]]*)\]/)?.[1] ?? "";
		case "Escape":
			return text.slice(from + 1, to);
		default:
			return text.slice(from, to);
	}
}

function Link({ node, text }: { node: SyntaxNode; text: string }) {
	const url = node.getChild("URL");
	const target = url === null ? "" : text.slice(url.from, url.to);
	const [, label] = node.getChildren("LinkMark");
	const words = inlineOf(node, text).filter(
		(part) => part !== target && part !== null,
	);
	if (label === undefined || target === "" || target.startsWith("#")) {
		return <>{words}</>;
	}
	if (/^https?:\/\//.test(target)) {
		return (
			<a href={target} rel="noreferrer" target="_blank">
				{words}
			</a>
		);
	}
	// Other schemes, such as `javascript:`, would be unsafe.
	if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return <>{words}</>;
	const [path = ""] = target.replace(/^\.?\//, "").split("#");
	return <a href={fileHash(path)}>{words}</a>;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
	const children: SyntaxNode[] = [];
	for (let child = node.firstChild; child; child = child.nextSibling) {
		children.push(child);
	}
	return children;
}
