/** What messages of the protocol come and go through: a `MessagePort`, or a worker's `self`. */
export interface LanguagePort {
	postMessage(message: unknown): void;
}

/** Subscribes to an event, until the result is disposed. */
export type Subscribe<Value> = (
	listener: (value: Value) => unknown,
) => Disposing;

/** What ends when it is disposed. */
export interface Disposing {
	dispose(): void;
}

/**
 * A reader and a writer of the package `vscode-jsonrpc`, such as a `SocketMessageReader` and a
 * `SocketMessageWriter`.
 */
export interface LanguageStreams {
	reader: Disposing & {
		onError: Subscribe<Error>;
		onClose: Subscribe<void>;
		onPartialMessage: Subscribe<unknown>;
		listen(callback: (message: unknown) => void): Disposing;
	};
	writer: Disposing & {
		onError: Subscribe<unknown>;
		onClose: Subscribe<void>;
		write(message: never): Promise<void>;
		end(): void;
	};
}
