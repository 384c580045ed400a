import type { NavItem } from "../../../core/api.js";
import type { Navigator } from "../../../core/navigator.js";
import { displaySymbol } from "../../../core/plain-words.js";

const MAX_SYMBOLS = 30;
/** The maximum number of rows for a name: two letters may begin thousands of names. */
const MAX_NAME_ROWS = 500;

/** A name that somebody is typing, perhaps after the names around it: `Cart.tot`. */
const NAME = /^(?:[\p{ID_Continue}$]+\.)*([\p{ID_Continue}$]+)$/u;

/** The words after which most languages define a name. */
const KEYWORDS = [
	"class|const|def|enum|fn|func|function|impl|interface",
	"let|mod|module|namespace|static|struct|trait|type|var",
].join("|");

/** Finds definitions whose names begin with a text, then those that have its words. */
export async function matchSymbols(
	nav: Navigator,
	text: string,
	signal: AbortSignal,
): Promise<NavItem[]> {
	const found = await symbolsThatBegin(nav, text, signal);
	if (found.length < MAX_SYMBOLS) {
		const options = { mode: "ranked", limit: MAX_SYMBOLS, signal } as const;
		const { items } = await nav.search(text, options);
		found.push(...items.filter(({ kind }) => kind === "definition"));
	}
	const bySymbol = new Map(found.map((one) => [one.symbol, one]));
	return [...bySymbol.values()].slice(0, MAX_SYMBOLS);
}

/** Finds definitions by the beginnings of their names, the shortest names first. */
async function symbolsThatBegin(
	nav: Navigator,
	text: string,
	signal: AbortSignal,
): Promise<NavItem[]> {
	const [, letters] = NAME.exec(text) ?? [];
	if (letters === undefined) return [];
	const escaped = letters.replaceAll("$", "\\$");
	// Capitals count as in other searches. Keywords have none, so only the name ignores case.
	const isSmall = text === text.toLowerCase();
	const name = `${isSmall ? `(?i:${escaped})` : escaped}\\w*`;
	// A keyword and the name, or the head of a function as in C, Java and JavaScript.
	const pattern = `\\b(?:${KEYWORDS})\\s+${name}|\\b${name}\\s*\\(.*\\{\\s*$`;
	const { items } = await nav.search(pattern, {
		mode: "regex",
		limit: MAX_NAME_ROWS,
		signal,
	});
	const wanted = `.${text.toLowerCase()}`;
	return items
		.filter(({ symbol }) => {
			// On any other line, the symbol is the enclosing definition.
			const at = pathOf(symbol).lastIndexOf(wanted);
			return (
				at >= 0 &&
				!pathOf(symbol)
					.slice(at + wanted.length)
					.includes(".")
			);
		})
		.sort((one, other) => nameLength(one) - nameLength(other));
}

/** Returns the qualified name of a symbol in small letters: `.shop.cart.cart.total`. */
function pathOf(symbol: string | null): string {
	return symbol === null ? "" : `.${displaySymbol(symbol).toLowerCase()}`;
}

function nameLength({ symbol }: NavItem): number {
	const path = pathOf(symbol);
	return path.length - path.lastIndexOf(".");
}
