import { inRoot } from "../js/build/paths.mjs";

/** Loads the built package, which may be built after this file is imported. */
export async function loadPackage() {
	const at = (/** @type {string[]} */ ...names) =>
		inRoot("pkg", "dist", "esm", ...names);
	const { open, applyPlan } =
		/** @type {typeof import("../js/entries/node.js")} */ (
			await import(at("node.js"))
		);
	const { nodeHost } =
		/** @type {typeof import("../js/hosts/node/host.js")} */ (
			await import(at("hosts", "node.js"))
		);
	const { memoryHost } =
		/** @type {typeof import("../js/hosts/memory/host.js")} */ (
			await import(at("hosts", "memory.js"))
		);
	return { open, applyPlan, nodeHost, memoryHost };
}

/**
 * Opens a navigator of the built package over a folder, with an index in memory.
 *
 * @param {string} folder
 */
export async function navigator(folder) {
	const { open, nodeHost } = await loadPackage();
	const nav = await open(nodeHost(folder, { readOnly: true }));
	await nav.buildGraph();
	return nav;
}
