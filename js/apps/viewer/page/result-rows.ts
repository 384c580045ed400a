import type { NavItem } from "../../../core/api.js";

/** An entry of a list of results: the head of a file, or one of its rows. */
export type ResultRow<T extends NavItem = NavItem> =
	| {
			kind: "file";
			key: string;
			file: string;
			count: number;
			isCandidate: boolean;
			isOpen: boolean;
			/** The first row of the file; all its rows have the same source and proof. */
			first: T;
	  }
	| { kind: "row"; key: string; item: T };

/** Groups rows by file in their order; the candidates of a file have a group of their own. */
export function groupRows<T extends NavItem>(
	items: readonly T[],
	closed: ReadonlySet<string>,
): ResultRow<T>[] {
	const rows: ResultRow<T>[] = [];
	let head: Extract<ResultRow<T>, { kind: "file" }> | undefined;
	for (const item of items) {
		const isCandidate = item.resolution === "candidate";
		if (head?.file !== item.file || head.isCandidate !== isCandidate) {
			const key = `${item.file}\0${isCandidate}`;
			const isOpen = !closed.has(key);
			const { file } = item;
			head = {
				kind: "file",
				key,
				file,
				count: 0,
				isCandidate,
				isOpen,
				first: item,
			};
			rows.push(head);
		}
		head.count += 1;
		if (!head.isOpen) continue;
		const { key } = head;
		rows.push({ kind: "row", key, item });
	}
	return rows;
}
