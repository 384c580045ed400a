import buffers from "./buffers.mjs";
import clocks from "./clocks.mjs";
import edits from "./edits.mjs";
import gitMovement from "./git-movement.mjs";
import gitStructures from "./git-structures.mjs";
import links from "./links.mjs";
import renames from "./renames.mjs";
import sameSize from "./same-size.mjs";
import text from "./text.mjs";
import theIndex from "./the-index.mjs";

/** All groups, in the order of the report. */
export const GROUPS = [
	edits,
	sameSize,
	renames,
	gitMovement,
	gitStructures,
	text,
	links,
	clocks,
	buffers,
	theIndex,
];
