import { RagnavError } from "../../../entries/node.js";
import { languagesOf } from "../languages-file.js";
import { limitsOf } from "../limit-options.js";
import { repositoriesOf } from "../repositories.js";
import { listen } from "../serve/server.js";
import { socketOf } from "../serve/socket.js";
import {
	addCommonOptions,
	newCommand,
	type RepositoryFlags,
	scipOf,
	type Terminal,
} from "../terminal.js";
import { keepUpToDate } from "../watch.js";

export function addServeCommand(terminal: Terminal): void {
	const about =
		"Answers your other commands from memory, until it is interrupted. It reads the repository once, and keeps the index up to date.";
	const command = newCommand(terminal, "serve", about);
	addCommonOptions(command).action((flags: RepositoryFlags) =>
		terminal.run(flags, () => serve(flags)),
	);
}

function serve(flags: RepositoryFlags): Promise<number> {
	const repositories = repositoriesOf(flags);
	const options = {
		...limitsOf(flags),
		languages: languagesOf(flags),
		scip: scipOf(flags, repositories),
	};
	const socket = socketOf(repositories, options);
	if (socket === undefined) {
		const message =
			"`ragnav serve` needs sockets that are files, which Windows lacks";
		throw new RagnavError("HOST_FAILED", message);
	}
	return keepUpToDate(repositories, flags, options, {
		words: "answering commands",
		without_proof: "each answer verifies the files",
		begin: (nav) => listen(nav, socket),
	});
}
