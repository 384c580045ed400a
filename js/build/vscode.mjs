import {
	copyFileSync,
	cpSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { writeFile } from "./cache.mjs";
import { packGrammars } from "./grammars.mjs";
import { localised, translated } from "./localise.mjs";
import { notices, partsOf } from "./notices.mjs";
import { npmPackages } from "./npm-packages.mjs";
import { extension, generated, inRoot, root } from "./paths.mjs";
import { asProgram, run, say } from "./run.mjs";

/** The program that packs extensions, and checks the rules of galleries. */
const VSCE = "@vscode/vsce@3.9.2";
/** Where the sources of the extension are, and the pictures that its README shows. */
const SOURCE = "js/apps/vscode";

/**
 * Writes the editor extension to `vscode/`: one CommonJS file for desktop and web, the core and the grammars.
 */
export async function buildExtension() {
	const source = inRoot(SOURCE);
	const { version } = JSON.parse(
		readFileSync(inRoot("pkg", "package.json"), "utf8"),
	);
	const esbuild = await import("esbuild");
	rmSync(extension, { recursive: true, force: true });
	const { metafile } = await esbuild.build({
		entryPoints: [join(source, "src", "extension.ts")],
		outfile: join(extension, "dist", "extension.js"),
		bundle: true,
		// Desktop editors lack `self`, and have all other globals of browsers that the code uses.
		platform: "browser",
		format: "cjs",
		target: ["node20", "es2022"],
		external: ["vscode"],
		define: {
			"import.meta.url": "undefined",
			__RAGNAV_VERSION__: JSON.stringify(version),
		},
		charset: "utf8",
		legalComments: "none",
		minify: true,
		metafile: true,
		absWorkingDir: root,
		logLevel: "warning",
	});
	const manifest = JSON.parse(
		readFileSync(join(source, "manifest.json"), "utf8"),
	);
	writeManifest(manifest, version);
	for (const folder of ["media", "walkthrough"]) {
		cpSync(join(source, folder), join(extension, folder), { recursive: true });
	}
	copyFileSync(join(source, "README.md"), join(extension, "README.md"));
	copyFileSync(inRoot("CHANGELOG.md"), join(extension, "CHANGELOG.md"));
	copyFileSync(inRoot("LICENSE"), join(extension, "LICENSE"));
	copyFileSync(
		join(generated, "core.wasm"),
		join(extension, "dist", "core.wasm"),
	);
	packGrammars(join(extension, "dist", "languages"));
	writeFile(
		join(extension, "THIRD_PARTY_NOTICES.md"),
		notices(partsOf(Object.keys(metafile.inputs))),
	);
}

/**
 * Writes the manifest with the texts of each language beside it.
 *
 * @param {any} manifest
 * @param {string} version
 */
function writeManifest(manifest, version) {
	const { manifest: keyed, texts } = localised(manifest);
	const { name, ...rest } = keyed;
	const own = { name, version, ...rest, l10n: "./l10n" };
	/** @type {(file: string, value: unknown) => void} */
	const write = (file, value) =>
		writeFile(join(extension, file), `${JSON.stringify(value, null, 2)}\n`);
	write("package.json", own);
	write("package.nls.json", texts);
	const folder = inRoot(SOURCE, "l10n");
	for (const file of readdirSync(folder)) {
		const translations = JSON.parse(readFileSync(join(folder, file), "utf8"));
		write(`package.nls.${file}`, translated(texts, translations));
		write(`l10n/bundle.l10n.${file}`, translations);
	}
}

/** Packs the extension as `vscode/ragnav.vsix`, which editors can install. */
export async function packExtension() {
	const modules = await npmPackages("vsce-3.9.2", [VSCE]);
	const { repository: declared } = JSON.parse(
		readFileSync(join(extension, "package.json"), "utf8"),
	);
	const repository = declared.url.replace(/^git\+|\.git$/g, "");
	const out = join(extension, "ragnav.vsix");
	await run(
		process.execPath,
		[
			join(modules, "@vscode", "vsce", "vsce"),
			...["package", "--no-dependencies", "--out", out],
			...["--baseImagesUrl", `${repository}/raw/HEAD/${SOURCE}`],
			...["--baseContentUrl", `${repository}/blob/HEAD/${SOURCE}`],
		],
		{ cwd: extension },
	);
	return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	await asProgram(async () => {
		await build();
		await buildExtension();
		say(`the extension is ${await packExtension()}`);
	});
}
