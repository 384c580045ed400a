import type {
	LineageItem,
	LineageResult,
	NavItem,
	RagToolMeta,
	WhereUsedResult,
} from "../../../core/api.js";
import type { CallOptions } from "../../../core/driver.js";
import { succeeded } from "./failures.js";
import type { Repository } from "./repository.js";
import type { Settings } from "./settings.js";

/** The rows of a page. All pages are followed: an editor cannot show that a list was cut. */
const PAGE_ROWS = 5000;

/** All references to a symbol. */
export interface References {
	/** The first page, which says what all of them rest on. */
	answer: WhereUsedResult;
	rows: NavItem[];
}

/** Returns all references to a symbol, or the first page alone if that failed. */
export async function allReferences(
	{ nav }: Repository,
	symbol: string,
	confidence: Settings["references"],
	call: CallOptions,
): Promise<References> {
	const page = (cursor: string | null) =>
		nav.whereUsed(symbol, { confidence, cursor, limit: PAGE_ROWS, ...call });
	return allPages(page);
}

/** All steps from a symbol. */
export interface Steps {
	answer: LineageResult;
	rows: LineageItem[];
}

/** Returns all single steps from a symbol, or the first page alone if that failed. */
export async function allSteps(
	{ nav }: Repository,
	symbol: string,
	direction: "upstream" | "downstream",
	call: CallOptions,
): Promise<Steps> {
	const page = (cursor: string | null) =>
		nav.lineage(symbol, direction, { cursor, limit: PAGE_ROWS, ...call });
	return allPages(page);
}

interface PageOf<Row> {
	meta: RagToolMeta;
	items: Row[];
	cursor: string | null;
}

async function allPages<Row, Answer extends PageOf<Row>>(
	page: (cursor: string | null) => Promise<Answer & PageOf<Row>>,
): Promise<{ answer: Answer; rows: Row[] }> {
	const answer = await page(null);
	const rows: Row[] = [...answer.items];
	for (let { cursor } = answer; cursor !== null; ) {
		// A page that failed, as after a change of a file, would leave rows out.
		const next = succeeded(await page(cursor));
		rows.push(...next.items);
		cursor = next.cursor;
	}
	return { answer, rows };
}
