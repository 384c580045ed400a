import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { filesUnder } from "../../js/build/cache.mjs";
import { inRoot } from "../../js/build/paths.mjs";
import { output, Problem } from "../../js/build/run.mjs";

const TIMEOUT_MS = 120_000;
const TESTS = /^(?:spec_.*|test_.*|.*_test)\.rb$/;
const SPECS = /_spec\.rb$/;
const MISSING =
	"Ruby is missing. Install it: apt-get install ruby ruby-minitest ruby-rspec.";

/** The file by which the tests of some projects load Minitest, without its package. */
const EXPECTATIONS = "minitest/global_expectations";
const SHIM = 'require "minitest/autorun"\nrequire "minitest/spec"\n';

/**
 * Ruby itself: the calls that happen while the tests of a project run. There is no compiler that
 * could tell more.
 *
 * A line counts if it names the method once. Constructors and setters are not part of it, since the
 * line of a call does not name them.
 *
 * @type {import("../compilers.mjs").Compiler}
 */
export const RUBY_TESTS = {
	name: "calls while its tests run",
	async usesOf(root) {
		const folder = mkdtempSync(join(tmpdir(), "ragnav-ruby-"));
		try {
			return declarations(root, callsIn(root, folder));
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
};

/**
 * Ripper, the parser of Ruby.
 *
 * @type {import("../facts-comparison.mjs").Parser}
 */
export const RUBY_PARSER = {
	name: "Ripper of Ruby 3.1",
	language: "ruby",
	async factsOf(root) {
		const program = inRoot("bench", "truth", "ruby_facts.rb");
		const printed = output("ruby", [program, root], { timeout: TIMEOUT_MS });
		if (printed === undefined) throw new Problem(MISSING);
		return printed;
	},
};

/** @typedef {[from: string, at: number, to: string, line: number, name: string]} Call */

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Call[]}
 */
function callsIn(root, folder) {
	if (output("ruby", ["--version"]) === undefined) throw new Problem(MISSING);
	const shim = join(folder, "shim");
	mkdirSync(join(shim, EXPECTATIONS), { recursive: true });
	writeFileSync(join(shim, EXPECTATIONS, "autorun.rb"), SHIM);
	const calls = join(folder, "calls");
	writeFileSync(calls, "");
	const paths = ["lib", "test", "spec", shim].flatMap((path) => ["-I", path]);
	const trace = inRoot("bench", "truth", "ruby_calls.rb");
	for (const test of testsIn(root)) {
		const args = ["-C", root, "-W0", ...paths, "-r", trace, ...test];
		const env = { ...process.env, CALLS: calls };
		// Some tests fail here; their calls are true all the same.
		output("ruby", args, { env, timeout: TIMEOUT_MS });
	}
	const lines = new Set(
		readFileSync(calls, "utf8").split("\n").filter(Boolean),
	);
	if (lines.size === 0) throw new Problem(`No test of ${root} ran.`);
	return [...lines].map((line) => JSON.parse(line));
}

/**
 * Returns the arguments of Ruby that run each file with tests, of Minitest or of RSpec.
 *
 * @param {string} root
 */
function testsIn(root) {
	const files = ["test", "spec"]
		.flatMap((folder) => filesUnder(join(root, folder)))
		.map((file) => relative(root, file));
	const ofName = (/** @type {RegExp} */ name) =>
		files.filter((file) => name.test(basename(file)));
	const specs = ofName(SPECS).map((file) => ["-S", "rspec", file]);
	return [...ofName(TESTS).map((file) => [file]), ...specs];
}

/**
 * @param {string} root
 * @param {Call[]} calls
 */
function declarations(root, calls) {
	/** @type {Map<string, string[]>} */
	const texts = new Map();
	const lineOf = (/** @type {string} */ file, /** @type {number} */ line) => {
		const lines =
			texts.get(file) ?? readFileSync(join(root, file), "utf8").split("\n");
		texts.set(file, lines);
		return lines[line - 1] ?? "";
	};
	/** @type {Map<string, import("../compilers.mjs").Declaration>} */
	const found = new Map();
	for (const [from, at, file, line, name] of calls) {
		const column = onlyPlace(lineOf(from, at), name);
		const head = /^\s*def\s+(?:\w+\.)?/.exec(lineOf(file, line))?.[0];
		if (column === undefined || head === undefined) continue;
		if (!lineOf(file, line).startsWith(name, head.length)) continue;
		const key = `${file}:${line}`;
		const declared = found.get(key) ?? {
			file,
			line,
			column: head.length,
			name,
			kind: "method",
			uses: [],
		};
		declared.uses.push([from, at, column]);
		found.set(key, declared);
	}
	return [...found.values()].map((one) => JSON.stringify(one)).join("\n");
}

/**
 * Returns where a line of code names a method, if it does so once.
 *
 * @param {string} line
 * @param {string} name
 */
function onlyPlace(line, name) {
	const word = name.replace(/[?!]/, "\\$&");
	if (!/^\w+[?!]?$/.test(name)) return undefined;
	const code = line.replace(/#(?!\{).*/, "");
	const places = [
		...code.matchAll(new RegExp(`(?<![\\w@:$])${word}(?![\\w?!:])`, "g")),
	];
	return places.length === 1 ? places[0]?.index : undefined;
}
