/**
 * Reads the snapshot tests of SCIP indexers as indexes, and compares references: those of answers
 * that rest on such an index, and those that ragnav resolves itself, with those of the snapshot.
 * `npm run scip-snapshots -- FOLDER` measures the checkouts in a folder; with `--write` it writes
 * `bench/REPORT-scip.md`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import {
	DocumentSchema,
	IndexSchema,
	MetadataSchema,
	OccurrenceSchema,
	PositionEncoding,
} from "@c4312/scip/scip_pb.js";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem, say } from "../js/build/run.mjs";
import { list } from "./ask.mjs";
import { loadPackage } from "./navigator.mjs";
import { readSnapshot } from "./snapshot-format.mjs";
import { table } from "./table.mjs";

/** @typedef {import("./snapshot-format.mjs").Occurrence} Occurrence */
/** @typedef {{ files: Record<string, string>, marks: Map<string, Occurrence[]> }} Program */
/** @typedef {{ symbols: number, found: number, missed: string[], extra: string[] }} Score */

/**
 * The snapshot tests of an indexer.
 *
 * @typedef {object} Suite
 * @property {string} name the name of its repository
 * @property {string[]} languages the extensions that are compared
 * @property {(checkout: string) => { name: string, files: Map<string, string>, snapshots: Map<string, string> }[]} programs
 *   the paths of their files and snapshots on disk, by the path in the program
 */

/** @type {Suite[]} */
const SUITES = [
	{
		name: "scip-typescript",
		languages: [".ts", ".tsx", ".js", ".jsx"],
		programs: (checkout) => besideInput(join(checkout, "snapshots")),
	},
	{
		name: "scip-python",
		languages: [".py"],
		programs: (checkout) =>
			besideInput(join(checkout, "packages", "pyright-scip", "snapshots")),
	},
	{
		name: "scip-go",
		languages: [".go"],
		programs: (checkout) =>
			besideInput(join(checkout, "internal", "testdata", "snapshots")),
	},
	{
		name: "scip-java",
		languages: [".java", ".kt"],
		programs: (checkout) =>
			["java", "kotlin"].flatMap((language) =>
				expected(checkout, join(checkout, "scip-snapshots/expected", language)),
			),
	},
	{
		name: "scip-clang",
		languages: [".c", ".cc", ".cpp", ".cu", ".h"],
		programs: (checkout) => withSuffix(join(checkout, "test", "index")),
	},
];
const INDEX = "index.scip";

/** What is compared. */
const OF_INDEX = "rows of the index";
const WITH_INDEX = "answers with the index";
const ALONE = "ragnav alone";

/** The names of constructors in symbols. Their calls count as references to the class. */
const CONSTRUCTOR = /(?:`<(?:init|constructor)>`|__init__)\([^)]*\)\.$/;

await asProgram(async () => {
	const [root, ...options] = process.argv.slice(2);
	if (!root) throw new Problem("Name the folder with the checkouts.");
	const rows = [];
	for (const suite of SUITES) {
		const checkout = join(root, suite.name);
		if (!existsSync(checkout)) {
			say(`${suite.name} is not there`);
			continue;
		}
		const scores = await measure(suite, checkout);
		for (const [what, score] of Object.entries(scores)) {
			rows.push([suite.name, what, ...cellsOf(score)]);
			list(`${suite.name}, ${what}`, [...score.missed, ...score.extra]);
		}
	}
	const head = ["indexer", "answers", "symbols", "references"];
	const report = table([...head, "precision", "recall"], rows);
	say(report);
	if (options.includes("--write"))
		writeFileSync(inRoot("bench", "REPORT-scip.md"), page(report));
});

/** @param {string} folder with `input` and `output`, which have a folder for each program */
function besideInput(folder) {
	return readdirSync(join(folder, "output")).map((name) => ({
		name,
		files: under(join(folder, "input", name)),
		snapshots: under(join(folder, "output", name)),
	}));
}

/**
 * @param {string} checkout
 * @param {string} folder with snapshots for each program, by the paths of the checkout
 */
function expected(checkout, folder) {
	return readdirSync(folder).map((name) => {
		const snapshots = under(join(folder, name));
		const files = [...snapshots.keys()].map((path) => {
			return /** @type {[string, string]} */ ([path, join(checkout, path)]);
		});
		return { name, files: new Map(files), snapshots };
	});
}

/** @param {string} folder with programs, whose snapshots have another extension */
function withSuffix(folder) {
	return readdirSync(folder).map((name) => {
		const all = [...under(join(folder, name))];
		const isSnapshot = (/** @type {string} */ path) =>
			/\.snapshot\.\w+$/.test(path);
		const snapshots = all.filter(([path]) => isSnapshot(path));
		return {
			name,
			files: new Map(all.filter(([path]) => !isSnapshot(path))),
			snapshots: new Map(
				snapshots.map(([path, at]) => [path.replace(".snapshot", ""), at]),
			),
		};
	});
}

/**
 * @param {string} folder
 * @returns {Map<string, string>}
 */
function under(folder) {
	if (!existsSync(folder)) return new Map();
	const paths = filesUnder(folder);
	return new Map(
		paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), path]),
	);
}

/**
 * @param {Suite} suite
 * @param {string} checkout
 */
async function measure(suite, checkout) {
	const scores = {
		[OF_INDEX]: emptyScore(),
		[WITH_INDEX]: emptyScore(),
		[ALONE]: emptyScore(),
	};
	for (const { name, files, snapshots } of suite.programs(checkout)) {
		const program = read(suite, files, snapshots);
		if (program.marks.size === 0) continue;
		const { open, memoryHost } = await loadPackage();
		const both = { ...program.files, [INDEX]: indexOf(program) };
		for (const [what, score] of Object.entries(scores)) {
			const isIndexed = what !== ALONE;
			const host = memoryHost(isIndexed ? both : program.files);
			const nav = await open(host, isIndexed ? { scip: [INDEX] } : {});
			const counts = (/** @type {Row} */ row) =>
				what === OF_INDEX
					? row.evidence === "compiler"
					: row.resolution === "resolved";
			await compare(nav, program, { name, score, counts });
			nav.close();
		}
	}
	return scores;
}

