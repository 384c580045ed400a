import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readText, writeFile } from "./cache.mjs";
import { inRoot, pkg } from "./paths.mjs";

/** The reports that the types of the package are compared with. */
const REPORTS = inRoot("tests", "package", "api");

/** @typedef {typeof import("@microsoft/api-extractor")} ApiExtractor */

/**
 * Compares the exported types of each entry of the package with its report, or writes the reports.
 * Returns the names of the files that differ.
 *
 * @param {{ accept: boolean }} options
 */
export async function differingReports({ accept }) {
	// The set-up installs it after this module has loaded.
	const now = reports(await import("@microsoft/api-extractor"));
	const known = existsSync(REPORTS) ? readdirSync(REPORTS) : [];
	const names = new Set([...known, ...now.keys()]);
	const differing = [...names].filter(
		(name) => readText(join(REPORTS, name)) !== now.get(name),
	);
	if (accept) {
		rmSync(REPORTS, { recursive: true, force: true });
		for (const [name, text] of now) writeFile(join(REPORTS, name), text);
	}
	return differing;
}

/**
 * Returns the reports by the names of their files. Entries with equal types share one, and
 * `entries.txt` says which.
 *
 * @param {ApiExtractor} extractor
 */
function reports(extractor) {
	const folder = mkdtempSync(join(tmpdir(), "ragnav-api-"));
	try {
		/** @type {Map<string, string>} */
		const names = new Map();
		const lines = entries().map(({ name, types }) => {
			const text = reportOf(extractor, { name, types, folder });
			if (!names.has(text)) names.set(text, `${name}.api.md`);
			return `${types} ${names.get(text)}\n`;
		});
		const files = new Map([["entries.txt", lines.join("")]]);
		for (const [text, name] of names) files.set(name, text);
		return files;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Returns the entries of the package with their own types, each once. */
function entries() {
	const { exports } = JSON.parse(
		readFileSync(join(pkg, "package.json"), "utf8"),
	);
	/** @type {Set<string>} */
	const files = new Set();
	for (const entry of Object.values(exports)) addTypes(entry, files);
	return [...files].map((types) => {
		const [, path = types] = /^\.\/dist\/esm\/(.*)\.d\.ts$/.exec(types) ?? [];
		return { name: path.replaceAll("/", "-"), types };
	});
}

/**
 * @param {unknown} entry
 * @param {Set<string>} files
 */
function addTypes(entry, files) {
	if (typeof entry !== "object" || entry === null) return;
	for (const [condition, target] of Object.entries(entry)) {
		const isTypes = condition === "types" && target.startsWith("./dist/esm/");
		if (isTypes) files.add(target);
		addTypes(target, files);
	}
}

/**
 * @param {ApiExtractor} extractor
 * @param {{ name: string, types: string, folder: string }} entry its name, its types, and the
 * folder that the report is written to
 */
function reportOf(
	{ Extractor, ExtractorConfig, ExtractorLogLevel },
	{ name, types, folder },
) {
	const silent = { default: { logLevel: ExtractorLogLevel.None } };
	const main = join(pkg, types);
	const compilerOptions = {
		target: "es2022",
		module: "nodenext",
		lib: ["es2023", "dom"],
		types: ["node"],
		strict: true,
		skipLibCheck: true,
	};
	const config = ExtractorConfig.prepare({
		configObject: {
			projectFolder: dirname(pkg),
			mainEntryPointFilePath: main,
			compiler: { overrideTsconfig: { compilerOptions, files: [main] } },
			apiReport: {
				enabled: true,
				reportFileName: `${name}.api.md`,
				reportFolder: folder,
				reportTempFolder: join(folder, "temporary"),
			},
			docModel: { enabled: false },
			dtsRollup: { enabled: false },
			tsdocMetadata: { enabled: false },
			messages: {
				extractorMessageReporting: silent,
				tsdocMessageReporting: silent,
			},
		},
		configObjectFullPath: undefined,
		packageJsonFullPath: join(pkg, "package.json"),
	});
	Extractor.invoke(config, {
		localBuild: true,
		messageCallback: (message) => {
			message.handled = true;
		},
	});
	const report = readFileSync(join(folder, `${name}.api.md`), "utf8");
	return report.replaceAll("\r\n", "\n");
}
