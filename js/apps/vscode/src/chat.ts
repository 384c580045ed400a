import * as vscode from "vscode";
import type { ImpactResult, NavItem, Passage } from "../../../entries/slim.js";
import { counted, summaryOf } from "./freshness.js";
import {
	type Navigators,
	type Repository,
	signalOf,
	uriOf,
} from "./navigators.js";
import { rangeOf } from "./place.js";

/** The references that an answer lists. */
const LIMIT = 30;

/** Adds the participant `@ragnav` to the editor's chat, where the editor has one. */
export function registerChat(
	navigators: Navigators,
	icon: vscode.Uri,
): vscode.Disposable[] {
	if (vscode.chat?.createChatParticipant === undefined) return [];
	const participant = vscode.chat.createChatParticipant(
		"ragnav.chat",
		async ({ command, prompt }, _, stream, token) => {
			const repositories = await navigators.all();
			for (const repository of repositories) {
				const ask = HANDLERS[command ?? ""] ?? passages;
				await ask(repository, prompt.trim(), stream, signalOf(token));
			}
		},
	);
	participant.iconPath = icon;
	return [participant];
}

/** Answers about one folder. No model takes part: what is shown is what the files say. */
type Handler = (
	repository: Repository,
	prompt: string,
	stream: vscode.ChatResponseStream,
	signal: AbortSignal,
) => Promise<void>;

const HANDLERS: Record<string, Handler> = {
	uses: async (repository, symbol, stream, signal) => {
		const options = { limit: LIMIT, signal };
		const { items, meta } = await repository.nav.whereUsed(symbol, options);
		for (const item of items) showRow(repository, item, stream);
		stream.markdown(summaryOf(meta, counted(items.length, "row")));
	},
	impact: async (repository, _, stream, signal) => {
		const answer = await repository.nav.impact({ limit: LIMIT, signal });
		for (const item of answer.items) showChange(repository, item, stream);
		for (const step of answer.affected) showRow(repository, step, stream);
		const count = counted(answer.items.length, "changed symbol");
		stream.markdown(summaryOf(answer.meta, count));
	},
};

const passages: Handler = async (repository, question, stream, signal) => {
	const { items, meta } = await repository.nav.ask(question, { signal });
	for (const passage of items) showPassage(repository, passage, stream);
	stream.markdown(summaryOf(meta, counted(items.length, "passage")));
};

function showRow(
	repository: Repository,
	item: NavItem,
	stream: vscode.ChatResponseStream,
): void {
	const uri = uriOf(repository, item.file);
	stream.anchor(
		new vscode.Location(uri, rangeOf(item)),
		`${item.file}:${item.line}`,
	);
	const { text, location } = item.snippet;
	const line = text.split("\n")[item.line - location.start_line] ?? "";
	stream.markdown(codeBlock(line.trim()));
}

function showChange(
	repository: Repository,
	item: ImpactResult["items"][number],
	stream: vscode.ChatResponseStream,
): void {
	const start = new vscode.Position(item.start_line - 1, 0);
	const location = new vscode.Location(uriOf(repository, item.file), start);
	stream.anchor(location, `${item.file}:${item.start_line}`);
	const name = item.symbol.replace(/^sym:/, "");
	stream.markdown(codeBlock(`${item.changes.join(", ")}: ${name}`));
}

function showPassage(
	repository: Repository,
	passage: Passage,
	stream: vscode.ChatResponseStream,
): void {
	const { citation, title } = passage;
	if (citation) {
		const line = (citation.start_line ?? 1) - 1;
		const uri = uriOf(repository, citation.path);
		const place = new vscode.Location(uri, new vscode.Position(line, 0));
		stream.anchor(place, `${citation.path}:${line + 1}`);
	} else stream.markdown(codeBlock(title));
	if ("content" in passage) stream.markdown(codeBlock(passage.content));
}

/** Shows text of files as code, so that no link or image in it is active. */
function codeBlock(text: string): vscode.MarkdownString {
	return new vscode.MarkdownString().appendCodeblock(text);
}
