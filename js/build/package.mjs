import {
	chmodSync,
	copyFileSync,
	cpSync,
	existsSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { basename, join, sep } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { bundle } from "./bundle.mjs";
import { filesUnder, hashOf, readText, writeFile } from "./cache.mjs";
import { checkGrammars, packGrammars } from "./grammars.mjs";
import { notices, partsOf } from "./notices.mjs";
import { generated, grammars, inRoot, pkg } from "./paths.mjs";
import { Problem, runPackage } from "./run.mjs";
import { sbom } from "./sbom.mjs";
import { writeSchemas } from "./schemas.mjs";
import { step } from "./setup.mjs";

const STAMP = join(generated, ".package");
/** The languages whose grammars `ragnav/inline` holds besides the core. */
const INLINE_LANGUAGES = ["javascript", "python", "tsx", "typescript"];

/** The scripts that determine the package, besides the sources. */
const OWN_SCRIPTS = [
	"package.mjs",
	"bundle.mjs",
	"grammars.mjs",
	"notices.mjs",
	"sbom.mjs",
].map((name) => inRoot("js", "build", name));

/** Updates `pkg/`, the npm package ready to pack. */
export async function buildPackage() {
	await writeSchemas();
	const version = crateVersion();
	const hash = hashOf({ values: { version }, files: inputs() });
	if (readText(STAMP) === hash && existsSync(join(pkg, "package.json"))) return;
	await step("package: bundling", async () => {
		rmSync(pkg, { recursive: true, force: true });
		checkGrammars(join(generated, "core.wasm"));
		const [bundled] = await Promise.all([bundle(version), writeDeclarations()]);
		layOut(version);
		writeInlineFiles(version);
		const parts = partsOf(bundled);
		writeFile(join(pkg, "THIRD_PARTY_NOTICES.md"), notices(parts));
		writeFile(join(pkg, "sbom.cdx.json"), await sbom(version, parts));
	});
	writeFile(STAMP, hash);
}

/**
 * Writes the script that puts the compressed files of `ragnav/inline` on the global object. Equal
 * files yield equal bytes.
 *
 * @param {string} version
 */
function writeInlineFiles(version) {
	const files = [
		join(generated, "core.wasm"),
		...INLINE_LANGUAGES.map((language) =>
			join(grammars, `tree-sitter-${language}.wasm`),
		),
	];
	const level = constants.Z_BEST_COMPRESSION;
	const packed = files.map((file) => [
		`${basename(file)}.gz`,
		gzipSync(readFileSync(file), { level }).toString("base64"),
	]);
	const key = `Symbol.for(${JSON.stringify(`ragnav/inline ${version}`)})`;
	const script = `globalThis[${key}] = new Map(${JSON.stringify(packed)});\n`;
	writeFile(join(pkg, "dist", "cjs", "inline-files.js"), script);
}

function inputs() {
	const scripts = inRoot("js", "build") + sep;
	const sources = filesUnder(inRoot("js")).filter(
		(file) =>
			file !== STAMP &&
			(!file.startsWith(scripts) || OWN_SCRIPTS.includes(file)),
	);
	return [
		...sources,
		...["pkg-template", "LICENSE", "package-lock.json", "Cargo.lock"].map(
			(name) => inRoot(name),
		),
	];
}

/** Returns the version of the workspace, which only Cargo.toml states. */
function crateVersion() {
	const manifest = readFileSync(inRoot("Cargo.toml"), "utf8");
	const version = /^\[workspace\.package\][^[]*?^version = "([^"]+)"/ms.exec(
		manifest,
	)?.[1];
	if (!version)
		throw new Problem(
			'Cargo.toml has no line version = "…" under [workspace.package].',
		);
	return version;
}

async function writeDeclarations() {
	const esm = join(pkg, "dist", "esm");
	await runPackage(
		["typescript", "tsc"],
		["--project", inRoot("js", "tsconfig.package.json"), "--outDir", esm],
	);
	// tsc does not copy declarations that are written by hand or generated.
	for (const name of ["glue.d.ts", "ragnav.d.ts"]) {
		cpSync(join(generated, name), join(esm, "generated", name));
	}
	const inlineFiles = join("entries", "inline-files.d.ts");
	cpSync(inRoot("js", inlineFiles), join(esm, inlineFiles));
	for (const file of filesUnder(esm).filter((path) => path.endsWith(".d.ts"))) {
		cpSync(file, join(pkg, "dist", "cjs", file.slice(esm.length)));
	}
}

/**
 * @param {string} version
 */
function layOut(version) {
	cpSync(inRoot("pkg-template"), pkg, { recursive: true });
	copyFileSync(inRoot("LICENSE"), join(pkg, "LICENSE"));
	copyFileSync(join(generated, "core.wasm"), join(pkg, "core.wasm"));
	packGrammars(join(pkg, "languages"));
	const template = JSON.parse(
		readFileSync(inRoot("pkg-template", "package.json"), "utf8"),
	);
	const { name, ...rest } = template;
	writeJson(join(pkg, "package.json"), { name, version, ...rest });
	// Without this line, the files of the folder would count as ES modules.
	writeJson(join(pkg, "dist", "cjs", "package.json"), { type: "commonjs" });
	chmodSync(join(pkg, "dist", "cjs", "cli.js"), 0o755);
}

/**
 * @param {string} file
 * @param {unknown} value
 */
function writeJson(file, value) {
	writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
