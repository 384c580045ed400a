import * as vscode from "vscode";
import type { DocumentSelector } from "vscode-languageclient/browser";
import type { LanguagePlugin } from "../../../entries/slim.js";

/**
 * The editor's ids of the languages that ragnav knows, each with the extensions that have a language
 * server for it.
 */
const SERVERS: Record<string, readonly string[]> = {
	c: ["ms-vscode.cpptools", "llvm-vs-code-extensions.vscode-clangd"],
	cpp: ["ms-vscode.cpptools", "llvm-vs-code-extensions.vscode-clangd"],
	csharp: ["ms-dotnettools.csharp", "muhammad-sammy.csharp"],
	dart: ["dart-code.dart-code"],
	elixir: ["elixir-lsp.elixir-ls", "lexical-lsp.lexical"],
	go: ["golang.go"],
	java: ["redhat.java", "asf.apache-netbeans-java"],
	javascript: ["vscode.typescript-language-features"],
	javascriptreact: ["vscode.typescript-language-features"],
	kotlin: ["jetbrains.kotlin-server", "fwcd.kotlin"],
	lua: ["sumneko.lua"],
	php: ["bmewburn.vscode-intelephense-client", "devsense.phptools-vscode"],
	python: [
		"ms-python.vscode-pylance",
		"ms-pyright.pyright",
		"detachhead.basedpyright",
		"meta.pyrefly",
		"astral-sh.ty",
	],
	ruby: ["shopify.ruby-lsp", "castwide.solargraph"],
	rust: ["rust-lang.rust-analyzer"],
	scala: ["scalameta.metals"],
	shellscript: ["mads-hartmann.bash-ide-vscode"],
	swift: ["swiftlang.swift-vscode", "sswg.swift-lang"],
	typescript: ["vscode.typescript-language-features"],
	typescriptreact: ["vscode.typescript-language-features"],
	zig: ["ziglang.vscode-zig"],
};

/** Whether ragnav answers about a language: always, never, or where no language server does. */
type Use = "auto" | "on" | "off";

/** Returns which documents ragnav answers about, with those of further languages. */
export function selectorOf(
	plugins: readonly LanguagePlugin[],
): DocumentSelector {
	const settings = vscode.workspace.getConfiguration("ragnav");
	const chosen = settings.get<Record<string, Use>>("languages") ?? {};
	const own = Object.keys(SERVERS)
		.filter((id) => isInUse(id, chosen[id] ?? "auto"))
		.map((language) => ({ language }));
	// The editor may have no language for these files.
	const further = plugins
		.filter(({ name }) => chosen[name] !== "off")
		.flatMap(({ extensions }) => extensions)
		.map((extension) => ({ pattern: `**/*.${extension}` }));
	return [...own, ...further];
}

function isInUse(id: string, use: Use): boolean {
	if (use !== "auto") return use === "on";
	return !(SERVERS[id] ?? []).some(hasServer);
}

/** The server of TypeScript knows a folder only on the desktop: on the web it sees open files. */
function hasServer(extension: string): boolean {
	if (vscode.extensions.getExtension(extension) === undefined) return false;
	const isWeb = vscode.env.uiKind === vscode.UIKind.Web;
	return !(isWeb && extension === "vscode.typescript-language-features");
}
