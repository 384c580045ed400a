import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
	CallToolRequestSchema,
	type CallToolResult,
	ErrorCode,
	ListToolsRequestSchema,
	McpError,
	type Tool as ToolDeclaration,
} from "@modelcontextprotocol/sdk/types.js";
import { messageOf } from "../../core/errors.js";
import {
	type AnyErrorCode,
	type CallOptions,
	errorResult,
	RagnavError,
} from "../../entries/node.js";
import { schemas } from "../../generated/mcp-schemas.js";
import { type QueryName, queries } from "../../generated/queries.js";
import type { Answer } from "./answers.js";
import type { CommonArguments } from "./arguments.js";
import { problemOf } from "./check.js";
import { isFit, withRoom } from "./fit.js";
import { instructionsFor } from "./instructions.js";
import { progressTo } from "./progress.js";
import type { Roots } from "./roots.js";
import { type Tool, unplanned } from "./tool.js";
import { askTool } from "./tools/ask.js";
import { buildGraph } from "./tools/build-graph.js";
import { queryTool } from "./tools/query.js";
import { status } from "./tools/status.js";

declare const __RAGNAV_VERSION__: string;

export interface ServerOptions {
	/** Leaves out what writes. */
	readOnly?: boolean;
	/** The time that questions have which bring none, in milliseconds. */
	timeout_ms?: number | undefined;
	/** Is told when a call begins, and calls what that gives when it ends. */
	onCall?: () => () => void;
}

/** What every call takes beside its arguments. */
type Extra = Parameters<typeof progressTo>[0] & { signal: AbortSignal };

/** A server over some repositories, for any transport. */
export function newServer(roots: Roots, options: ServerOptions = {}): Server {
	const readOnly = options.readOnly ?? false;
	const tools = toolsFor(readOnly);
	const server = new Server(
		{ name: "ragnav", title: "ragnav", version: __RAGNAV_VERSION__ },
		{
			capabilities: { tools: {} },
			instructions: instructionsFor(roots.names, readOnly),
		},
	);
	const declared = tools.map((tool) => declaration(tool, roots.names));
	server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: declared }));
	server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
		const { name, arguments: given = {} } = request.params;
		const tool = tools.find((one) => one.name === name);
		if (tool === undefined) throw noTool(name, tools);
		const end = options.onCall?.();
		try {
			return resultOf(await answerTo(tool, given, roots, options, extra));
		} finally {
			end?.();
		}
	});
	return server;
}

function toolsFor(readOnly: boolean): Tool[] {
	const hasModel = Boolean(process.env.RAGNAV_MODEL);
	const all = [...queryTools(), status, buildGraph, askTool(hasModel)];
	return all.filter(({ writes }) => !(readOnly && writes));
}

/**
 * The queries that are not tools as they are. The status has a tool of its own, since a model needs
 * its counts before its rows; `rag_locate` takes places too, so `definition` would add nothing.
 */
const WITHOUT_TOOL: ReadonlySet<QueryName> = new Set(["status", "definition"]);

function queryTools(): Tool[] {
	const names = Object.keys(queries) as QueryName[];
	return names.filter((name) => !WITHOUT_TOOL.has(name)).map(queryTool);
}

function declaration(tool: Tool, roots: string[]): ToolDeclaration {
	const { name, title, description, annotations } = tool;
	const { input, output } = schemas[name];
	const known = `Which repository, by name or path: ${roots.join(", ")}.`;
	const root = {
		...input.properties.root,
		description: `${known} Default: ${roots[0]}.`,
	};
	return {
		name,
		title,
		description,
		inputSchema: { ...input, properties: { ...input.properties, root } },
		outputSchema: output,
		annotations: { title, ...annotations },
	};
}

function noTool(name: string, tools: Tool[]): McpError {
	const known = tools.map((tool) => tool.name).join(", ");
	return new McpError(
		ErrorCode.InvalidParams,
		`There is no tool ${JSON.stringify(name)}; there are ${known}`,
	);
}

/** What a call answers; it never rejects. */
async function answerTo(
	tool: Tool,
	arguments_: Record<string, unknown>,
	roots: Roots,
	options: ServerOptions,
	extra: Extra,
): Promise<Answer> {
	const given = withoutNulls(arguments_);
	const fail = (error_code: AnyErrorCode, message: string) => {
		const { meta } = errorResult({ error_code, message });
		const failure = { message, meta: unplanned(meta) };
		return withRoom(tool.failed(failure, given));
	};
	const problem = problemOf(tool.name, given);
	if (problem !== null) return fail("INVALID_ARGUMENT", problem);
	// The schema has said that they are.
	const { root: wanted, timeout_ms } = given as CommonArguments;
	const root = roots.named(wanted);
	if (root === undefined) {
		const known = roots.names.join(", ");
		const words = `${JSON.stringify(wanted)} is none of this server's repositories; root must be one of ${known}`;
		return fail("INVALID_ARGUMENT", words);
	}
	try {
		const nav = await root.navigator();
		const call = timed(timeout_ms ?? options.timeout_ms, extra);
		const answer = await tool.ask({ nav, path: root.path }, given, call);
		if (isFit(answer)) return answer;
		const words =
			"the answer cannot be cut to under 10,000 tokens; narrow the question";
		return fail("LIMIT_EXCEEDED", words);
	} catch (thrown) {
		const isKnown = thrown instanceof RagnavError;
		return fail(isKnown ? thrown.code : "HOST_FAILED", messageOf(thrown));
	}
}

/** Models say `null` for what they leave out. */
function withoutNulls(given: Record<string, unknown>): Record<string, unknown> {
	const entries = Object.entries(given).filter(([, value]) => value !== null);
	return Object.fromEntries(entries);
}

function timed(timeout_ms: number | undefined, extra: Extra) {
	const began = performance.now();
	const onProgress = progressTo(extra);
	return (): CallOptions => ({
		signal: extra.signal,
		onProgress,
		timeout_ms:
			timeout_ms === undefined
				? null
				: Math.max(1, Math.ceil(timeout_ms - (performance.now() - began))),
	});
}

function resultOf(answer: Answer): CallToolResult {
	return {
		content: [{ type: "text", text: JSON.stringify(answer) }],
		structuredContent: { ...answer },
		isError: answer.meta.status === "ERROR",
	};
}
