// Random repositories and what may happen to them, as fast-check draws it.
import fc from "fast-check";

/** Names that definitions are given. */
export const NAMES = ["load", "save", "Load", "run", "f"];
/** Words that lines are made of. */
const WORDS = ["needle", "hay", "Needle", "né", "x"];
const FOLDERS = ["", "src/", "src/pkg/", "docs/", "build/"];
const FILES = [
	"a.py",
	"b.py",
	"__init__.py",
	"naïve.py",
	"notes.txt",
	"data.bin",
	"c.md",
	"d.log",
];

/** The ignore rules that every repository begins with. */
export const FIRST_RULES = "build/\n*.log\n";
/** A file that they ignore. */
export const IGNORED_FILE = "build/out.py";
/** A file that nothing but its editor has. */
export const UNSAVED_FILE = "src/unsaved.py";

const RULES = ["*.txt", "/src/", "!/build/", "a.py", "docs/*.md", "!*.log"];

const word = fc.constantFrom(...WORDS);
const name = fc.constantFrom(...NAMES);
const path = fc
	.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...FILES))
	.map(([folder, file]) => folder + file);

const nested = fc
	.tuple(name, name, word)
	.map(
		([outer, inner, text]) =>
			`class ${outer}:\n    def ${inner}(self):\n        return ${text}\n`,
	);

/** Some lines of code or prose. */
const piece: fc.Arbitrary<string> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc
			.tuple(name, word)
			.map(([of, text]) => `def ${of}():\n    return ${text}\n`),
	},
	fc
		.tuple(name, word)
		.map(([of, text]) => `@${text}\ndef ${of}(x):\n    # ${text}\n\n    x\n`),
	nested,
	word.map((text) => `${text} = "needle"\n`),
	word.map((text) => `${text} needle`),
	fc.constantFrom("\n", '"""\n', "def (:\n", "\r\n"),
);

const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));

const content: fc.Arbitrary<Buffer> = fc.oneof(
	{ weight: 9, arbitrary: text.map((words) => Buffer.from(words)) },
	text.map((words) => Buffer.from(`needle\0${words}`)),
	text.map((words) => Buffer.from(`needle \xe9 ${words}`, "latin1")),
);

/** Which of the files that are there: taken modulo their number. */
const at = fc.nat({ max: 30 });

/** Something that happens to a working tree. */
export type Operation =
	| {
			does: "edit";
			at: number;
			how: "append" | "insert" | "replace";
			text: string;
	  }
	| { does: "sameSize"; at: number }
	| { does: "rename"; at: number; path: string }
	| { does: "swap"; at: number; other: number }
	| { does: "remove"; at: number }
	| { does: "add"; path: string; content: Buffer }
	| { does: "checkout"; commit: number; force: boolean }
	| { does: "commit" }
	| { does: "stash"; untracked: boolean }
	| { does: "pop" }
	| {
			does: "buffer";
			at: number;
			how: "changed" | "same" | "new";
			text: string;
	  }
	| { does: "closeBuffers" }
	| { does: "ignored"; content: Buffer }
	| { does: "rule"; rule: string }
	| { does: "assumeUnchanged"; at: number; text: string }
	| { does: "clock"; at: number; seconds: number }
	| { does: "touch"; at: number }
	| { does: "deny"; at: number; folder: boolean }
	| { does: "toFolder"; at: number }
	| { does: "toLink"; at: number; to: "copy" | "other" | "outside" }
	| { does: "restore" }
	| { does: "build" };

const operation: fc.Arbitrary<Operation> = fc.oneof(
	fc.record({
		does: fc.constant("edit" as const),
		at,
		how: fc.constantFrom("append", "insert", "replace"),
		text,
	}),
	fc.record({ does: fc.constant("sameSize" as const), at }),
	fc.record({ does: fc.constant("rename" as const), at, path }),
	fc.record({ does: fc.constant("swap" as const), at, other: at }),
	fc.record({ does: fc.constant("remove" as const), at }),
	fc.record({ does: fc.constant("add" as const), path, content }),
	fc.record({
		does: fc.constant("checkout" as const),
		commit: fc.nat({ max: 5 }),
		force: fc.boolean(),
	}),
	fc.record({ does: fc.constant("commit" as const) }),
	fc.record({ does: fc.constant("stash" as const), untracked: fc.boolean() }),
	fc.record({ does: fc.constant("pop" as const) }),
	fc.record({
		does: fc.constant("buffer" as const),
		at,
		how: fc.constantFrom("changed", "same", "new"),
		text,
	}),
	fc.record({ does: fc.constant("closeBuffers" as const) }),
	fc.record({ does: fc.constant("ignored" as const), content }),
	fc.record({
		does: fc.constant("rule" as const),
		rule: fc.constantFrom(...RULES),
	}),
	fc.record({ does: fc.constant("assumeUnchanged" as const), at, text }),
	fc.record({
		does: fc.constant("clock" as const),
		at,
		seconds: fc.constantFrom(-86_400, 0, 1, 4_000_000_000),
	}),
	fc.record({ does: fc.constant("touch" as const), at }),
	fc.record({ does: fc.constant("deny" as const), at, folder: fc.boolean() }),
	fc.record({ does: fc.constant("toFolder" as const), at }),
	fc.record({
		does: fc.constant("toLink" as const),
		at,
		to: fc.constantFrom("copy", "other", "outside"),
	}),
	fc.record({ does: fc.constant("restore" as const) }),
	fc.record({ does: fc.constant("build" as const) }),
);

/** What the files of one commit are made into. */
export type Stage = { path: string; content: Buffer }[];

const stage: fc.Arbitrary<Stage> = fc.array(fc.record({ path, content }), {
	minLength: 1,
	maxLength: 5,
});

/** A repository's beginnings and what happens to it. */
export interface Story {
	stages: Stage[];
	/** Whether files are left alone for a while before they are indexed, so that their stamps prove something. */
	settles: boolean;
	/** Whether the navigator that built the index is asked, or one that has not seen it yet. */
	sameNavigator: boolean;
	operations: Operation[];
}

export const story: fc.Arbitrary<Story> = fc.record({
	stages: fc.array(stage, { minLength: 1, maxLength: 3 }),
	settles: fc.boolean(),
	sameNavigator: fc.boolean(),
	operations: fc.array(operation, { minLength: 1, maxLength: 6 }),
});
