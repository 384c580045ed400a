import {
	CodeLensRefreshRequest,
	type Connection,
	createConnection,
	createProtocolConnection,
	DidChangeWorkspaceFoldersNotification,
	ErrorCodes,
	type InitializeParams,
	type InitializeResult,
	type MessageReader,
	MessageType,
	type MessageWriter,
	ResponseError,
	type ServerCapabilities,
	ShowMessageNotification,
	TextDocumentSyncKind,
} from "vscode-languageserver";
import type { OpenOptions } from "../../../core/api.js";
import { Delayed } from "./delayed.js";
import { Documents } from "./documents.js";
import { type Feature, handlersOf } from "./feature.js";
import { CALL_HIERARCHY } from "./features/call-hierarchy.js";
import { CODE_LENS } from "./features/code-lens.js";
import { EXECUTE_COMMAND } from "./features/commands.js";
import { DEFINITION, TYPE_DEFINITION } from "./features/definition.js";
import { DOCUMENT_SYMBOLS } from "./features/document-symbols.js";
import { FOLDING } from "./features/folding.js";
import { HIGHLIGHTS } from "./features/highlights.js";
import { HOVER } from "./features/hover.js";
import { IMPLEMENTATION } from "./features/implementation.js";
import { REFERENCES } from "./features/references.js";
import { RENAME } from "./features/rename.js";
import { SELECTION } from "./features/selection.js";
import { TYPE_HIERARCHY } from "./features/type-hierarchy.js";
import { WORKSPACE_SYMBOLS } from "./features/workspace-symbols.js";
import { guardedReader } from "./guarded-reader.js";
import type { ConnectionOptions, LanguageServer } from "./options.js";
import { progressCreator } from "./progress.js";
import type { Session } from "./session.js";
import { readSettings } from "./settings.js";
import { Workspace } from "./workspace.js";

declare const __RAGNAV_VERSION__: string;

const FEATURES: readonly Feature[] = [
	DEFINITION,
	TYPE_DEFINITION,
	REFERENCES,
	IMPLEMENTATION,
	DOCUMENT_SYMBOLS,
	WORKSPACE_SYMBOLS,
	HOVER,
	CALL_HIERARCHY,
	TYPE_HIERARCHY,
	RENAME,
	HIGHLIGHTS,
	FOLDING,
	SELECTION,
	CODE_LENS,
	EXECUTE_COMMAND,
];

/** Serves the Language Server Protocol over a reader and a writer of messages. */
export function serveConnection(
	reader: MessageReader,
	writer: MessageWriter,
	options: ConnectionOptions,
): LanguageServer {
	const protocol = createProtocolConnection(guardedReader(reader), writer);
	let end: (wasShutDown: boolean) => void = () => undefined;
	const ended = new Promise<boolean>((resolve) => {
		end = resolve;
	});
	const watchDog = {
		shutdownReceived: false,
		initialize: () => undefined,
		exit: (code: number) => end(code === 0),
	};
	const connection = createConnection(() => protocol, watchDog);
	const server = new Server(connection, options);
	ended.then(() => server.close());
	protocol.onClose(() => end(watchDog.shutdownReceived));
	connection.listen();
	return { ended, close: () => end(watchDog.shutdownReceived) };
}

/** The time in milliseconds after the last change until the client is asked to refresh. */
const REFRESH_MS = 300;

/** How far a server is. */
type ServerState =
	| { phase: "created" }
	| { phase: "started"; session: Session }
	| { phase: "shut down" };

class Server {
	readonly #connection: Connection;
	readonly #options: ConnectionOptions;
	readonly #documents: Documents;
	readonly #workspace: Workspace;
	readonly #refreshing = new Delayed(REFRESH_MS, () => this.#refresh());
	#state: ServerState = { phase: "created" };

