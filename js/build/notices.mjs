import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ALL_CARGO_FLAGS } from "./cargo-env.mjs";
import { inRoot } from "./paths.mjs";
import { output, Problem } from "./run.mjs";

const METADATA_TIMEOUT_MS = 120_000;

/** The names of licence files in packages. */
const LICENCE_FILE = /^(licen[cs]e|copying|unlicense|notice)/i;

/**
 * A dependency whose code is in the package.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} license
 * @property {string} folder where its sources are
 * @property {"cargo" | "npm"} ecosystem where it comes from, as package URLs name it
 */

/**
 * Returns the dependencies in the package: the crates in `core.wasm` and the grammars, and the npm
 * packages in the modules, the command line and the viewer.
 *
 * @param {string[]} bundled the files that the package was bundled from, relative to the checkout
 * @returns {Part[]}
 */
export function partsOf(bundled) {
	return [...crates(), ...npmPackages(bundled)];
}

/**
 * Returns the licences of the dependencies in the package.
 *
 * @param {readonly Part[]} parts
 */
export function notices(parts) {
	const listed = parts.map(
		({ name, version, license }) => `- ${name} ${version}: ${license}`,
	);
	const texts = [...partsByText(parts)].map(
		([text, names]) => `## ${names.join(", ")}\n\n${text}`,
	);
	const head = "# Other people's code in this package";
	return `${[head, listed.join("\n"), ...texts].join("\n\n")}\n`;
}

/**
 * Writes each text once, because many packages have the same one.
 *
 * @param {readonly Part[]} parts
 */
function partsByText(parts) {
	/** @type {Map<string, string[]>} */
	const names = new Map();
	for (const { name, folder } of parts) {
		for (const text of licenceTexts(folder)) {
			names.set(text, [...(names.get(text) ?? []), name]);
		}
	}
	return names;
}

/** @returns {Part[]} */
function crates() {
	const platform = "--filter-platform=wasm32-unknown-unknown";
	const text = output(
		"cargo",
		["metadata", "--format-version=1", platform, ...ALL_CARGO_FLAGS],
		{ timeout: METADATA_TIMEOUT_MS },
	);
	if (text === undefined) {
		throw new Problem(
			"cargo metadata failed: the licences of the crates cannot be listed",
		);
	}
	/** @type {Metadata} */
	const { packages, resolve } = JSON.parse(text);
	const macros = packages.filter(({ targets }) => isMacro(targets));
	const linked = linkedFrom(resolve, new Set(macros.map(({ id }) => id)));
	return packages
		.filter(({ id }) => linked.has(id))
		.map(({ name, version, license, manifest_path }) => ({
			name,
			version,
			license: license ?? "see below",
			folder: dirname(manifest_path),
			ecosystem: "cargo",
		}));
}

/**
 * @typedef {object} Metadata
 * @property {{ id: string, name: string, version: string, license: string | null, manifest_path:
 * string, targets: { kind: string[] }[] }[]} packages
 * @property {{ root: string, nodes: { id: string, deps: { pkg: string, dep_kinds: { kind: string |
 * null }[] }[] }[] }} resolve
 */

/**
 * Lists the crates in the program, without those of builds, tests and macros.
 *
 * @param {Metadata["resolve"]} resolve
 * @param {Set<string>} macros
 */
function linkedFrom({ root, nodes }, macros) {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const linked = new Set([root]);
	for (const id of linked) {
		for (const { pkg, dep_kinds } of byId.get(id)?.deps ?? []) {
			const isLinked = dep_kinds.some(({ kind }) => kind === null);
			if (isLinked && !macros.has(pkg)) linked.add(pkg);
		}
	}
	linked.delete(root);
	return linked;
}

/** @param {{ kind: string[] }[]} targets */
function isMacro(targets) {
	return targets.some(({ kind }) => kind.includes("proc-macro"));
}

/**
 * @param {string[]} bundled
 * @returns {Part[]}
 */
function npmPackages(bundled) {
	const names = bundled.map(
		(file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1],
	);
	return [...new Set(names)].flatMap((name) => {
		if (!name) return [];
		const folder = inRoot("node_modules", name);
		const manifest = readFileSync(join(folder, "package.json"), "utf8");
		const { version, license } = JSON.parse(manifest);
		return [{ name, version, license, folder, ecosystem: "npm" }];
	});
}

/** @param {string} folder */
function licenceTexts(folder) {
	const files = readdirSync(folder, { withFileTypes: true });
	return files
		.filter((file) => file.isFile() && LICENCE_FILE.test(file.name))
		.map(({ name }) => name)
		.sort()
		.map((name) => readFileSync(join(folder, name), "utf8").trim());
}
