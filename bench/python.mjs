import { findProgram, output } from "../js/build/run.mjs";

/** @type {{ file: string | undefined } | undefined} */
let found;

/** Python itself and not a script that chooses one, which would be measured with it. */
export function pythonProgram() {
	found ??= { file: pythonItself() };
	return found.file;
}

function pythonItself() {
	const named = findProgram(["python3"]);
	if (!named) return undefined;
	const code = "import sys; print(sys.executable)";
	return output(named, ["-c", code])?.trim() || named;
}
