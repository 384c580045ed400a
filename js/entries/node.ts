import "./core-node.js";

export * from "../core/api.js";
export {
	findRepository,
	type Repository,
} from "../hosts/node/find-repository.js";
