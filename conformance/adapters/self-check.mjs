/**
 * A tool that reads every file for each answer. It has an index only to know whether it would be
 * current. If it finds other rows than a vector has, the vector is wrong.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {import("../types.d.ts").Asked} Asked */
/** @typedef {import("../types.d.ts").Row} Row */

const INDEX = ".self-check.json";
const UTF_16_MARK = Buffer.from([0xff, 0xfe]);
const LATIN_1 = /^#.*coding: latin-1/;

/** @type {import("../types.d.ts").Adapter} */
export const selfCheck = {
	name: "self-check",
	index_paths: [INDEX],
	asks: ["definitions", "references", "search"],
	has_buffers: true,
	claims: "It compares a hash of all texts with that in its index.",
	version: async () => "the self-check of the vectors",
	open: async (folder) => new SelfCheck(folder),
};

class SelfCheck {
	#folder;
	/** @type {Map<string, string>} */
	#buffers = new Map();

	/** @param {string} folder */
	constructor(folder) {
		this.#folder = folder;
	}

	async index() {
		writeFileSync(join(this.#folder, INDEX), this.#hash(new Map()));
	}

	async interruptIndex() {
		writeFileSync(join(this.#folder, INDEX), "half");
	}

	/**
	 * @param {string} file
	 * @param {string | null} text
	 */
	async setBuffer(file, text) {
		if (text === null) this.#buffers.delete(file);
		else this.#buffers.set(file, text);
	}

	/**
	 * @param {Asked} asked
	 * @returns {Promise<import("../types.d.ts").Answer>}
	 */
	async ask(asked) {
		const isLine = matcherOf(asked);
		/** @type {Row[]} */
		const rows = [];
		for (const [file, text] of this.#texts(this.#buffers)) {
			if (asked.ask !== "search" && !file.endsWith(".py")) continue;
			text.split("\n").forEach((content, at) => {
				if (isLine(content))
					rows.push({ file, line: at + 1, claim: "current" });
			});
		}
		const isCurrent = this.#indexed() === this.#hash(this.#buffers);
		const index = isCurrent ? "current" : "outdated";
		return { kind: "rows", rows, index, complete: true };
	}

	async close() {}

	#indexed() {
		try {
			return readFileSync(join(this.#folder, INDEX), "utf8");
		} catch {
			return undefined;
		}
	}

	/** @param {Map<string, string>} buffers */
	#hash(buffers) {
		const texts = JSON.stringify([...this.#texts(buffers)]);
		return createHash("sha256").update(texts).digest("hex");
	}

	/**
	 * @param {Map<string, string>} buffers
	 * @returns {Map<string, string>}
	 */
	#texts(buffers) {
		const files = new Map(
			filesBelow(this.#folder, "").map((file) => [
				file,
				decoded(readFileSync(join(this.#folder, file))),
			]),
		);
		for (const [file, text] of buffers) files.set(file, text);
		return new Map([...files].sort());
	}
}

/**
 * @param {Asked} asked
 * @returns {(line: string) => boolean}
 */
function matcherOf(asked) {
	if (asked.ask === "search") return (line) => line.includes(asked.text);
	const definition = new RegExp(`^\\s*(?:def|class) ${asked.symbol}\\b`);
	const word = new RegExp(
		`(?<![\\p{L}\\d_])${asked.symbol}(?![\\p{L}\\d_])`,
		"u",
	);
	const isDefinition = (/** @type {string} */ line) =>
		/[^\0-\x7f]/.test(asked.symbol)
			? line.startsWith(`def ${asked.symbol}(`)
			: definition.test(line);
	if (asked.ask === "definitions") return isDefinition;
	return (line) =>
		word.test(line) && !isDefinition(line) && !line.startsWith("#");
}

/**
 * Returns the regular files outside of hidden folders.
 *
 * @param {string} folder
 * @param {string} below
 * @returns {string[]}
 */
function filesBelow(folder, below) {
	const entries = readdirSync(join(folder, below), { withFileTypes: true });
	return entries.flatMap((entry) => {
		if (entry.name.startsWith(".")) return [];
		const path = below ? `${below}/${entry.name}` : entry.name;
		if (entry.isDirectory()) return filesBelow(folder, path);
		return entry.isFile() ? [path] : [];
	});
}

/** @param {Buffer} bytes */
function decoded(bytes) {
	if (bytes.subarray(0, 2).equals(UTF_16_MARK))
		return bytes.toString("utf16le");
	const latin = bytes.toString("latin1");
	return LATIN_1.test(latin) ? latin : bytes.toString("utf8");
}
