// A repository on disk, and `ragnav viewer` over it.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);

/** Harmless as text; as markup it would change the title of the page. */
export const HOSTILE = "<img src=x onerror=\"document.title='owned'\">";
/** A file name with `<`, which Windows does not allow. */
export const HOSTILE_NAME = "<img src=x onerror=alert(1)>.py";

const FILES: Record<string, string> = {
	".gitignore": "ignored.txt\n",
	"ignored.txt": "needle, that is ignored\n",
	".hidden": "needle, that is hidden\n",
	"README.md": `# Shop\n\nThe price of a cart is worked out by its total. ${HOSTILE}\n`,
	"shop/prices.py":
		'PRICES = {"tea": 3}\n\n\ndef price_of(article):\n    return PRICES[article]\n',
	"shop/cart.py": `from shop.prices import price_of\n\n\nclass Cart:\n    def total(self):\n        """${HOSTILE}"""\n        return sum(price_of(one) for one in self.lines)\n`,
	"shop/till.py":
		"from shop.cart import Cart\n\n\ndef pay(cart: Cart):\n    return Cart.total(cart)\n",
};

export interface Repo {
	folder: string;
	/** A secret outside of the repository. */
	secret: string;
	put(path: string, text: string): void;
	remove(): void;
}

/** Creates a git repository with links to files outside and inside of it. */
export function newRepo(): Repo {
	const above = realpathSync(mkdtempSync(join(tmpdir(), "ragnav-viewer-")));
	const folder = join(above, "repo");
	const put = (path: string, text: string) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	};
	for (const [path, text] of Object.entries(FILES)) put(path, text);
	if (process.platform !== "win32") {
		put(HOSTILE_NAME, "def hostile():\n    pass\n");
	}
	const git = (...args: string[]) =>
		execFileSync("git", ["-C", folder, ...args]);
	git("init", "-q");
	git("add", ".");
	const author = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
	git(...author, "commit", "-q", "-m", "first");
	const secret = join(above, "secret.txt");
	writeFileSync(secret, "secret needle\n");
	symlinkSync(secret, join(folder, "link.txt"));
	symlinkSync(above, join(folder, "linked"));
	return {
		folder,
		secret,
		put,
		remove: () => rmSync(above, { recursive: true }),
	};
}

export function ragnav(args: string[]) {
	return spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8" });
}

export interface Viewer {
	url: string;
	port: number;
	pid: number;
	close(): Promise<number | null>;
}

/** Runs `ragnav viewer` until it is closed. */
export async function viewer(
	repo: string,
	flags: readonly string[] = [],
): Promise<Viewer> {
	const args = [CLI, "viewer", "--repo", repo, ...flags];
	const child = spawn(process.execPath, args, {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const ended = new Promise<number | null>((resolve) => {
		child.once("exit", resolve);
	});
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.once("data", (data) => {
			resolve(/http:\S+/.exec(String(data))?.[0] ?? "");
		});
		child.once("exit", () => reject(new Error("the viewer ended")));
	});
	return {
		url,
		port: Number(new URL(url).port),
		pid: child.pid ?? 0,
		close: () => {
			child.kill("SIGTERM");
			return ended;
		},
	};
}

export interface Answer {
	status: number | undefined;
	headers: Record<string, string | string[] | undefined>;
	text: string;
}

/** Sends a raw request: `fetch` would normalise the path. */
export function raw(
	port: number,
	path: string,
	options: {
		headers?: Record<string, string>;
		method?: string;
		body?: string;
	} = {},
): Promise<Answer> {
	const { headers, method = "GET", body } = options;
	return new Promise((resolve, reject) => {
		const sent = request(
			// A connection of its own: the server closes one that idles while a test runs a program.
			{ host: "127.0.0.1", port, path, method, headers, agent: false },
			(response) => {
				let text = "";
				response.setEncoding("utf8");
				response.on("data", (chunk) => {
					text += chunk;
				});
				response.on("end", () => {
					const { statusCode: status, headers: got } = response;
					resolve({ status, headers: got, text });
				});
			},
		);
		sent.on("error", reject);
		sent.end(body);
	});
}
