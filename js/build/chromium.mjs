import { aptInstall, hasApt } from "./debian.mjs";
import { findProgram, Problem } from "./run.mjs";

const NAMES = [
	"chromium",
	"chromium-browser",
	"google-chrome",
	"google-chrome-stable",
	"msedge",
];

/** A browser that pages are tested in, installed where it can be. */
export async function chromium() {
	const found = findProgram(NAMES);
	if (found) return found;
	if (hasApt()) await aptInstall(["chromium"]);
	const installed = findProgram(NAMES);
	if (installed) return installed;
	throw new Problem(
		`Missing a browser: install Chromium or Chrome so that one of these is on PATH: ${NAMES.join(", ")}.`,
	);
}
