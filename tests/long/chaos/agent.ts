import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CLI } from "../../js/mcp-client.js";
import {
	type Answer,
	answerOf,
	type Client,
	type Envelope,
	LIMIT,
	QUESTIONS,
	type Question,
	TIMEOUT_MS,
	wordPattern,
} from "./client.js";

/** An agent: `ragnav mcp`, until it is killed. */
export class Agent implements Client {
	readonly name = "mcp";
	readonly questions = QUESTIONS;
	readonly #folder: string;
	#session: Promise<McpClient> | undefined;
	#pid: number | undefined;

	constructor(folder: string) {
		this.#folder = folder;
	}

	async ask(question: Question, name: string): Promise<Answer> {
		const arguments_ =
			question === "search"
				? { query: wordPattern(name), mode: "regex", limit: LIMIT }
				: { symbol: name, limit: LIMIT };
		return answerOf(
			await this.#call(`rag_${question.replace("-", "_")}`, arguments_),
		);
	}

	async build(): Promise<string> {
		const { meta } = await this.#call("rag_build_graph", {});
		return meta.error_code ?? meta.status;
	}

	/** Ends the process without a warning; the next question starts another. */
	kill(): void {
		this.#session = undefined;
		if (this.#pid !== undefined) process.kill(this.#pid, "SIGKILL");
		this.#pid = undefined;
	}

	processes(): number[] {
		return this.#pid === undefined ? [] : [this.#pid];
	}

	async close(): Promise<void> {
		const client = await this.#session;
		await client?.close();
	}

	async #call(name: string, given: Record<string, unknown>): Promise<Envelope> {
		this.#session ??= this.#start();
		const client = await this.#session;
		const { structuredContent } = await client.callTool(
			{ name, arguments: given },
			undefined,
			{ timeout: TIMEOUT_MS },
		);
		return structuredContent as unknown as Envelope;
	}

	async #start() {
		const client = new McpClient({ name: "chaos", version: "1" });
		const transport = new StdioClientTransport({
			command: process.execPath,
			args: [CLI, "mcp", "--repo", this.#folder],
			stderr: "ignore",
		});
		await client.connect(transport);
		this.#pid = transport.pid ?? undefined;
		return client;
	}
}