/**
 * @param {Suite} suite
 * @param {Map<string, string>} files
 * @param {Map<string, string>} snapshots
 * @returns {Program}
 */
function read(suite, files, snapshots) {
	/** @type {Program} */
	const program = { files: {}, marks: new Map() };
	for (const [path, at] of files) {
		if (existsSync(at)) program.files[path] = readFileSync(at, "utf8");
	}
	for (const [path, at] of snapshots) {
		const source = program.files[path];
		if (source === undefined || !suite.languages.includes(extname(path)))
			continue;
		const marks = readSnapshot(readFileSync(at, "utf8"), source);
		if (marks !== undefined) program.marks.set(path, marks);
	}
	return program;
}

/** @param {Program} program */
function indexOf({ marks }) {
	const documents = [...marks].map(([relativePath, occurrences]) =>
		create(DocumentSchema, {
			relativePath,
			positionEncoding: PositionEncoding.UTF16CodeUnitOffsetFromLineStart,
			occurrences: occurrences.map(({ line, start, end, role, symbol }) =>
				create(OccurrenceSchema, {
					range: [line - 1, start, end],
					symbol,
					symbolRoles: role === "definition" ? 1 : 0,
				}),
			),
		}),
	);
	const metadata = create(MetadataSchema, {});
	return toBinary(IndexSchema, create(IndexSchema, { metadata, documents }));
}

/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof loadPackage>>["open"]>>} Navigator */

/** @typedef {Awaited<ReturnType<Navigator["whereUsed"]>>["items"][number]} Row */

/**
 * Asks where each definition of a program is used that ragnav has, too.
 *
 * @param {Navigator} nav
 * @param {Program} program
 * @param {{ name: string, score: Score, counts: (row: Row) => boolean }} asked
 */
async function compare(nav, { marks }, { name, score, counts }) {
	for (const { file, line, start, symbol } of definitions(marks)) {
		const place = `${file}:${line}:${start + 1}`;
		const answer = await nav.whereUsed(place, { limit: 1000 });
		const [own, other] = answer.definitions ?? [];
		const isOwn = own?.file === file && own.start_line <= line;
		if (!isOwn || other !== undefined) continue;
		const rows = answer.items.filter((row) => marks.has(row.file));
		const found = new Set(rows.filter(counts).map(placeOf));
		const truth = referencesTo(marks, symbol);
		score.symbols += 1;
		for (const at of truth) {
			if (found.has(at)) score.found += 1;
			else score.missed.push(`missed in ${name}: ${at} of ${symbol}`);
		}
		for (const at of found) {
			if (truth.has(at)) continue;
			score.extra.push(`extra in ${name}: ${at} of ${symbol}`);
		}
	}
}

/** @param {Row} row */
function placeOf({ file, line, start_utf16 }) {
	return `${file}:${line}:${start_utf16 + 1}`;
}

/**
 * Returns the definitions that are the only ones of their symbol.
 *
 * @param {Map<string, Occurrence[]>} marks
 */
function definitions(marks) {
	const all = [...marks].flatMap(([file, occurrences]) =>
		occurrences
			.filter(({ role, symbol }) => role === "definition" && isAsked(symbol))
			.map((one) => ({ file, ...one })),
	);
	const counts = new Map();
	for (const { symbol } of all)
		counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
	return all.filter(({ symbol }) => counts.get(symbol) === 1);
}

/** @param {string} symbol */
function isAsked(symbol) {
	return !symbol.startsWith("local ") && !CONSTRUCTOR.test(symbol);
}

/**
 * Returns the places of the references to a symbol, and to its constructors.
 *
 * @param {Map<string, Occurrence[]>} marks
 * @param {string} symbol
 */
function referencesTo(marks, symbol) {
	/** @type {Set<string>} */
	const found = new Set();
	const isMeant = (/** @type {string} */ other) =>
		other === symbol ||
		(other.startsWith(symbol) && other.replace(CONSTRUCTOR, "") === symbol);
	for (const [file, occurrences] of marks) {
		for (const one of occurrences) {
			if (one.role === "definition" || !isMeant(one.symbol)) continue;
			found.add(`${file}:${one.line}:${one.start + 1}`);
		}
	}
	return found;
}

/** @returns {Score} */
function emptyScore() {
	return { symbols: 0, found: 0, missed: [], extra: [] };
}

/** @param {Score} score */
function cellsOf({ symbols, found, missed, extra }) {
	const share = (/** @type {number} */ whole) =>
		whole === 0 ? "-" : (found / whole).toFixed(3);
	const all = found + missed.length;
	return [`${symbols}`, `${all}`, share(found + extra.length), share(all)];
}

/** @param {string} report */
function page(report) {
	return `# References beside SCIP indexers

\`npm run scip-snapshots -- FOLDER --write\` wrote this page. FOLDER holds checkouts of the indexers.

The snapshot tests of an indexer are small programs with each occurrence that its index has.
Each program is read as such an index, and \`whereUsed\` is asked about every definition that both know.
"rows of the index" are those with \`evidence: "compiler"\`: they show whether an index is read as it
was meant. "answers with the index" have ragnav's own rows besides, for code that an indexer leaves
out, such as dependent names in templates. "ragnav alone" are answers without an index.
Rows that are candidates do not count, and calls of a constructor count as references to its class.

${report}
`;
}
