import type { Command } from "commander";

/** What the help of each command shows first. */
const EXAMPLES: Record<string, string[]> = {
	search: [
		"ragnav search slugify",
		'ragnav search "def \\w+_total" --regex --include "*.py"',
		'ragnav search "parse date" --mode ranked',
	],
	"where-used": [
		"ragnav where-used slugify",
		"ragnav where-used Cart.total --confidence resolved",
		"ragnav where-used shop/cart.py:14:9",
	],
	lineage: [
		"ragnav lineage Cart.total --depth 3",
		"ragnav lineage Cart.total --direction downstream",
	],
	locate: ["ragnav locate Cart.total"],
	definition: ["ragnav definition shop/cart.py:15:20"],
	"type-definition": ["ragnav type-definition shop/cart.py:15:20"],
	identify: ["ragnav identify shop/cart.py:15"],
	outline: ["ragnav outline shop/cart.py"],
	occurrences: ["ragnav occurrences shop/cart.py"],
	files: ['ragnav files --include "src/**"'],
	explore: [
		"ragnav explore Cart.total",
		'ragnav explore "how is the total computed" --token-budget 1000',
	],
	impact: ["ragnav impact", "ragnav impact --since main --depth 3"],
	recheck: [
		"ragnav where-used price_of --json | ragnav recheck -",
		"ragnav recheck RECEIPT",
	],
	trace: ["ragnav trace shop/cart.py:15 v1.2"],
	rename: [
		"ragnav rename price_of cost_of",
		"ragnav rename Cart.total sum --candidates leave --apply",
	],
	ask: [
		'ragnav ask "how is the total computed?"',
		'ragnav ask "how is the total tested?" --tests',
	],
	serve: ["ragnav serve &"],
	"build-graph": ["ragnav build-graph", "ragnav build-graph --watch"],
	export: [
		"ragnav export --scip index.scip",
		"ragnav export --scip index.scip --package shop",
	],
	status: ["ragnav status --limit 20"],
	lsp: ["ragnav lsp --repo ."],
	mcp: ["ragnav mcp --repo .", "ragnav mcp --repo shop --repo lib --read-only"],
	viewer: ["ragnav viewer --open", "ragnav viewer --out site"],
	init: ["ragnav init", "ragnav init --dry-run"],
};

/** Has the help of a command begin with its examples. */
export function addExamples(command: Command): void {
	const examples = EXAMPLES[command.name()] ?? [];
	if (examples.length === 0) return;
	const lines = examples.map((example) => `  ${example}`);
	command.addHelpText("before", `Examples:\n${lines.join("\n")}\n`);
}
