import { type Navigator, open } from "#ragnav";
import { nodeHost } from "#ragnav/hosts/node";
import {
	type Answer,
	answerOf,
	type Client,
	type Envelope,
	LIMIT,
	QUESTIONS,
	type Question,
	wordPattern,
} from "./client.js";

/** An editor: a navigator that watches the folder and builds after changes. */
export class Editor implements Client {
	readonly name = "watcher";
	readonly questions = QUESTIONS;
	readonly #nav: Navigator;
	/** The number of builds by their result. */
	readonly builds = new Map<string, number>();

	private constructor(nav: Navigator) {
		this.#nav = nav;
	}

	static async start(folder: string): Promise<Editor> {
		const nav = await open(nodeHost(folder));
		const editor = new Editor(nav);
		await nav.watch({
			onBuild: ({ meta }) => {
				const result = meta.error_code
					? `${meta.error_code}: ${meta.message}`
					: meta.status;
				editor.builds.set(result, (editor.builds.get(result) ?? 0) + 1);
			},
		});
		return editor;
	}

	async ask(question: Question, name: string): Promise<Answer> {
		return answerOf((await this.#answer(question, name)) as Envelope);
	}

	#answer(question: Question, name: string) {
		switch (question) {
			case "locate":
				return this.#nav.locate(name);
			case "where-used":
				return this.#nav.whereUsed(name, { limit: LIMIT });
			case "search":
				return this.#nav.search(wordPattern(name), {
					mode: "regex",
					limit: LIMIT,
				});
		}
	}

	async build(): Promise<string> {
		const { meta } = await this.#nav.buildGraph();
		return meta.error_code ?? meta.status;
	}

	processes(): number[] {
		return [process.pid];
	}

	async close(): Promise<void> {
		this.#nav.close();
	}
}
