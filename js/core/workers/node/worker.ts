import { parentPort } from "node:worker_threads";
import { extractor } from "../extract.js";

const answer = extractor();

parentPort?.on("message", (message) => {
	const result = answer(message);
	if (result === undefined) return;
	parentPort?.postMessage(result, "bytes" in result ? [result.bytes] : []);
});
