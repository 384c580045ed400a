import type { MessageReader } from "vscode-languageserver";

/**
 * Returns a reader whose callback never throws. The library throws at some messages, such as a
 * `$/cancelRequest` without an id, and an exception in the event of a port ends its program.
 */
export function guardedReader(reader: MessageReader): MessageReader {
	return {
		onError: reader.onError,
		onClose: reader.onClose,
		onPartialMessage: reader.onPartialMessage,
		dispose: () => reader.dispose(),
		listen: (callback) =>
			reader.listen((message) => {
				try {
					callback(message);
				} catch {
					// Such a message has no id that an error could name.
				}
			}),
	};
}
