import type { RenamePlanResult } from "../../../entries/node.js";
import type { View } from "../view.js";
import { printPlan } from "./plan.js";
import type { Printed } from "./queries.js";

/** Prints the edits of a rename below the names of their files, and why it is refused. */
export function printRename(plan: RenamePlanResult, view: View): Printed {
	return printPlan(plan, "only share the name, and keep it:", view);
}
