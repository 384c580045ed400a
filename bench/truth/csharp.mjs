import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesUnder } from "../../js/build/cache.mjs";
import { inRoot } from "../../js/build/paths.mjs";
import { output, Problem } from "../../js/build/run.mjs";
import { need } from "../corpus.mjs";

const TIMEOUT_MS = 600_000;

/** The packages of Debian with the compiler, Cecil and what the sources refer to. */
const PACKAGES = [
	"mono-mcs",
	"libmono-cecil-private-cil",
	"libmono-system-data4.0-cil",
	"libmono-system-runtime-serialization4.0-cil",
	"libmono-system-xml-linq4.0-cil",
].join(" ");

/** Where these packages install the compiler and Cecil. */
const COMPILER = "/usr/lib/mono/4.5/mcs.exe";
const CECIL =
	"/usr/lib/mono/gac/Mono.Cecil/0.11.0.0__0738eb9f132ed756/Mono.Cecil.dll";

/** The assemblies that the sources refer to. */
const REFERENCES = [
	"System.Core",
	"System.Data",
	"System.Numerics",
	"System.Runtime.Serialization",
	"System.Xml",
	"System.Xml.Linq",
];

/**
 * The parser of Mono's compiler of C#.
 *
 * @type {import("../facts-comparison.mjs").Parser}
 */
export const CSHARP_PARSER = {
	name: "mcs 6.8",
	language: "csharp",
	async factsOf(root) {
		const [mono] = need("mono");
		const scratch = mkdtempSync(join(tmpdir(), "facts-"));
		try {
			const program = join(scratch, "facts.exe");
			const source = inRoot("bench", "truth", "CSharpFacts.cs");
			// A program finds assemblies beside itself.
			copyFileSync(COMPILER, join(scratch, "mcs.exe"));
			const args = [COMPILER, `-r:${COMPILER}`, `-out:${program}`, source];
			if (output(mono, args) === undefined)
				throw new Problem("mcs cannot compile CSharpFacts.");
			const printed = output(mono, [program, root], { timeout: TIMEOUT_MS });
			if (printed === undefined) throw new Problem(`mcs failed on ${root}.`);
			return printed;
		} finally {
			rmSync(scratch, { recursive: true });
		}
	},
};

/**
 * The resolution of Mono's compiler of C#, of the sources in some folders of a repository.
 *
 * @param {string[]} folders
 * @param {string[]} symbols those that conditional compilation tests
 * @returns {import("../compilers.mjs").Compiler}
 */
export function mcs(folders, symbols) {
	return {
		name: "mcs 6.8",
		async usesOf(root) {
			const [mono] = need("mono");
			const scratch = mkdtempSync(join(tmpdir(), "uses-"));
			const program = join(scratch, "uses.exe");
			const source = inRoot("bench", "truth", "CSharpUses.cs");
			const built = output(mono, [
				COMPILER,
				`-r:${CECIL}`,
				`-out:${program}`,
				source,
			]);
			if (built === undefined)
				throw new Problem("mcs cannot compile CSharpUses.");
			const files = folders.flatMap((folder) => filesUnder(join(root, folder)));
			const sources = files.filter((file) => file.endsWith(".cs"));
			const printed = output(
				mono,
				[
					program,
					COMPILER,
					root,
					"-target:library",
					"-unsafe",
					`-out:${join(scratch, "sources.dll")}`,
					`-d:${symbols.join(";")}`,
					...REFERENCES.map((name) => `-r:${name}`),
					...sources,
				],
				{ timeout: TIMEOUT_MS },
			);
			rmSync(scratch, { recursive: true });
			if (!printed)
				throw new Problem(
					`mcs failed on ${root}. It needs these packages: ${PACKAGES}.`,
				);
			return printed;
		},
	};
}
