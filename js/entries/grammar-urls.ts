/**
 * The URLs of the grammars by their files. Bundlers recognise an asset by exactly these expressions.
 * A script that is no module has no URL, so nothing asks for one before it is needed.
 */
export const GRAMMAR_URLS: Readonly<Record<string, () => URL>> = {
	"tree-sitter-bash.wasm.gz": () =>
		new URL("../../languages/tree-sitter-bash.wasm.gz", import.meta.url),
	"tree-sitter-c.wasm.gz": () =>
		new URL("../../languages/tree-sitter-c.wasm.gz", import.meta.url),
	"tree-sitter-cpp.wasm.gz": () =>
		new URL("../../languages/tree-sitter-cpp.wasm.gz", import.meta.url),
	"tree-sitter-csharp.wasm.gz": () =>
		new URL("../../languages/tree-sitter-csharp.wasm.gz", import.meta.url),
	"tree-sitter-dart.wasm.gz": () =>
		new URL("../../languages/tree-sitter-dart.wasm.gz", import.meta.url),
	"tree-sitter-elixir.wasm.gz": () =>
		new URL("../../languages/tree-sitter-elixir.wasm.gz", import.meta.url),
	"tree-sitter-go.wasm.gz": () =>
		new URL("../../languages/tree-sitter-go.wasm.gz", import.meta.url),
	"tree-sitter-java.wasm.gz": () =>
		new URL("../../languages/tree-sitter-java.wasm.gz", import.meta.url),
	"tree-sitter-javascript.wasm.gz": () =>
		new URL("../../languages/tree-sitter-javascript.wasm.gz", import.meta.url),
	"tree-sitter-kotlin.wasm.gz": () =>
		new URL("../../languages/tree-sitter-kotlin.wasm.gz", import.meta.url),
	"tree-sitter-lua.wasm.gz": () =>
		new URL("../../languages/tree-sitter-lua.wasm.gz", import.meta.url),
	"tree-sitter-php.wasm.gz": () =>
		new URL("../../languages/tree-sitter-php.wasm.gz", import.meta.url),
	"tree-sitter-python.wasm.gz": () =>
		new URL("../../languages/tree-sitter-python.wasm.gz", import.meta.url),
	"tree-sitter-ruby.wasm.gz": () =>
		new URL("../../languages/tree-sitter-ruby.wasm.gz", import.meta.url),
	"tree-sitter-rust.wasm.gz": () =>
		new URL("../../languages/tree-sitter-rust.wasm.gz", import.meta.url),
	"tree-sitter-scala.wasm.gz": () =>
		new URL("../../languages/tree-sitter-scala.wasm.gz", import.meta.url),
	"tree-sitter-swift.wasm.gz": () =>
		new URL("../../languages/tree-sitter-swift.wasm.gz", import.meta.url),
	"tree-sitter-tsx.wasm.gz": () =>
		new URL("../../languages/tree-sitter-tsx.wasm.gz", import.meta.url),
	"tree-sitter-typescript.wasm.gz": () =>
		new URL("../../languages/tree-sitter-typescript.wasm.gz", import.meta.url),
	"tree-sitter-zig.wasm.gz": () =>
		new URL("../../languages/tree-sitter-zig.wasm.gz", import.meta.url),
};
