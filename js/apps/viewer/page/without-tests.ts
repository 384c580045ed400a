import type { LineageItem, LineageResult } from "../../../core/api.js";

/** Matches the paths of tests in the usual layouts. */
const TEST_PATH =
	/(^|\/)(tests?|__tests__|specs?|testing)\/|(^|\/)(test_|conftest)[^/]*$|[._](test|spec)\.[^/]+$/i;

/** Returns a lineage without tests, and without symbols that only tests lead to. */
export function withoutTests<T extends LineageResult>(result: T): T {
	const isTest = ({ file }: LineageItem) => TEST_PATH.test(file);
	const inTests = new Set(
		result.items.filter(isTest).flatMap(({ symbol }) => symbol ?? []),
	);
	const items = result.items.filter(
		(item) => !isTest(item) && !item.via.some((symbol) => inTests.has(symbol)),
	);
	const total = items.length;
	return { ...result, items, total };
}
