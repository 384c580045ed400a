import { DART_ORCHARD } from "./truth/dart.mjs";
import { ELIXIR_CODE } from "./truth/elixir.mjs";
import { KOTLINC } from "./truth/kotlin.mjs";
import { LUAPARSE } from "./truth/luaparse.mjs";
import { SCALAMETA } from "./truth/scalameta.mjs";
import { SHFMT } from "./truth/shfmt.mjs";
import { SWIFT_TEXTMATE } from "./truth/swift.mjs";
import { ZIG_AST } from "./truth/zig.mjs";

/** @typedef {import("./ctags.mjs").Row} Row */
/**
 * A parser that finds the definitions of files. It has none of a file with a syntax error.
 *
 * @typedef {object} Truth
 * @property {string} name
 * @property {(files: string[]) => FileRows[] | Promise<FileRows[]>} definitionsOf
 */
/** @typedef {[file: string, rows: Row[] | undefined]} FileRows */
/**
 * @typedef {object} Corpus
 * @property {string} language the name in ragnav
 * @property {string} repository the owner and the name on GitHub
 * @property {string} commit
 * @property {string[]} extensions
 * @property {Truth} truth
 */

const BASH = {
	language: "bash",
	extensions: [".sh", ".bash", ".bats"],
	truth: SHFMT,
};
const DART = { language: "dart", extensions: [".dart"], truth: DART_ORCHARD };
const KOTLIN = {
	language: "kotlin",
	extensions: [".kt", ".kts"],
	truth: KOTLINC,
};
const ELIXIR = {
	language: "elixir",
	extensions: [".ex", ".exs"],
	truth: ELIXIR_CODE,
};
const LUA = { language: "lua", extensions: [".lua"], truth: LUAPARSE };
const SCALA = {
	language: "scala",
	extensions: [".scala", ".sc"],
	truth: SCALAMETA,
};
const SWIFT = {
	language: "swift",
	extensions: [".swift"],
	truth: SWIFT_TEXTMATE,
};
const ZIG = { language: "zig", extensions: [".zig"], truth: ZIG_AST };

/**
 * The repositories whose definitions are compared with those of a parser of the language.
 *
 * @type {Corpus[]}
 */
export const TRUTHS = [
	{
		...BASH,
		repository: "acmesh-official/acme.sh",
		commit: "d60c75b4e30a26addd8b9d0bfdeeed39c84ed51e",
	},
	{
		...BASH,
		repository: "ohmybash/oh-my-bash",
		commit: "ae44713948daaf99b2e2c6fe7e436f6a83bf07da",
	},
	{
		...DART,
		repository: "dart-lang/shelf",
		commit: "fb3f931d2c158d794e83c1b76b7be4b625db3c28",
	},
	{
		...DART,
		repository: "felangel/bloc",
		commit: "61ef3b1d767a808f9f698d67fa9fa7129b32a6e2",
	},
	{
		...KOTLIN,
		repository: "square/okhttp",
		commit: "1682d9bac8c03dffde2969b0b74d47649d0dbb52",
	},
	{
		...KOTLIN,
		repository: "InsertKoinIO/koin",
		commit: "fff5291f333c04fe5d6d9447f72740647d40d186",
	},
	{
		...KOTLIN,
		repository: "square/okio",
		commit: "4164f2976ac7174f3d35d52150e8ffbdbe0acbec",
	},
	{
		...ELIXIR,
		repository: "phoenixframework/phoenix",
		commit: "167c46950cf53aef363d672687cc653267c20aa6",
	},
	{
		...ELIXIR,
		repository: "elixir-ecto/ecto",
		commit: "c624abf4297b27589a5a7351b55feb2316f61e1c",
	},
	{
		...LUA,
		repository: "lunarmodules/Penlight",
		commit: "c317508c90cb384da22e79f6bd405eb4e406fc79",
	},
	{
		...LUA,
		repository: "Kong/kong",
		commit: "22246ef28c16842098369b494eef879222e30c7b",
	},
	{
		...SCALA,
		repository: "typelevel/cats",
		commit: "7f2dce5162074c0a0ebc597b89b6cd25e5fe0536",
	},
	{
		...SCALA,
		repository: "softwaremill/ox",
		commit: "5ea69ade58e8791255a434512e2c10b34f0e7ca4",
	},
	{
		...SWIFT,
		repository: "Alamofire/Alamofire",
		commit: "7595cbcf59809f9977c5f6378500de2ad73b7ddb",
	},
	{
		...SWIFT,
		repository: "vapor/vapor",
		commit: "13efaeefd52a965009fc6a69a96ba66e7f20402e",
	},
	{
		...SWIFT,
		repository: "apple/swift-nio",
		commit: "63018571c88ab6807d5d80ea0f1ef7d9197c0489",
	},
	{
		...ZIG,
		repository: "zigtools/zls",
		commit: "113f79a1d120cfda4cf758bc41273d8d15b4e46a",
	},
	{
		...ZIG,
		repository: "Hejsil/zig-clap",
		commit: "e91d66b1abba2024cd2e816426f14d233d3dad9a",
	},
];
