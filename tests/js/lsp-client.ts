// A client of the language server, over a port of messages.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import {
	type ClientCapabilities,
	createProtocolConnection,
	type InitializeParams,
	type InitializeResult,
	type Location,
	PortMessageReader,
	PortMessageWriter,
	type Position,
	type ProtocolConnection,
	type Range,
	ResponseError,
	type TextDocumentPositionParams,
} from "vscode-languageserver-protocol/node";
import { memoryHost } from "#ragnav/hosts/memory";
import { type LanguageServerOptions, serveLanguage } from "#ragnav/lsp";

/** The files of the tests. */
export const FILES: Record<string, string> = {
	"shop/prices.py": `"""Prices."""


class Tariff:
    """What things cost."""

    def price(self, article):
        """Returns the price of an article.

        In cents.
        """
        return 1


class Sale(Tariff):
    def price(self, article):
        return super().price(article) / 2


class Clearance(Sale):
    def price(self, article):
        return 0


def price_of(article):
    tariff = Sale()
    return tariff.price(article)
`,
	"shop/cart.py": `from shop.prices import Tariff, price_of


class Cart:
    def total(self, tariff: Tariff):
        # price_of is a name in a comment
        return sum(price_of(line) for line in self.lines) + tariff.price(1)


print(price_of("tea"))
`,
	"shop/other.py": `def other(thing):
    return thing.price(2)
`,
	"shapes.ts": `/** Adds two numbers. */
export function add(
	a: number,
	b: number,
): number {
	return a + b;
}

export interface Shape {
	area(): number;
}

export class Square implements Shape {
	area(): number {
		return add(2, 2);
	}
}
`,
};

/** The folder of the files. */
export const FOLDER = "memory:///work/shop";

/** What an editor can do that knows all of the protocol. */
export const CAPABLE: ClientCapabilities = {
	textDocument: {
		definition: { linkSupport: true },
		documentSymbol: { hierarchicalDocumentSymbolSupport: true },
		rename: { prepareSupport: true },
	},
	workspace: {
		workspaceFolders: true,
		workspaceEdit: { documentChanges: true, resourceOperations: ["rename"] },
	},
};

/** How a test starts the server. */
export interface StartOptions extends Partial<LanguageServerOptions> {
	files?: Record<string, string>;
	initialize?: Partial<InitializeParams>;
}

/** A client with its own server. */
export class Client {
	readonly connection: ProtocolConnection;
	initialized: InitializeResult = { capabilities: {} };
	/** Resolves when the server has ended. */
	readonly ended: Promise<boolean>;
	/** The client's end of the channel. */
	readonly port: MessagePort;
	#version = 0;

	constructor(
		connection: ProtocolConnection,
		ended: Promise<boolean>,
		port: MessagePort,
	) {
		this.connection = connection;
		this.port = port;
		this.ended = ended;
	}

	/** Starts a server over files in memory. */
	static async start(
		t: TestContext,
		{ files = FILES, initialize = {}, ...options }: StartOptions = {},
	): Promise<Client> {
		const client = Client.connect(t, {
			openHost: () => memoryHost(files),
			...options,
		});
		await client.initialize(initialize);
		return client;
	}

	/** Starts a server without a word to it. */
	static connect(t: TestContext, options: LanguageServerOptions): Client {
		const { port1, port2 } = new MessageChannel();
		const server = serveLanguage(port1, options);
		const connection = createProtocolConnection(
			new PortMessageReader(port2),
			new PortMessageWriter(port2),
		);
		connection.listen();
		t.after(() => {
			connection.dispose();
			server.close();
			port1.close();
		});
		return new Client(connection, server.ended, port2);
	}

	async initialize(params: Partial<InitializeParams> = {}): Promise<void> {
		this.initialized = await this.ask("initialize", {
			processId: null,
			rootUri: FOLDER,
			capabilities: CAPABLE,
			...params,
		});
		await this.connection.sendNotification("initialized", {});
	}

	/** Sends a request, and returns its result. */
	ask<Result>(method: string, params: object): Promise<Result> {
		return this.connection.sendRequest<Result>(method, params);
	}

	tell(method: string, params: object): Promise<void> {
		return this.connection.sendNotification(method, params);
	}

	/** Opens a document with a text. */
	open(path: string, text: string): Promise<void> {
		this.#version += 1;
		const version = this.#version;
		const textDocument = { uri: uri(path), languageId: "x", version, text };
		return this.tell("textDocument/didOpen", { textDocument });
	}

	/** Inserts a text into an open document. */
	insert(path: string, at: Position, text: string): Promise<void> {
		this.#version += 1;
		return this.tell("textDocument/didChange", {
			textDocument: { uri: uri(path), version: this.#version },
			contentChanges: [{ range: { start: at, end: at }, text }],
		});
	}
}

/** Returns the URI of a file. */
export function uri(path: string): string {
	return `${FOLDER}/${path}`;
}

/** Returns the position of a text in a file, of its `nth` occurrence from 0. */
export function at(
	path: string,
	text: string,
	nth = 0,
): TextDocumentPositionParams {
	const content = FILES[path] ?? "";
	let index = -1;
	for (let count = 0; count <= nth; count += 1) {
		index = content.indexOf(text, index + 1);
	}
	assert.ok(index >= 0, `${path} has no ${text}`);
	const before = content.slice(0, index).split("\n");
	const position = {
		line: before.length - 1,
		character: before.at(-1)?.length ?? 0,
	};
	return { textDocument: { uri: uri(path) }, position };
}

/** Returns a location as people write it: `shop/cart.py:7:20-28`, from 1 as in editors. */
export function shown({ uri, range }: Location): string {
	return `${uri.slice(FOLDER.length + 1)}:${span(range)}`;
}

/** Returns a range as people write it. */
export function span({ start, end }: Range): string {
	const last = end.line === start.line ? "" : `${end.line + 1}:`;
	return `${start.line + 1}:${start.character + 1}-${last}${end.character + 1}`;
}

/** Asserts that a request fails with an error of the protocol. */
export async function assertFails(
	request: Promise<unknown>,
	message: RegExp,
	code?: number,
): Promise<void> {
	await assert.rejects(request, (error) => {
		assert.ok(error instanceof ResponseError);
		assert.match(error.message, message);
		if (code !== undefined) assert.equal(error.code, code, error.message);
		return true;
	});
}
