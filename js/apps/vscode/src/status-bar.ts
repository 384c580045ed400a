import * as vscode from "vscode";
import type { RouteDecision } from "../../../entries/slim.js";
import { compilerIndexText } from "../../text/compiler-indexes.js";
import { Changes } from "./changes.js";
import { counted } from "./freshness.js";
import type { Navigators, Repository } from "./navigators.js";

/** The pause in milliseconds after a change before the status is updated. */
const PAUSE_MS = 400;

/** The status bar item that shows the freshness of the index. */
export class StatusBar implements vscode.Disposable {
	readonly #navigators: Navigators;
	readonly #item: vscode.StatusBarItem;
	readonly #changes = new Changes(PAUSE_MS, () => void this.refresh());

	constructor(navigators: Navigators) {
		this.#navigators = navigators;
		this.#item = vscode.window.createStatusBarItem(
			"ragnav.freshness",
			vscode.StatusBarAlignment.Left,
		);
		this.#item.name = "ragnav: Freshness";
		this.#item.command = "ragnav.showStatus";
		this.#changes.later();
	}

	async refresh(): Promise<void> {
		const repositories = await this.#navigators.all();
		if (repositories.length === 0) return this.#item.hide();
		const statuses = await Promise.all(repositories.map(statusOf));
		const worst = statuses.reduce((one, other) =>
			RANKS[other.state] > RANKS[one.state] ? other : one,
		);
		this.#item.text = `${ICONS[worst.state]} ragnav: ${worst.short}`;
		this.#item.tooltip = statuses.map(({ long }) => long).join("\n");
		this.#item.accessibilityInformation = {
			label: `ragnav: ${worst.short}`,
		};
		this.#item.show();
	}

	/** Shows the files that differ from the index. */
	async showDetails(): Promise<void> {
		const repositories = await this.#navigators.all();
		const rows = await Promise.all(repositories.map(differing));
		const picks = rows.flat();
		const [only] = await Promise.all(repositories.map(statusOf));
		if (picks.length === 0) {
			const message = only?.long ?? vscode.l10n.t("No folder is open.");
			await vscode.window.showInformationMessage(message);
			return;
		}
		const picked = await vscode.window.showQuickPick(picks, {
			title: "ragnav: files that differ from the index",
		});
		if (picked) await vscode.commands.executeCommand("vscode.open", picked.uri);
	}

	dispose(): void {
		this.#changes.dispose();
		this.#item.dispose();
	}
}

type State = "fresh" | "stale" | "none" | "error";
const RANKS: Record<State, number> = { fresh: 0, none: 1, stale: 2, error: 3 };
const ICONS: Record<State, string> = {
	fresh: "$(check)",
	stale: "$(history)",
	none: "$(circle-slash)",
	error: "$(error)",
};

interface FolderStatus {
	state: State;
	short: string;
	long: string;
}

async function statusOf({ folder, nav }: Repository): Promise<FolderStatus> {
	const status = await nav.status({ limit: 1 });
	const { meta } = status;
	const freshness = `${folder.name}: ${meta.message ?? "up to date"}`;
	const of = [freshness, ...compilerIndexText(status)].join("\n");
	if (meta.status === "ERROR") {
		return { state: "error", short: `${meta.error_code}`, long: of };
	}
	if (meta.status === "OK")
		return { state: "fresh", short: "up to date", long: of };
	const changed = meta.files?.changed ?? 0;
	if (meta.reason === "FILES_CHANGED") {
		return {
			state: "stale",
			short: `${counted(changed, "file")} changed`,
			long: of,
		};
	}
	// Without a commit every file is checked by its content, which proves as much.
	if (changed === 0 && (meta.files?.graph ?? 0) > 0) {
		return { state: "fresh", short: "up to date", long: of };
	}
	const { state, short } = withoutIndex(meta.reason);
	return { state, short, long: of };
}

function withoutIndex(
	reason: RouteDecision["reason"] | null,
): Omit<FolderStatus, "long"> {
	switch (reason) {
		case "NO_STATUS":
		case "GRAPH_MISSING":
			return { state: "none", short: "no index, answers are live" };
		case "HEAD_UNKNOWN":
			return { state: "none", short: "no commit, files are checked" };
		case "HEAD_MOVED":
			return { state: "stale", short: "another commit" };
		default:
			return { state: "stale", short: "index not proven" };
	}
}

async function differing({ folder, nav }: Repository) {
	const { items } = await nav.status();
	const rows = items.filter(
		({ verdict }) => verdict !== "unchanged" && verdict !== "skipped",
	);
	return rows.map(({ file, verdict, proof }) => ({
		label: file,
		description: `${verdict} (${proof})`,
		uri: vscode.Uri.joinPath(folder.uri, ...file.split("/")),
	}));
}
