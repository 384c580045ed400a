import { EventEmitter, once } from "node:events";
import { existsSync, renameSync, rmSync, watch } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { withLock } from "./cache.mjs";
import { writeGlue } from "./glue.mjs";
import { buildGrammars } from "./grammars.mjs";
import { buildPackage } from "./package.mjs";
import { generated, inRoot, root } from "./paths.mjs";
import { asProgram, Problem, run, say, since } from "./run.mjs";
import { setUpCompilers } from "./setup.mjs";
import { installTools, tools } from "./tools.mjs";
import {
	bringUpToDate,
	CORE,
	cargoBuild,
	checkImports,
	coreEnv,
	forgetOtherCheckout,
	isWasmKnown,
	OWN_NAMESPACES,
	profileFolder,
	targetFolder,
	wasmHash,
} from "./wasm.mjs";

/** @typedef {import("./toolchain.mjs").Toolchain} Toolchain */

const PROFILE = "wasm-dev";

/** The profile of development builds: incremental, and not optimised for size. */
const PROFILE_FLAGS = [
	'inherits="dev"',
	"opt-level=1",
	"debug=false",
	"incremental=true",
	// The linker drops object files that nothing calls, with their TypeScript types. With one object
	// file for each crate it drops none.
	"codegen-units=1",
].flatMap((line) => ["--config", `profile.${PROFILE}.${line}`]);

/** Separate from release builds, which so many development builds would push out of the cache. */
const STORE = { name: "dev-builds", kept: 6 };

/** The time in milliseconds within which several changed files count as one change. */
const SETTLE_MS = 100;

const SOURCES = ["src", "crates", "js", "pkg-template"];
const ROOT_FILES = ["Cargo.toml", "Cargo.lock", "package-lock.json", "LICENSE"];
/** The folders of `js` that the build itself writes, or that contain it. */
const NOT_WATCHED = ["generated", "generated-grammars", "build"];

/** Updates `pkg/` from a development build of the core, which saves the minutes of optimising. */
export async function buildForDevelopment() {
	const toolchain = await setUpCompilers();
	const [wasmBindgen] = tools();
	await installTools([wasmBindgen]);
	await refreshWasm(toolchain);
	await buildGrammars(toolchain);
	await buildPackage();
}

/** Updates `pkg/` from a release build in the cache, or else from a development build. */
export async function buildQuickly() {
	const toolchain = await setUpCompilers();
	if (isWasmKnown(toolchain)) await build();
	else await buildForDevelopment();
}

/** @param {Toolchain} toolchain */
function refreshWasm(toolchain) {
	return bringUpToDate({
		folder: generated,
		file: CORE,
		title: "core: compiling for development",
		hash: wasmHash(toolchain, [PROFILE_FLAGS]),
		make: (fresh) => compile(toolchain, fresh),
		store: STORE,
	});
}

/**
 * @param {Toolchain} toolchain
 * @param {string} folder
 */
async function compile(toolchain, folder) {
	const target = `${targetFolder(toolchain)}-dev`;
	const env = coreEnv(toolchain, target);
	const pack = join(folder, "pack");
	await withLock(`${target}.lock`, async () => {
		forgetOtherCheckout(target, PROFILE);
		const profile = ["--profile", PROFILE, ...PROFILE_FLAGS];
		await run("cargo", [...cargoBuild(toolchain), ...profile], { env });
		const module = join(profileFolder(target, PROFILE), "ragnav.wasm");
		const glue = ["--target", "web", "--out-name", "ragnav", "--out-dir", pack];
		await run("wasm-bindgen", [module, ...glue], { env });
	});
	const wasm = join(folder, CORE);
	renameSync(join(pack, "ragnav_bg.wasm"), wasm);
	checkImports(wasm, OWN_NAMESPACES);
	await writeGlue(pack, folder);
	rmSync(pack, { recursive: true });
}

/** Builds again after every change, until the process is interrupted. */
async function rebuildOnChange() {
	const changes = new EventEmitter();
	let isStale = false;
	watchSources(() => {
		isStale = true;
		changes.emit("change");
	});
	say("Waiting for changes. Press Ctrl+C to stop.");
	for (;;) {
		if (!isStale) await once(changes, "change");
		await sleep(SETTLE_MS);
		isStale = false;
		await tryBuild();
	}
}

/** @param {() => void} onChange */
function watchSources(onChange) {
	for (const name of SOURCES.filter((folder) => existsSync(inRoot(folder)))) {
		watch(inRoot(name), { recursive: true }, (_, file) => {
			const [first = ""] = file?.split(sep) ?? [];
			if (name !== "js" || !NOT_WATCHED.includes(first)) onChange();
		});
	}
	// Watches folders, because a watch of a file ends when an editor replaces the file.
	watch(root, (_, file) => {
		if (file && ROOT_FILES.includes(file)) onChange();
	});
}

/** Builds, and prints a failure instead of ending the watch. */
async function tryBuild() {
	try {
		await buildAndSay();
	} catch (error) {
		if (!(error instanceof Problem)) throw error;
		say(error.message);
	}
}

async function buildAndSay() {
	const started = performance.now();
	await buildForDevelopment();
	say(`pkg/ has a development build (${since(started)}).`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await asProgram(async () => {
		const { values } = parseArgs({
			options: {
				once: { type: "boolean", default: false },
			},
		});
		if (values.once) return buildAndSay();
		await tryBuild();
		await rebuildOnChange();
	});
}
