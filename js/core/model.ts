/** A language model behind an endpoint that speaks OpenAI's chat completions. */
export interface Llm {
	/** The model's name. Default: `RAGNAV_MODEL` of the environment, else `qwen3:8b`. */
	model?: string | null | undefined;
	/**
	 * The URL up to and without `/chat/completions`. Default: `OPENAI_BASE_URL`, OpenRouter's URL
	 * where only its key is set, else a local server's.
	 */
	base_url?: string | null | undefined;
	/** Default: `OPENAI_API_KEY`, else `OPENROUTER_API_KEY`. A local server needs none. */
	api_key?: string | null | undefined;
	/** Replaces the global `fetch`. */
	fetch?: typeof globalThis.fetch | null | undefined;
	/**
	 * Replaces the whole HTTP request: takes the body of a chat completion as JSON, and returns the
	 * response within the time. An exception counts as a failure of the network. `fromOpenAI` and
	 * `fromVscodeModel` make one.
	 */
	complete?: Complete | null | undefined;
}

/** Sends a chat completion to a model; see {@link Llm.complete}. */
export type Complete = (
	body: string,
	timeout_ms: number,
) => Promise<ModelAnswer>;

/** The HTTP response of a model's endpoint. */
export interface ModelAnswer {
	status: number;
	retry_after: string | null;
	body: string;
}
