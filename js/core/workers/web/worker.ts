import { extractor } from "../extract.js";

/** What this file uses of a worker's global scope: the library's types know that of a page alone. */
interface WorkerScope {
	onmessage: ((event: MessageEvent) => void) | null;
	postMessage(message: unknown, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const answer = extractor();

scope.onmessage = ({ data }) => {
	const result = answer(data);
	if (result === undefined) return;
	scope.postMessage(result, "bytes" in result ? [result.bytes] : []);
};
