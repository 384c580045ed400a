import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "./cache.mjs";
import { findProgram, output, Problem, run } from "./run.mjs";

/** Whether Debian packages can be installed, as on Debian and Ubuntu. */
export function hasApt() {
	return (
		existsSync("/etc/debian_version") && findProgram(["apt-get"]) !== undefined
	);
}

/** How long apt waits for another program that installs packages. */
const WAIT_FOR_DPKG = ["-o", "DPkg::Lock::Timeout=600"];

/**
 * Installs packages. Tests that run at once may need the same ones, so they take turns.
 *
 * @param {string[]} packages
 */
export async function aptInstall(packages) {
	const lock = join(tmpdir(), `ragnav-apt-${process.getuid?.() ?? 0}.lock`);
	await withLock(lock, () => install(packages));
}

/** @param {string[]} packages */
async function install(packages) {
	const prefix = asRoot(packages);
	const apt = (/** @type {string[]} */ ...args) => {
		const [command = "", ...rest] = [
			...prefix,
			"apt-get",
			"-q",
			...WAIT_FOR_DPKG,
			...args,
		];
		return run(command, rest, {
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
		});
	};
	const installAll = () =>
		apt("install", "-y", "--no-install-recommends", ...packages);
	try {
		await installAll();
	} catch {
		// A new system has no package lists, and old lists name files that no longer exist.
		await apt("update");
		await installAll();
	}
}

/** @param {string[]} packages */
function asRoot(packages) {
	if (process.getuid?.() === 0) return [];
	if (output("sudo", ["-n", "true"]) !== undefined) return ["sudo", "-n"];
	throw new Problem(
		"Missing system packages. Run: sudo apt-get update && " +
			`sudo apt-get install -y --no-install-recommends ${packages.join(" ")}`,
	);
}
