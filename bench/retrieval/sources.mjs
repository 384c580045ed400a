/**
 * @typedef {{ name: string, data: string }} Source a GitHub repository, as `owner/name`, and a file
 * or folder in it
 */

/** The annotations, the pinned revisions and the published results of semble. */
export const SEMBLE = "michalfedyna/semble";

/**
 * The published results of other tools in `SEMBLE`: the name of a tool, its file, and which rows of
 * that file are the tool's.
 *
 * @type {{ tool: string, file: string, mode?: string }[]}
 */
export const PUBLISHED = [
	{ tool: "plain BM25", file: "semble-ablations-1ea77add4c1b", mode: "bm25" },
	{ tool: "ripgrep", file: "ripgrep-fixed-strings-0332378809c5" },
	{ tool: "probe", file: "probe-715563a812c3" },
	{ tool: "ColGREP", file: "colgrep-c8a40fab2235" },
	{
		tool: "CodeRankEmbed",
		file: "coderankembed-0332378809c5",
		mode: "semantic",
	},
	{
		tool: "semble without vectors",
		file: "semble-ablations-215a04760692",
		mode: "semble-bm25",
	},
	{ tool: "semble", file: "semble-hybrid-0332378809c5" },
	{
		tool: "CodeRankEmbed with BM25",
		file: "coderankembed-0332378809c5",
		mode: "hybrid",
	},
];

/** The tool of `PUBLISHED` that our own BM25 is compared with. */
export const PUBLISHED_BM25 = "plain BM25";

/** The repositories of semble that may be measured. All others are held out. */
export const SEMBLE_REPOSITORIES = [
	"aiohttp",
	"axios",
	"axum",
	"chi",
	"commons-lang",
	"curl",
	"fastapi",
	"gin",
	"guzzle",
	"httpx",
	"jackson-databind",
	"monolog",
	"pydantic",
	"rack",
	"redis",
	"redux",
	"sinatra",
	"starlette",
	"tokio",
	"trpc",
	"zod",
];

/**
 * Where a repository has moved, or which fork is smaller and has the same commits.
 *
 * @type {Record<string, string>}
 */
export const MIRRORED_AS = {
	"encode/starlette": "Kludex/starlette",
	"django/django": "adamchainz/django",
	"scikit-learn/scikit-learn": "antoinebaker/scikit-learn",
	"matplotlib/matplotlib": "rcomer/matplotlib",
};

/**
 * The branch that stands in where a mirror lacks the pinned revision. It is `HEAD` elsewhere.
 *
 * @type {Record<string, string>}
 */
export const NEAREST_BRANCH = {
	"FasterXML/jackson-databind": "refs/heads/3.x",
};

/** The instances of SWE-bench Lite. @type {Source} */
export const LITE = {
	name: "ITMO-NSS-team/chronorepo_icdm26",
	data: "data/swebench_lite.jsonl",
};

/** The number of instances of SWE-bench Lite, even and odd, that edit a function. */
export const LITE_WITH_FUNCTIONS = 274;

/** The instances of SWE-bench Multilingual. @type {Source} */
export const MULTILINGUAL = {
	name: "joyon1104/coding-agent-eval",
	data: "data/swebench_multi_origin.jsonl",
};

/**
 * The repositories of SWE-bench Multilingual that are measured, by language.
 *
 * @type {Record<string, string[]>}
 */
export const MULTILINGUAL_REPOSITORIES = {
	c: [
		"jqlang/jq",
		"micropython/micropython",
		"redis/redis",
		"valkey-io/valkey",
	],
	go: [
		"caddyserver/caddy",
		"gin-gonic/gin",
		"gohugoio/hugo",
		"hashicorp/terraform",
		"prometheus/prometheus",
	],
	java: [
		"apache/druid",
		"apache/lucene",
		"google/gson",
		"javaparser/javaparser",
		"projectlombok/lombok",
		"reactivex/rxjava",
	],
	php: [
		"briannesbitt/carbon",
		"laravel/framework",
		"php-cs-fixer/php-cs-fixer",
		"phpoffice/phpspreadsheet",
	],
	ruby: [
		"faker-ruby/faker",
		"fastlane/fastlane",
		"fluent/fluentd",
		"jekyll/jekyll",
		"jordansissel/fpm",
		"rubocop/rubocop",
	],
	rust: [
		"astral-sh/ruff",
		"burntsushi/ripgrep",
		"nushell/nushell",
		"sharkdp/bat",
		"tokio-rs/axum",
		"tokio-rs/tokio",
		"uutils/coreutils",
	],
	typescript: ["babel/babel", "facebook/docusaurus", "vuejs/core"],
};
