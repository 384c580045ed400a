// Runs `ragnav mcp` as a process, with the official client.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { Ajv, type ValidateFunction } from "ajv";
import type { RagToolMeta } from "#ragnav";

export const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);

/** The common part of all answers. */
export interface Answer {
	meta: RagToolMeta;
	items: Record<string, unknown>[];
	truncated: boolean;
	total: number | null;
	cursor?: string | null;
	[key: string]: unknown;
}

/** The maximum size of an answer in bytes, fewer than 10,000 tokens. */
const MAX_BYTES = 40_000;

/** The official client with its own server. It checks every answer against the declared schema. */
export class Session {
	readonly client: Client;
	readonly transport: StdioClientTransport;
	tools: Tool[] = [];
	stderr = "";
	readonly #validators = new Map<string, ValidateFunction>();

	private constructor(transport: StdioClientTransport) {
		this.client = new Client({ name: "tests", version: "1" });
		this.transport = transport;
		transport.stderr?.on("data", (chunk) => {
			this.stderr += chunk;
		});
	}

	static async start(
		t: TestContext,
		args: string[],
		env: Record<string, string> = {},
	): Promise<Session> {
		const session = new Session(
			new StdioClientTransport({
				command: process.execPath,
				args: [CLI, "mcp", ...args],
				env: { PATH: process.env.PATH ?? "", ...env },
				stderr: "pipe",
			}),
		);
		await session.client.connect(session.transport);
		t.after(() => session.client.close());
		session.tools = (await session.client.listTools()).tools;
		const ajv = new Ajv({ strict: false, allErrors: true });
		for (const { name, outputSchema } of session.tools) {
			assert.ok(outputSchema, name);
			session.#validators.set(name, ajv.compile(outputSchema));
		}
		return session;
	}

	/** What a person reads of the last answer. */
	text = "";

	/** Calls a tool, and returns its answer, which must match the schema, with what it leaves out. */
	async call(
		name: string,
		args: Record<string, unknown> = {},
		options: RequestOptions = {},
	): Promise<Answer> {
		const result = await this.client.callTool(
			{ name, arguments: args },
			undefined,
			options,
		);
		const { structuredContent, content, isError } = result;
		const validate = this.#validators.get(name);
		assert.ok(validate?.(structuredContent), JSON.stringify(validate?.errors));
		const [text, ...others] = content as { type: string; text: string }[];
		assert.equal(others.length, 0);
		assert.equal(text?.type, "text");
		const json = JSON.stringify(structuredContent);
		for (const form of [text.text, json]) {
			assert.ok(Buffer.byteLength(form) < MAX_BYTES, `${form.length}`);
		}
		assert.ok(!json.includes(":null"), json);
		const answer = withDefaults(structuredContent as unknown as Answer);
		for (const { file } of answer.items) {
			if (file !== undefined) assert.ok(text.text.includes(String(file)));
		}
		assert.equal(isError, answer.meta.status === "ERROR");
		this.text = text.text;
		return answer;
	}
}

/** Fills in what an answer of the server leaves out. */
function withDefaults(sparse: Answer): Answer {
	const { rows } = sparse.meta as { rows?: Record<string, unknown> };
	return {
		...sparse,
		truncated: sparse.truncated ?? false,
		cursor: sparse.cursor ?? null,
		total: sparse.total ?? null,
		items: sparse.items.map((item) => ({ ...rows, ...item })),
	};
}

/** A message of the server. */
export interface Reply {
	jsonrpc: string;
	id?: number;
	method?: string;
	params?: Record<string, unknown>;
	result?: { isError?: boolean; structuredContent?: Answer };
	error?: { code: number; message: string };
}

/** A server without a client, for raw lines. */
export class RawServer {
	readonly child: ChildProcess;
	readonly lines: string[] = [];
	stderr = "";
	readonly ended: Promise<number | null>;
	#waiting: (() => void)[] = [];

	constructor(t: TestContext, args: string[], options: { cwd?: string } = {}) {
		this.child = spawn(process.execPath, [CLI, "mcp", ...args], {
			stdio: "pipe",
			...options,
		});
		t.after(() => this.child.kill("SIGKILL"));
		this.ended = new Promise((resolve) => {
			this.child.once("close", (code) => resolve(code));
		});
		this.child.stderr?.on("data", (chunk) => {
			this.stderr += chunk;
		});
		const { stdout } = this.child;
		assert.ok(stdout);
		createInterface({ input: stdout }).on("line", (line) => {
			this.lines.push(line);
			for (const tell of this.#waiting.splice(0)) tell();
		});
	}

	/** Returns all messages so far; every line of the output must be one. */
	get replies(): Reply[] {
		return this.lines.map((line) => {
			const reply: Reply = JSON.parse(line);
			assert.equal(reply.jsonrpc, "2.0", line);
			return reply;
		});
	}

	write(...messages: (object | string)[]): void {
		const lines = messages.map((message) =>
			typeof message === "string"
				? `${message}\n`
				: `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`,
		);
		this.child.stdin?.write(lines.join(""));
	}

	end(): void {
		this.child.stdin?.end();
	}

	greet(): void {
		const clientInfo = { name: "tests", version: "1" };
		const params = {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo,
		};
		this.write(
			{ id: 1, method: "initialize", params },
			{ method: "notifications/initialized" },
		);
	}

	ask(
		id: number,
		name: string,
		args: object,
		meta: object | undefined = undefined,
	): void {
		const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
		this.write({ id, method: "tools/call", params });
	}

	/** Waits for the response to a request. */
	reply(id: number): Promise<Reply> {
		return this.wait(() => this.replies.find((reply) => reply.id === id));
	}

	async wait<T>(look: () => T | undefined): Promise<T> {
		for (;;) {
			const found = look();
			if (found !== undefined) return found;
			await new Promise<void>((resolve) => {
				this.#waiting.push(resolve);
			});
		}
	}
}

/** Writes sources that take some time to index. */
export function largeSources(files: number): Record<string, string> {
	const entries = Array.from({ length: files }, (_, at) => [
		join("lib", `m${at}.py`),
		`def f${at}():\n    return ${at}\n\n\n`.repeat(300),
	]);
	return Object.fromEntries(entries);
}
