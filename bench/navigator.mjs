import { inRoot } from "../js/build/paths.mjs";

/**
 * A navigator of the built package over an index of a folder, which is not written to it.
 *
 * @param {string} folder
 */
export async function navigator(folder) {
	const at = (/** @type {string[]} */ ...names) =>
		inRoot("pkg", "dist", "esm", ...names);
	const { open } = /** @type {typeof import("../js/entries/node.js")} */ (
		await import(at("node.js"))
	);
	const { nodeHost } =
		/** @type {typeof import("../js/hosts/node/host.js")} */ (
			await import(at("hosts", "node.js"))
		);
	const nav = await open(nodeHost(folder, { readOnly: true }));
	await nav.buildGraph();
	return nav;
}
