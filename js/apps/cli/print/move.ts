import type { MovePlanResult } from "../../../entries/node.js";
import type { View } from "../view.js";
import { printPlan } from "./plan.js";
import type { Printed } from "./queries.js";

/** Prints the edits of a move below the names of their files, and why it is refused. */
export function printMove(plan: MovePlanResult, view: View): Printed {
	return printPlan(plan, "only share the name, and are left:", view);
}
