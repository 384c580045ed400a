import { describeSteps } from "../../../core/step-words.js";
import type { NavItem } from "../../../entries/node.js";
import { printable, shownPath, type View } from "../view.js";

/** Says how the name of a row leads to the symbol; empty if nothing lies between them. */
export function stepsOf({ steps = [] }: NavItem, view: View): string {
	const shown = steps.map((step) => ({
		...step,
		file: shownPath(view, step.file),
	}));
	return printable(describeSteps(shown));
}
