import { existsSync } from "node:fs";
import { openRepositories, type Repositories } from "../repositories.js";
import { servedQuestions } from "./client.js";
import type { Closable, Questions } from "./questions.js";
import { type ServedOptions, socketOf } from "./socket.js";
import { isAnyServed } from "./socket-folder.js";

/** Opens the repositories of a command, or connects to the server that has them open. */
export async function openQuestions(
	repositories: Repositories,
	options: ServedOptions,
): Promise<Questions & Closable> {
	const open = () => openRepositories(repositories, options);
	const socket = isAnyServed() ? socketOf(repositories, options) : undefined;
	const isServed = socket !== undefined && existsSync(socket);
	return isServed ? servedQuestions(socket, open) : open();
}
