import { spawn } from "node:child_process";

/** Opens a page in the user's browser. A failure is ignored, because the URL is printed too. */
export function openInBrowser(url: string): void {
	const [program, ...args] = opener();
	const child = spawn(program, [...args, url], {
		detached: true,
		stdio: "ignore",
	});
	child.on("error", () => undefined);
	child.unref();
}

function opener(): [string, ...string[]] {
	if (process.platform === "darwin") return ["open"];
	if (process.platform === "win32") return ["explorer"];
	return ["xdg-open"];
}
