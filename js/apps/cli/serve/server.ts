import { existsSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { RagnavError } from "../../../entries/node.js";
import {
	BEAT_MS,
	PARAMETERS,
	type Question,
	type Questions,
} from "./questions.js";
import { createPrivate, isPrivate } from "./socket-folder.js";

/**
 * Answers questions on a socket, until the returned function is called.
 *
 * @throws {RagnavError} `HOST_FAILED` if the socket cannot be had.
 */
export async function listen(
	questions: Questions,
	path: string,
): Promise<() => void> {
	const folder = dirname(path);
	createPrivate(folder);
	if (!isPrivate(folder)) {
		const message = `other users may write to ${folder}; remove it, or set XDG_RUNTIME_DIR`;
		throw new RagnavError("HOST_FAILED", message);
	}
	if (existsSync(path)) await removeUnused(path);
	const open = new Set<Socket>();
	const server = createServer((socket) => {
		open.add(socket);
		socket.once("close", () => open.delete(socket));
		answer(questions, socket);
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", ({ message }) =>
			reject(new RagnavError("HOST_FAILED", `no socket: ${message}`)),
		);
		server.listen(path, resolve);
	});
	return () => {
		server.close();
		for (const socket of open) socket.destroy();
	};
}

/** Removes the socket of a process that ended without doing so itself. */
async function removeUnused(path: string): Promise<void> {
	const isUsed = await new Promise<boolean>((resolve) => {
		const socket = createConnection(path, () => {
			socket.destroy();
			resolve(true);
		});
		socket.once("error", () => resolve(false));
	});
	if (isUsed) {
		const message = "another `ragnav serve` answers about this repository";
		throw new RagnavError("HOST_FAILED", message);
	}
	rmSync(path, { force: true });
}

/** Answers one question; a client that leaves cancels it. */
function answer(questions: Questions, socket: Socket): void {
	const leaving = new AbortController();
	socket.on("error", () => socket.destroy());
	const beat = setInterval(() => socket.write("\n"), BEAT_MS);
	socket.once("close", () => {
		clearInterval(beat);
		leaving.abort();
	});
	const lines = createInterface({ input: socket });
	// It repeats the errors of the socket.
	lines.on("error", () => undefined);
	lines.once("line", async (line) => {
		try {
			const given = await answerTo(questions, line, leaving.signal);
			clearInterval(beat);
			socket.end(`${JSON.stringify(given)}\n`);
		} catch {
			// The client then answers itself.
			socket.destroy();
		}
	});
}

function answerTo(
	questions: Questions,
	line: string,
	signal: AbortSignal,
): Promise<object> {
	const { method, parameters } = JSON.parse(line) as Question;
	if (!Object.hasOwn(PARAMETERS, method)) throw new Error("no question");
	const required = PARAMETERS[method] - 1;
	const call = { ...(parameters[required] ?? {}), signal };
	const all = [...parameters.slice(0, required), call];
	const ask = questions[method] as (...given: unknown[]) => Promise<object>;
	return ask.apply(questions, all);
}
