/** The place of the repository's files. */
const REPOSITORY = "https://github.com/ragnav/ragnav";

/** The folder of the server in which the site will be. */
const BASE = process.env.RAGNAV_SITE_BASE ?? "/";

/** @param {string} text @param {string} link */
const page = (text, link) => ({ text, link });

/** @type {import("vitepress").UserConfig} */
export default {
	title: "ragnav",
	description: "Code navigation whose every answer proves that it is current",
	base: BASE,
	head: [
		[
			"link",
			{ rel: "icon", href: `${BASE}favicon.svg`, type: "image/svg+xml" },
		],
	],
	outDir: "../dist",
	cleanUrls: false,
	lastUpdated: false,
	rewrites: { "site/index.md": "index.md" },
	// These are written beside the pages, and a test opens them.
	ignoreDeadLinks: [/\/(api|demo|editors)\//],
	themeConfig: {
		outline: [2, 3],
		search: { provider: "local" },
		socialLinks: [{ icon: "github", link: REPOSITORY }],
		nav: [
			page("Start", "/site/start"),
			page("Guides", "/docs/answers"),
			page("Measurements", "/site/measurements"),
			{ text: "API", link: "/api/index.html", target: "_self" },
			{
				text: "Demos",
				items: [
					{
						text: "This repository in the viewer",
						link: "/demo/index.html",
						target: "_self",
					},
					{
						text: "Editors over a language server",
						link: "/editors/index.html",
						target: "_self",
					},
				],
			},
		],
		sidebar: [
			{
				text: "ragnav",
				items: [
					page("Start", "/site/start"),
					page("How fresh is an answer?", "/site/freshness"),
					page("Beside other tools", "/site/comparison"),
					page("Measurements", "/site/measurements"),
					page("Freshness of tools", "/conformance/REPORT"),
					page("Changes", "/CHANGELOG"),
				],
			},
			{
				text: "Guides",
				items: [
					page("What an answer says", "/docs/answers"),
					page("The command line", "/docs/cli"),
					page("The API", "/docs/api-guide"),
					page("Hosts", "/docs/hosts"),
					page("The MCP server", "/docs/mcp"),
					page("The language server", "/docs/lsp"),
					page("The viewer", "/docs/viewer"),
					page("The micro-agent", "/docs/agent"),
					page("Several repositories", "/docs/several-repositories"),
					page("Further languages", "/docs/plugins"),
					page("SCIP", "/docs/scip"),
					page("The component", "/docs/component"),
					page("The index", "/docs/the-index"),
					page("Limits", "/docs/limits"),
				],
			},
			{
				text: "For maintainers",
				collapsed: true,
				items: [
					page("Architecture", "/ARCHITECTURE"),
					page("Contributing", "/CONTRIBUTING"),
					page("Versions and releases", "/docs/releases"),
					page("Security", "/SECURITY"),
					page("Examples", "/examples/README"),
				],
			},
		],
		footer: { message: "MIT licence. No telemetry, no cookies." },
	},
};
