import type {
	SymbolInformation,
	WorkspaceSymbolParams,
} from "vscode-languageserver";
import {
	displaySymbol,
	type NavItem,
	type OutlineItem,
} from "../../../../core/api.js";
import type { CallOptions } from "../../../../core/driver.js";
import { invalidParams, succeeded } from "../failures.js";
import type { Feature } from "../feature.js";
import { FilesOfRequest, flattened } from "../files-of-request.js";
import type { Repository } from "../repository.js";
import { fromEach, type Session } from "../session.js";
import { containerOfSymbol, nameOfSymbol, SYMBOL_KINDS } from "../symbols.js";

/** The lines of a repository that are looked at. */
const MAX_LINES = 5000;
/** The files of a repository that are looked at for its first symbols. */
const MAX_FILES = 1000;
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
	const wanted = query.trim();
	// An empty query asks for all symbols.
	const find = (repository: Repository) =>
		wanted === ""
			? firstSymbols(repository, call)
			: fittingSymbols(repository, wanted, call);
	return (await fromEach(session, find)).flat();
}

/** Returns the first symbols of a repository, by file and line. */
async function firstSymbols(
	repository: Repository,
	call: CallOptions,
): Promise<SymbolInformation[]> {
	const files = new FilesOfRequest(repository, call);
	const { items } = succeeded(
		await repository.nav.files({ limit: MAX_FILES, ...call }),
	);
	const parsed = items.filter((row) => row.language !== null && !row.skipped);
	const found: OutlineItem[] = [];
	for (const { file } of parsed) {
		const answer = await repository.nav.outline(file, call);
		// Such as a binary file.
		if (answer.meta.error_code === "FILE_UNREADABLE") continue;
		found.push(...flattened(succeeded(answer).items));
		if (found.length >= MAX_SYMBOLS) break;
	}
	const first = found.slice(0, MAX_SYMBOLS);
	return Promise.all(first.map((item) => symbolOf(files, item)));
}

/** A line that may begin a definition with a fitting name. */
interface Candidate {
	symbol: string;
	row: NavItem;
}

/** Returns the symbols of a repository that have a text in their name, the best first. */
async function fittingSymbols(
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
	const found = await symbolOf(files, item);
	const isThere = found.location.range.start.line === row.line - 1;
	return isThere ? found : undefined;
}

async function symbolOf(
	files: FilesOfRequest,
	item: OutlineItem,
): Promise<SymbolInformation> {
	return {
		name: item.name,
		kind: SYMBOL_KINDS[item.kind],
		location: await files.location(item),
		containerName: containerOfSymbol(item.symbol),
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