	constructor(connection: Connection, options: ConnectionOptions) {
		this.#connection = connection;
		this.#options = options;
		this.#documents = new Documents(connection);
		this.#workspace = new Workspace(this.#documents, {
			openHost: async (folder) => options.openHost(folder),
			openOptions: (folder) => this.#openOptions(folder),
			watch: options.watch ?? true,
			onChange: () => this.#refreshing.later(),
		});
		connection.onInitialize((params) => this.#start(params));
		connection.onShutdown(() => {
			this.#state = { phase: "shut down" };
			this.#workspace.close();
		});
		connection.onDidChangeWatchedFiles(() => this.#refreshing.later());
		this.#documents.onChange(() => this.#refreshing.later());
		const handler = handlersOf({
			session: () => this.#started(),
			createProgress: progressCreator(connection, () =>
				this.#canShowProgress(),
			),
		});
		for (const { register } of FEATURES) register({ connection, handler });
	}

	close(): void {
		this.#refreshing.close();
		this.#workspace.close();
		this.#connection.dispose();
	}

	#start(params: InitializeParams): InitializeResult {
		if (this.#state.phase !== "created") {
			throw new ResponseError(
				ErrorCodes.InvalidRequest,
				"the server is initialized already",
			);
		}
		const session: Session = {
			documents: this.#documents,
			workspace: this.#workspace,
			settings: readSettings(params.initializationOptions),
			client: params.capabilities ?? {},
			warn: (message) => this.#warn(message),
		};
		this.#state = { phase: "started", session };
		for (const uri of foldersOf(params, this.#options.folders ?? [])) {
			this.#workspace.add(uri);
		}
		// The library would need the client's capability to hand this on.
		this.#connection.onNotification(
			DidChangeWorkspaceFoldersNotification.type,
			({ event }) => {
				for (const { uri } of event.removed) this.#workspace.remove(uri);
				for (const { uri } of event.added) this.#workspace.add(uri);
			},
		);
		return {
			capabilities: capabilitiesOf(session),
			serverInfo: { name: "ragnav", version: __RAGNAV_VERSION__ },
		};
	}

	/** @throws ResponseError before `initialize` and after `shutdown` */
	#started(): Session {
		switch (this.#state.phase) {
			case "started":
				return this.#state.session;
			case "created":
				throw new ResponseError(
					ErrorCodes.ServerNotInitialized,
					"the server is not initialized; send `initialize` first",
				);
			case "shut down":
				throw new ResponseError(
					ErrorCodes.InvalidRequest,
					"the server was shut down; start another one",
				);
		}
	}

	/** Returns how a folder is opened, with the indexes that the client names. */
	#openOptions(folder: string): OpenOptions {
		const options = this.#options.openOptions(folder);
		const { scip } = this.#started().settings;
		return { ...options, scip: [...(options.scip ?? []), ...scip] };
	}

	#canShowProgress(): boolean {
		const { client } = this.#started();
		return client.window?.workDoneProgress ?? false;
	}

	#warn(message: string): void {
		const shown = { type: MessageType.Warning, message };
		// A client that is gone needs no warning.
		this.#connection
			.sendNotification(ShowMessageNotification.method, shown)
			.catch(() => undefined);
	}

	/** Lets the client ask again for what it shows beside the text. */
	#refresh(): void {
		if (this.#state.phase !== "started") return;
		const { settings, client } = this.#state.session;
		const canRefresh = client.workspace?.codeLens?.refreshSupport ?? false;
		if (!settings.codeLens || !canRefresh) return;
		// A client that is gone needs no refresh.
		const request = this.#connection.sendRequest(CodeLensRefreshRequest.type);
		request.catch(() => undefined);
	}
}

/** Returns the folders that a client names, in the newest form that it uses. */
function foldersOf(
	{ workspaceFolders, rootUri }: InitializeParams,
	otherwise: readonly string[],
): readonly string[] {
	if (workspaceFolders && workspaceFolders.length > 0) {
		return workspaceFolders.map(({ uri }) => uri);
	}
	return rootUri ? [rootUri] : otherwise;
}

function capabilitiesOf(session: Session): ServerCapabilities {
	const features = FEATURES.map(({ capabilities }) => capabilities(session));
	return Object.assign(
		{
			positionEncoding: "utf-16",
			textDocumentSync: {
				openClose: true,
				change: TextDocumentSyncKind.Incremental,
			},
			workspace: {
				workspaceFolders: { supported: true, changeNotifications: true },
			},
		},
		...features,
	);
}
