/**
 * The URLs of the grammars by their files. Bundlers recognise an asset by exactly these expressions.
 */
export const GRAMMAR_URLS: Readonly<Record<string, URL>> = {
	"tree-sitter-c.wasm": new URL(
		"../../languages/tree-sitter-c.wasm",
		import.meta.url,
	),
	"tree-sitter-cpp.wasm": new URL(
		"../../languages/tree-sitter-cpp.wasm",
		import.meta.url,
	),
	"tree-sitter-csharp.wasm": new URL(
		"../../languages/tree-sitter-csharp.wasm",
		import.meta.url,
	),
	"tree-sitter-go.wasm": new URL(
		"../../languages/tree-sitter-go.wasm",
		import.meta.url,
	),
	"tree-sitter-java.wasm": new URL(
		"../../languages/tree-sitter-java.wasm",
		import.meta.url,
	),
	"tree-sitter-javascript.wasm": new URL(
		"../../languages/tree-sitter-javascript.wasm",
		import.meta.url,
	),
	"tree-sitter-php.wasm": new URL(
		"../../languages/tree-sitter-php.wasm",
		import.meta.url,
	),
	"tree-sitter-python.wasm": new URL(
		"../../languages/tree-sitter-python.wasm",
		import.meta.url,
	),
	"tree-sitter-ruby.wasm": new URL(
		"../../languages/tree-sitter-ruby.wasm",
		import.meta.url,
	),
	"tree-sitter-rust.wasm": new URL(
		"../../languages/tree-sitter-rust.wasm",
		import.meta.url,
	),
	"tree-sitter-tsx.wasm": new URL(
		"../../languages/tree-sitter-tsx.wasm",
		import.meta.url,
	),
	"tree-sitter-typescript.wasm": new URL(
		"../../languages/tree-sitter-typescript.wasm",
		import.meta.url,
	),
};
