/** Bars as SVG, for light and dark pages. */

/** @typedef {{ label: string, value: number, shown: string, isOwn: boolean }} Bar */
/**
 * @typedef {{ title: string, full: number, bars: Bar[] }} Cluster bars that are compared with one
 * another, and the value that fills the width
 */

const WIDTH = 760;
const LABEL_WIDTH = 200;
const VALUE_WIDTH = 80;
const BAR_HEIGHT = 16;
const ROW_HEIGHT = 20;
const TITLE_HEIGHT = 26;
const HEAD_HEIGHT = 34;

const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.head { font-size: 15px; font-weight: 600 }
.title { font-weight: 600; fill: #59636e }
.own { fill: #0969da }
.peer { fill: #afb8c1 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.title { fill: #9198a1 }
.own { fill: #4493f8 }
.peer { fill: #656c76 }
}`;

/**
 * Draws clusters of horizontal bars.
 *
 * @param {string} head
 * @param {Cluster[]} clusters
 */
export function barChart(head, clusters) {
	const parts = [];
	let y = HEAD_HEIGHT;
	for (const { title, full, bars } of clusters) {
		parts.push(textAt(0, y + BAR_HEIGHT, title, "title"));
		y += TITLE_HEIGHT;
		for (const bar of bars) {
			parts.push(...barAt(y, bar, full));
			y += ROW_HEIGHT;
		}
	}
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 4}" width="${WIDTH}" role="img" aria-label="${escaped(head)}">`,
		`<style>${STYLE}</style>`,
		textAt(0, 18, head, "head"),
		...parts,
		"</svg>",
		"",
	].join("\n");
}

/**
 * @param {number} y
 * @param {Bar} bar
 * @param {number} full
 */
function barAt(y, { label, value, shown, isOwn }, full) {
	const room = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
	const width = full === 0 ? 0 : (value / full) * room;
	const kind = isOwn ? "own" : "peer";
	return [
		textAt(12, y + 13, label),
		`<rect class="${kind}" x="${LABEL_WIDTH}" y="${y}" width="${Math.max(1, width).toFixed(1)}" height="${BAR_HEIGHT}"/>`,
		textAt(LABEL_WIDTH + Math.max(1, width) + 6, y + 13, shown),
	];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} [kind]
 */
function textAt(x, y, text, kind) {
	const style = kind ? ` class="${kind}"` : "";
	return `<text${style} x="${x.toFixed(1)}" y="${y}">${escaped(text)}</text>`;
}

/** @param {string} text */
const escaped = (text) =>
	text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll('"', "&quot;");
