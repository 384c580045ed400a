import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import {
	type Closable,
	type Method,
	PARAMETERS,
	type Questions,
	SILENCE_MS,
} from "./questions.js";

/**
 * Returns questions that the server of a socket answers. Where it does not, because it has ended
 * or is stuck, the navigator that `open` gives does.
 */
export function servedQuestions(
	path: string,
	open: () => Promise<Questions & Closable>,
): Questions & Closable {
	let own: (Questions & Closable) | undefined;
	const method =
		(name: Method) =>
		async (...parameters: unknown[]): Promise<unknown> => {
			const answer = await answerFrom(path, name, parameters);
			if (answer !== undefined) return answer;
			own ??= await open();
			const ask = own[name] as (...given: unknown[]) => Promise<unknown>;
			return ask.apply(own, parameters);
		};
	const names = Object.keys(PARAMETERS) as Method[];
	const entries = names.map((name) => [name, method(name)]);
	const questions = Object.fromEntries(entries) as Questions;
	return { ...questions, close: () => own?.close() };
}

async function answerFrom(
	path: string,
	method: Method,
	parameters: unknown[],
): Promise<unknown> {
	const call = parameters[PARAMETERS[method] - 1] as
		| { signal?: AbortSignal | null }
		| undefined;
	const { signal } = call ?? {};
	if (signal?.aborted) return undefined;
	const socket = createConnection(path);
	const leave = () => socket.destroy();
	socket.setTimeout(SILENCE_MS, leave);
	signal?.addEventListener("abort", leave, { once: true });
	try {
		const asked = JSON.stringify({ method, parameters }, withoutSignal);
		socket.write(`${asked}\n`);
		return JSON.parse(await text(socket));
	} catch {
		return undefined;
	} finally {
		signal?.removeEventListener("abort", leave);
	}
}

/** Leaves out what JSON would turn into an empty object. */
function withoutSignal(_: string, value: unknown): unknown {
	return value instanceof AbortSignal ? undefined : value;
}
