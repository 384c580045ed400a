import { run } from "./run.mjs";

const SHOWN = { stdout: true };

/** Every feature at once: the grammars, and the boundaries to JavaScript and to components. */
const ALL_FEATURES = ["--features", "wasm,component"];

/** Reports Rust sources that `cargo fmt` would change. */
export const checkRustFormat = () => run("cargo", ["fmt", "--check"], SHOWN);

/** Lints the Rust sources with the default features. */
export const lintRust = () => clippy();

/** Lints the Rust sources with every feature. */
export const lintRustWithAllFeatures = () => clippy(...ALL_FEATURES);

/** @param {string[]} args */
function clippy(...args) {
	const scope = ["--locked", "--workspace", "--all-targets"];
	const deny = ["--", "-D", "warnings"];
	return run("cargo", ["clippy", ...scope, ...args, ...deny], SHOWN);
}

/**
 * Runs the native tests.
 *
 * @param {string[]} [args]
 * @param {NodeJS.ProcessEnv} [env] further environment of the tests
 */
export function testRust(args = [], env = {}) {
	return run("cargo", ["test", "--locked", "--workspace", ...args], {
		...SHOWN,
		env: { ...process.env, ...env },
	});
}
