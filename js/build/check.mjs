import { buildQuickly } from "./dev.mjs";
import { checkTypes, lintJavaScript } from "./js-checks.mjs";
import { asProgram } from "./run.mjs";
import {
	checkRustFormat,
	lintRustWithAllFeatures,
	testRust,
} from "./rust-checks.mjs";
import { setUpCompilers } from "./setup.mjs";
import { runSteps } from "./steps.mjs";

/** Tests of the bounds on large texts: they take most of the time of all native tests. */
const LARGE_TEXTS = [
	"hostile_input::",
	"partial::",
	"deep_and_long_texts",
	"long_texts_are_read",
];

/** What can be told of an edit within a minute; `npm test` tells the rest. */
const STEPS = {
	setup: setUpCompilers,
	format: checkRustFormat,
	lint: lintJavaScript,
	clippy: lintRustWithAllFeatures,
	rust: () =>
		testRust(["--", ...LARGE_TEXTS.flatMap((name) => ["--skip", name])]),
	// The types of the JavaScript are generated from the Rust types.
	package: buildQuickly,
	types: checkTypes,
};

await asProgram(() => runSteps(STEPS, process.argv.slice(2)));
