import type {
	SymbolInformation,
	WorkspaceSymbolParams,
} from "vscode-languageserver";
import { displaySymbol, type NavItem } from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { invalidParams, succeeded } from "../failures.js";
import type { Feature } from "../feature.js";
import { FilesOfRequest } from "../files-of-request.js";
import type { Repository } from "../repository.js";
import { fromEach, type Session } from "../session.js";
import { containerOfSymbol, nameOfSymbol, SYMBOL_KINDS } from "../symbols.js";

/** The lines of a repository that are looked at. */
const MAX_LINES = 5000;
/** The symbols of a repository that are listed. */
const MAX_SYMBOLS = 200;

/** Finds the definitions of the workspace whose name has a text in it. */
export const WORKSPACE_SYMBOLS: Feature = {
	capabilities: () => ({ workspaceSymbolProvider: { workDoneProgress: true } }),
	register: ({ connection, handler }) => {
		connection.onWorkspaceSymbol(handler("Finding symbols", findSymbols));
	},
};

async function findSymbols(
	session: Session,
	{ query }: WorkspaceSymbolParams,
	call: CallOptions,
): Promise<SymbolInformation[]> {
	if (typeof query !== "string") throw invalidParams("query must be a text");
	// An empty query asks for all symbols, which may be very many.
	if (query.trim() === "") return [];
	const search = (repository: Repository) =>
		symbolsOf(repository, query.trim(), call);
	return (await fromEach(session, search)).flat();
}

/** A line that may begin a definition with a fitting name. */
interface Candidate {
	symbol: string;
	row: NavItem;
}

async function symbolsOf(
	repository: Repository,
	query: string,
	call: CallOptions,
): Promise<SymbolInformation[]> {
	const files = new FilesOfRequest(repository, call);
	const { items } = succeeded(
		await repository.nav.search(lastWord(query), {
			case_sensitive: false,
			limit: MAX_LINES,
			...call,
		}),
	);
	const wanted = query.toLowerCase();
	const candidates = items.flatMap((row): Candidate[] => {
		const { symbol } = row;
		return symbol !== null && hasText(symbol, wanted) ? [{ symbol, row }] : [];
	});
	const symbols: SymbolInformation[] = [];
	for (const candidate of byFit(candidates, wanted)) {
		const symbol = await symbolAt(files, candidate);
		if (symbol !== undefined) symbols.push(symbol);
		if (symbols.length === MAX_SYMBOLS) break;
	}
	return symbols;
}

/** Returns the definition whose name is on the line of a row. */
async function symbolAt(
	files: FilesOfRequest,
	{ symbol, row }: Candidate,
): Promise<SymbolInformation | undefined> {
	const item = await files.definitionAround(row.file, row.line, symbol);
	if (item === undefined) return undefined;
	const { uri, name } = await files.place(item);
	if (name.start.line !== row.line - 1) return undefined;
	return {
		name: item.name,
		kind: SYMBOL_KINDS[item.kind],
		location: { uri, range: name },
		containerName: containerOfSymbol(symbol),
	};
}

/** The part of `Cart.total` that stands on the line of the definition. */
function lastWord(query: string): string {
	return query.split(/[.:/#\s]+/).findLast((word) => word !== "") ?? query;
}

function hasText(symbol: string, wanted: string): boolean {
	const [name, whole] = [nameOfSymbol(symbol), displaySymbol(symbol)];
	const isQualified = lastWord(wanted) !== wanted;
	const text = isQualified ? whole : name;
	return text.toLowerCase().includes(wanted);
}

/** Sorts equal names before longer ones, and names that begin with the text before others. */
function byFit(candidates: Candidate[], wanted: string): Candidate[] {
	const rank = ({ symbol }: Candidate) => {
		const name = nameOfSymbol(symbol).toLowerCase();
		const word = lastWord(wanted);
		if (name === word) return 0;
		return name.startsWith(word) ? 1 : 2;
	};
	return candidates.toSorted((a, b) => rank(a) - rank(b));
}
