import type { Llm, ModelAnswer } from "../../core/model.js";

/** What is used of a client of the `openai` package. */
export interface OpenAiClient {
	baseURL?: string | undefined;
	chat: {
		completions: {
			create(
				body: never,
				options?: { timeout?: number; maxRetries?: number },
			): PromiseLike<unknown>;
		};
	};
}

/** What the client throws for an answer that is an error. */
interface ApiError {
	status?: unknown;
	headers?: unknown;
	error?: unknown;
	message?: unknown;
}

/** A model behind a client of the `openai` package: its key, its headers and its `fetch` are used, its own retries are not. */
export function fromOpenAI(client: OpenAiClient, model: string): Llm {
	return {
		model,
		base_url: client.baseURL,
		async complete(body, timeout_ms) {
			try {
				const completion = await client.chat.completions.create(
					JSON.parse(body) as never,
					{ timeout: timeout_ms, maxRetries: 0 },
				);
				return answerOf(200, completion, null);
			} catch (thrown) {
				const { status, headers, error, message } = thrown as ApiError;
				// Without one nothing was answered: the network failed.
				if (typeof status !== "number") throw thrown;
				return answerOf(
					status,
					{ error: error ?? { message: String(message) } },
					retryAfter(headers),
				);
			}
		},
	};
}

function answerOf(
	status: number,
	body: unknown,
	retry_after: string | null,
): ModelAnswer {
	return { status, retry_after, body: JSON.stringify(body) };
}

/** Older clients have plain objects for headers. */
function retryAfter(headers: unknown): string | null {
	if (headers instanceof Headers) return headers.get("retry-after");
	const plain = headers as Record<string, unknown> | null | undefined;
	const value = plain?.["retry-after"];
	return typeof value === "string" ? value : null;
}
