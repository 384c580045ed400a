import "./core-node.js";

export * from "../core/api.js";
export { applyPlan, type EditPlan } from "../hosts/node/apply-plan.js";
export {
	findRepository,
	type Repository,
} from "../hosts/node/find-repository.js";
