import type { EditorBuffer, Host } from "../../../core/host.js";

/** The methods of a host that a navigator calls. */
const METHODS = [
	"gitHead",
	"readDirs",
	"readMany",
	"stat",
	"write",
	"remove",
	"now",
	"ignoreRules",
	"history",
	"changes",
	"readObjects",
	"watch",
	"roots",
] as const satisfies readonly (keyof Host)[];

/** Returns a host whose files have the text of open documents. */
export function overlaidHost(host: Host, open: () => EditorBuffer[]): Host {
	// The methods are bound, because those of a class may need its private fields.
	const methods = METHODS.map((name) => {
		const method = host[name] as ((...given: never[]) => unknown) | undefined;
		return [name, method?.bind(host)];
	}).filter(([, method]) => method !== undefined);
	return {
		...(Object.fromEntries(methods) as Host),
		root: host.root,
		overlay: async () => {
			const opened = open();
			const paths = new Set(opened.map(({ path }) => path));
			const own = (await host.overlay?.()) ?? [];
			return [...own.filter(({ path }) => !paths.has(path)), ...opened];
		},
	};
}
