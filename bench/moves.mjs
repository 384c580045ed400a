/**
 * Moves definitions chosen by chance to new files, and compiles and runs: a move is right if nothing
 * fails that did not fail before. With `--write` it writes `bench/REPORT-moves.md`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import ts from "typescript-api";
import { build } from "../js/build/build.mjs";
import { filesUnder } from "../js/build/cache.mjs";
import { inRoot } from "../js/build/paths.mjs";
import { asProgram, Problem, say } from "../js/build/run.mjs";
import { chance } from "./chance.mjs";
import { sources } from "./corpus.mjs";
import {
	counted,
	HEAD,
	rowOf,
	SOURCE,
	tryPlans,
	typescriptErrors,
} from "./edit-trials.mjs";
import { npmPackage } from "./npm-corpus.mjs";
import { table } from "./table.mjs";

/** @type {{ release: string, fetch: (release: string) => Promise<string>, compile: import("./edit-trials.mjs").Compile }[]} */
const CORPORA = [
	{ release: "click-8.1.8", fetch: sources, compile: pythonErrors },
	{ release: "rich-13.9.4", fetch: sources, compile: pythonErrors },
	{ release: "rxjs@7.8.2", fetch: npmPackage, compile: typescriptErrors },
	{ release: "zod@4.1.12", fetch: npmPackage, compile: typescriptErrors },
];
const MOVES = Number(process.env.RAGNAV_MOVES ?? 25);
const SEED = 29;
const STEM = "moved_here";
const LEFT_OUT = /\.d\.[cm]?ts$|(?:^|\/)(?:dist|docs|examples)\//;

/**
 * Compiles every file of Python, and imports every module of packages, each in a process of its own
 * so that the order of imports does not hide a circle.
 */
const IMPORT_ALL = `
import os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
top = sys.argv[1]
def imported(item):
    root, module = item
    run = subprocess.run([sys.executable, "-c", "import " + module], cwd=root, stdin=subprocess.DEVNULL,
        capture_output=True, text=True)
    return module + " " + run.stderr.strip().splitlines()[-1] if run.returncode else None
modules = []
for folder, names, files in os.walk(top):
    names[:] = sorted(name for name in names if not name.startswith("."))
    for name in sorted(files):
        path = os.path.join(folder, name)
        if not name.endswith(".py"): continue
        try: compile(open(path, "rb").read(), path, "exec")
        except SyntaxError as error: print(os.path.relpath(path, top), error.msg); continue
        root = folder
        if not os.path.exists(os.path.join(folder, "__init__.py")): continue
        while os.path.exists(os.path.join(root, "__init__.py")): root = os.path.dirname(root)
        if os.path.basename(folder) in ("tests", "docs") or name == "__main__.py": continue
        module = os.path.relpath(path, root)[:-3].replace(os.sep, ".").removesuffix(".__init__")
        modules.append((root, module))
with ThreadPoolExecutor(4) as pool:
    for error in pool.map(imported, modules):
        if error: print(error)
`;

await asProgram(async () => {
	await build();
	const rows = [];
	let broken = 0;
	for (const corpus of CORPORA) {
		const result = await tryPlans(corpus, chosen);
		rows.push(rowOf(corpus.release, result));
		broken += result.broken.length;
	}
	const report = table(HEAD, rows);
	say(report);
	if (process.argv.includes("--write")) {
		writeFileSync(inRoot("bench", "REPORT-moves.md"), page(report));
	}
	if (broken > 0) throw new Problem("Some moves break code.");
});

/**
 * Returns the moves of definitions at the top of files, chosen by chance.
 *
 * @param {import("../js/core/navigator.js").Navigator} nav
 * @param {string} folder
 * @returns {Promise<import("./edit-trials.mjs").Trial[]>}
 */
async function chosen(nav, folder) {
	const files = filesUnder(folder)
		.map((file) => relative(folder, file))
		.filter((file) => SOURCE.test(file) && !LEFT_OUT.test(file));
	/** @type {import("./edit-trials.mjs").Trial[]} */
	const left = [];
	for (const file of files.sort()) {
		const target = join(dirname(file), `${STEM}${extname(file)}`);
		for (const { symbol } of (await nav.outline(file)).items) {
			const options = { candidates: /** @type {const} */ ("leave") };
			const plan = () => nav.movePlan(symbol, target, options);
			left.push({ symbol, plan, known: (error) => error });
		}
	}
	const { pick } = chance(SEED);
	const count = Math.min(MOVES, left.length);
	return Array.from({ length: count }, () => {
		const [one] = left.splice(pick(left.length), 1);
		return /** @type {typeof left[number]} */ (one);
	});
}

/** @type {import("./edit-trials.mjs").Compile} */
function pythonErrors(folder) {
	const { stdout, status, stderr } = spawnSync(
		"python3",
		["-c", IMPORT_ALL, folder],
		{ encoding: "utf8", maxBuffer: 1 << 28 },
	);
	if (status !== 0) throw new Problem(`Python failed: ${stderr}`);
	return counted(stdout.split("\n").filter(Boolean));
}

function page(/** @type {string} */ report) {
	return `# Moves beside compilers

\`npm run moves -- --write\` wrote this page.

Of each repository ${MOVES} definitions at the top of files, chosen by chance, move to a new file beside theirs.
References that only share the name are left.
A plan without refusals is applied.
Then every file of Python is compiled and every module of its packages is imported in a process of its own;
TypeScript ${ts.version} checks the other repositories.
A move breaks code if that finds an error that it did not find before.

${report}
`;
}
