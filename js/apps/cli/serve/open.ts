import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { openRepositories, type Repositories } from "../repositories.js";
import { servedQuestions } from "./client.js";
import type { Closable, Questions } from "./questions.js";
import { type ServedOptions, socketOf } from "./socket.js";
import { isPrivate } from "./socket-folder.js";

/** Opens the repositories of a command, or connects to the server that has them open. */
export async function openQuestions(
	repositories: Repositories,
	options: ServedOptions,
): Promise<Questions & Closable> {
	const socket = socketOf(repositories, options);
	const open = () => openRepositories(repositories, options);
	const isServed =
		socket !== undefined && isPrivate(dirname(socket)) && existsSync(socket);
	return isServed ? servedQuestions(socket, open) : open();
}
