import { type Connection, TextDocuments } from "vscode-languageserver";
import {
	TextDocument,
	type TextDocumentContentChangeEvent,
} from "vscode-languageserver-textdocument";
import { invalidParams } from "./failures.js";

/** A document that is open in the editor. */
export interface OpenDocument {
	uri: string;
	/** Differs for any two texts, also those of a document that was closed and opened again. */
	edition: number;
	/** Its text, with the editor's version. */
	text: TextDocument;
}

/** The documents that are open in the editor. Their text replaces that of the files. */
export class Documents {
	readonly #open: TextDocuments<OpenDocument>;
	#edition = 0;

	constructor(connection: Connection) {
		this.#open = new TextDocuments<OpenDocument>({
			create: (uri, language, version, content) => {
				// An overlay whose text is no string would fail every query.
				if (typeof content !== "string") {
					throw invalidParams(`${uri} was opened without a text`);
				}
				return this.#edited(
					TextDocument.create(uri, language, version, content),
				);
			},
			update: ({ text }, changes: TextDocumentContentChangeEvent[], version) =>
				this.#edited(TextDocument.update(text, changes, version)),
		});
		this.#open.onDidClose(() => {
			this.#edition += 1;
		});
		this.#open.listen(connection);
	}

	/** The number of changes so far, of texts and of what is open. */
	get edition(): number {
		return this.#edition;
	}

	all(): OpenDocument[] {
		return this.#open.all();
	}

	/** Calls back after a document was opened, changed or closed. */
	onChange(changed: () => void): void {
		this.#open.onDidChangeContent(changed);
		this.#open.onDidClose(changed);
	}

	#edited(text: TextDocument): OpenDocument {
		this.#edition += 1;
		return { uri: text.uri, edition: this.#edition, text };
	}
}
