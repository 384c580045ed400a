/** The names that SCIP has for languages. */
const LANGUAGES: Record<string, string> = {
	bash: "ShellScript",
	c: "C",
	cpp: "CPP",
	csharp: "CSharp",
	dart: "Dart",
	elixir: "Elixir",
	go: "Go",
	java: "Java",
	javascript: "JavaScript",
	kotlin: "Kotlin",
	lua: "Lua",
	markdown: "Markdown",
	php: "PHP",
	python: "Python",
	ruby: "Ruby",
	rust: "Rust",
	scala: "Scala",
	svelte: "Svelte",
	swift: "Swift",
	tsx: "TypeScriptReact",
	typescript: "TypeScript",
	vue: "Vue",
	zig: "Zig",
};

/** Returns the name of a language in SCIP, or its own for a language that SCIP does not list. */
export function scipLanguage(language: string): string {
	return LANGUAGES[language] ?? language;
}
