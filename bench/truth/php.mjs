import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
	createMessageConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { filesUnder } from "../../js/build/cache.mjs";
import { inRoot } from "../../js/build/paths.mjs";
import { output, Problem } from "../../js/build/run.mjs";

const SERVER = "phpantom_lsp";

/**
 * PHPantom, a language server for PHP that infers types. PHP itself divides the files into names.
 *
 * @type {import("../compilers.mjs").Compiler}
 */
export const PHPANTOM = {
	name: "PHPantom 0.10",
	async usesOf(root) {
		const files = namesIn(root);
		const server = await start(root);
		try {
			return await declarations(root, files, server);
		} finally {
			server.close();
		}
	},
};

/**
 * PHP-Parser, a parser of PHP in PHP.
 *
 * @type {import("../facts-comparison.mjs").Parser}
 */
export const PHP_PARSER = {
	name: "PHP-Parser 4.15",
	language: "php",
	async factsOf(root) {
		const program = inRoot("bench", "truth", "php_facts.php");
		const printed = output("php", [program, root]);
		if (printed === undefined)
			throw new Problem(
				"PHP-Parser is missing. Install it: apt-get install php-cli php-parser.",
			);
		return printed;
	},
};

/**
 * A name, the line from 1, the column from 0, and the kind of what the name declares.
 *
 * @typedef {[name: string, line: number, column: number, kind: "type" | "method" | "function" |
 * null]} Name
 */
/** @typedef {Awaited<ReturnType<typeof start>>} Server */
/** @typedef {import("../compilers.mjs").Declaration} Declaration */

/**
 * @param {string} root
 * @returns {Map<string, Name[]>}
 */
function namesIn(root) {
	const paths = filesUnder(root).map((file) =>
		relative(root, file).split(sep).join("/"),
	);
	const own = paths.filter(
		(path) => path.endsWith(".php") && !path.startsWith("vendor/"),
	);
	const script = inRoot("bench", "truth", "php_names.php");
	const printed = output("php", [script, root, ...own]);
	if (printed === undefined)
		throw new Problem("PHP is missing. Install it: apt-get install php-cli.");
	const lines = printed.split("\n").filter(Boolean);
	return new Map(
		lines.map((line) => {
			const { file, names } = JSON.parse(line);
			return [file, names];
		}),
	);
}

/**
 * @param {string} root
 * @param {Map<string, Name[]>} files
 * @param {Server} server
 */
async function declarations(root, files, server) {
	/** @type {Map<string, Declaration[]>} */
	const declared = new Map();
	for (const [file, names] of files) {
		for (const [name, line, column, kind] of names) {
			if (!kind) continue;
			const place = { file, line, column };
			// The line of a creation names the class, not its constructor.
			const asked = name === "__construct" ? "other" : kind;
			const known = declared.get(`${file}:${line}`) ?? [];
			known.push({ ...place, name, kind: asked, uses: [] });
			declared.set(`${file}:${line}`, known);
		}
	}
	/** @type {Declaration} */
	const others = {
		...{ file: "", line: 0, column: 0, name: "" },
		...{ kind: "other", uses: [] },
	};
	for (const file of files.keys())
		server.open(file, readFileSync(join(root, file), "utf8"));
	for (const [file, names] of files) {
		for (const [name, line, column, kind] of names) {
			if (kind) continue;
			const places = await server.definitions(file, line, column);
			for (const place of places) {
				const there = declared.get(place) ?? [];
				const one = there.find((one) => one.name === name) ?? there[0];
				(one ?? others).uses.push([file, line, column]);
			}
		}
	}
	const all = [...declared.values()].flat().concat(others);
	return all.map((one) => JSON.stringify(one)).join("\n");
}

/** @param {string} root */
async function start(root) {
	const process = spawn(SERVER, [], { stdio: ["pipe", "pipe", "ignore"] });
	await new Promise((resolve, reject) => {
		process.on("spawn", resolve);
		process.on("error", () =>
			reject(
				new Problem(
					`${SERVER} is missing: cargo install --locked --ignore-rust-version ${SERVER}@0.10.0.`,
				),
			),
		);
	});
	const connection = createMessageConnection(
		new StreamMessageReader(process.stdout),
		new StreamMessageWriter(process.stdin),
	);
	connection.onRequest(() => null);
	connection.listen();
	const uri = pathToFileURL(root).href;
	await connection.sendRequest("initialize", {
		processId: null,
		rootUri: uri,
		workspaceFolders: [{ uri, name: "corpus" }],
		capabilities: {},
	});
	await connection.sendNotification("initialized", {});
	const uriOf = (/** @type {string} */ file) =>
		pathToFileURL(join(root, file)).href;
	return {
		open(/** @type {string} */ file, /** @type {string} */ text) {
			const textDocument = {
				uri: uriOf(file),
				languageId: "php",
				version: 1,
				text,
			};
			connection.sendNotification("textDocument/didOpen", { textDocument });
		},
		/**
		 * Returns the lines that declare what a name means.
		 *
		 * @param {string} file
		 * @param {number} line
		 * @param {number} column
		 */
		async definitions(file, line, column) {
			/** @type {any} */
			const found = await connection.sendRequest("textDocument/definition", {
				textDocument: { uri: uriOf(file) },
				position: { line: line - 1, character: column },
			});
			const list = Array.isArray(found) ? found : found ? [found] : [];
			return list.map((one) => {
				const range = one.targetSelectionRange ?? one.range;
				const target = fileURLToPath(one.targetUri ?? one.uri);
				const path = relative(root, target).split(sep).join("/");
				return `${path}:${range.start.line + 1}`;
			});
		},
		close() {
			connection.dispose();
			process.kill();
		},
	};
}
