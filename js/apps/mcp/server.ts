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
import { type PropertySchema, schemas } from "../../generated/mcp-schemas.js";
import { endLines } from "../text/end.js";
import type { Answer } from "./answers.js";
import type { CommonArguments } from "./arguments.js";
import { problemOf } from "./check.js";
import { isFit, shortenHead } from "./fit.js";
import { instructionsFor } from "./instructions.js";
import { progressTo } from "./progress.js";
import type { Roots } from "./roots.js";
import { sparse, withoutNulls } from "./sparse.js";
import { type Tool, withoutPlan } from "./tool.js";
import { describeOffered, withToolNames } from "./tool-names.js";
import { askTool } from "./tools/ask.js";
import { buildGraph } from "./tools/build-graph.js";
import { queryTools } from "./tools/query.js";
import { status } from "./tools/status.js";

declare const __RAGNAV_VERSION__: string;

export interface ServerOptions {
	/** Whether tools that write are left out. */
	readOnly?: boolean;
	/** The names of the tools to list. Default: all but `rag_move_plan`. */
	tools?: readonly string[] | undefined;
	/** The timeout of calls without one of their own, in milliseconds. */
	timeout_ms?: number | undefined;
	/** Called when a call begins; the function that it returns, when the call ends. */
	onCall?: () => () => void;
}

/** The context that the SDK passes with each call. */
type Extra = Parameters<typeof progressTo>[0] & { signal: AbortSignal };

/** Returns a server for some repositories, for any transport. */
export function newServer(roots: Roots, options: ServerOptions = {}): Server {
	const readOnly = options.readOnly ?? false;
	const tools = toolsFor(readOnly, options.tools);
	const offered = new Set(tools.map(({ name }) => name));
	const server = new Server(
		{ name: "ragnav", title: "ragnav", version: __RAGNAV_VERSION__ },
		{
			capabilities: { tools: {} },
			instructions: instructionsFor(roots.names, offered, readOnly),
		},
	);
	const declared = tools.map((tool) => declaration(tool, roots.names, offered));
	server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: declared }));
	server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
		const { name, arguments: given = {} } = request.params;
		const tool = tools.find((one) => one.name === name);
		if (tool === undefined) throw noTool(name, tools);
		const end = options.onCall?.();
		try {
			const answer = await answerCall(tool, given, roots, options, extra);
			return resultOf(tool, withToolNames(answer, offered));
		} finally {
			end?.();
		}
	});
	return server;
}

/** The tools that are listed only if they are chosen, because `tools/list` is bounded. */
const RARE: ReadonlySet<string> = new Set(["rag_move_plan"]);

function toolsFor(readOnly: boolean, chosen?: readonly string[]): Tool[] {
	const allowed = allTools().filter(({ writes }) => !(readOnly && writes));
	if (chosen === undefined)
		return allowed.filter(({ name }) => !RARE.has(name));
	const unknown = chosen.find(
		(name) => !allowed.some((tool) => tool.name === name),
	);
	if (unknown !== undefined) {
		const known = allowed.map(({ name }) => name).join(", ");
		throw new RagnavError(
			"INVALID_ARGUMENT",
			`There is no tool ${JSON.stringify(unknown)}; there are ${known}`,
		);
	}
	return allowed.filter(({ name }) => chosen.includes(name));
}

function allTools(): Tool[] {
	const hasModel = Boolean(process.env.RAGNAV_MODEL);
	return [...queryTools(), status, buildGraph, askTool(hasModel)];
}

function declaration(
	tool: Tool,
	roots: string[],
	offered: ReadonlySet<string>,
): ToolDeclaration {
	const { name, description, annotations } = tool;
	const { input, output } = schemas[name];
	const { root, ...own } = input.properties;
	const listed = Object.entries(own)
		.filter(([argument]) => !UNLISTED.has(argument))
		.map(([argument, property]) => [argument, withoutBounds(property)]);
	const { required } = input;
	const properties = {
		...Object.fromEntries(listed),
		// With one repository there is nothing to choose.
		...(roots.length > 1 && {
			root: { ...root, description: `${roots.join(", or ")}. Default: all.` },
		}),
	};
	return {
		name,
		description: describeOffered(description, offered),
		inputSchema: {
			type: "object",
			properties,
			...(required?.length && { required }),
		},
		outputSchema: output,
		annotations,
	};
}

/** Arguments that no declaration has, because the instructions explain them once for all tools. */
const UNLISTED: ReadonlySet<string> = new Set([
	"timeout_ms",
	"stale_policy",
	"since",
	"explain",
	"include_module",
]);

/** Returns a schema without bounds, which the message for an invalid value names. */
function withoutBounds(property: PropertySchema): PropertySchema {
	const { minimum: _, maximum: __, minLength: ___, ...rest } = property;
	return rest;
}

function noTool(name: string, tools: Tool[]): McpError {
	const known = tools.map((tool) => tool.name).join(", ");
	return new McpError(
		ErrorCode.InvalidParams,
		`There is no tool ${JSON.stringify(name)}; there are ${known}`,
	);
}

/** Answers a call; never rejects. */
async function answerCall(
	tool: Tool,
	arguments_: Record<string, unknown>,
	roots: Roots,
	options: ServerOptions,
	extra: Extra,
): Promise<Answer> {
	// Models write `null` for absent arguments.
	const given = withoutNulls(arguments_);
	const fail = (error_code: AnyErrorCode, message: string) => {
		const { meta } = errorResult({ error_code, message });
		const failure = { message, meta: withoutPlan(meta) };
		return shortenHead(tool.failed(failure, given));
	};
	const problem = problemOf(tool.name, given);
	if (problem !== null) return fail("INVALID_ARGUMENT", problem);
	// The check above has verified the types.
	const { root: wanted, timeout_ms } = given as CommonArguments;
	const root = roots.named(wanted);
	if (root === undefined) {
		const known = roots.names.join(", ");
		const words = `${JSON.stringify(wanted)} is none of this server's repositories; root must be one of ${known}`;
		return fail("INVALID_ARGUMENT", words);
	}
	try {
		const nav = await root.navigator();
		const call = callOptions(timeout_ms ?? options.timeout_ms, extra);
		const answer = await tool.ask(
			{ nav, pathOf: (file) => root.pathOf(file) },
			given,
			call,
		);
		if (isFit(answer)) return answer;
		const words =
			"the answer cannot be cut to under 10,000 tokens; narrow the question";
		return fail("LIMIT_EXCEEDED", words);
	} catch (thrown) {
		const isKnown = thrown instanceof RagnavError;
		return fail(isKnown ? thrown.code : "HOST_FAILED", messageOf(thrown));
	}
}

/** Returns a function that returns the options of a query, with the time that is left. */
function callOptions(timeout_ms: number | undefined, extra: Extra) {
	const start = performance.now();
	const onProgress = progressTo(extra);
	return (): CallOptions => ({
		signal: extra.signal,
		onProgress,
		timeout_ms:
			timeout_ms === undefined
				? null
				: Math.max(1, Math.ceil(timeout_ms - (performance.now() - start))),
	});
}

function resultOf(tool: Tool, answer: Answer): CallToolResult {
	const isError = answer.meta.status === "ERROR";
	const body = isError ? [] : tool.text(answer);
	const text = [
		...body,
		...endLines(answer, tool.noun, tool.listed?.(answer)),
	].join("\n");
	return {
		content: [{ type: "text", text }],
		structuredContent: sparse(answer, tool.name === "rag_status"),
		isError,
	};
}
