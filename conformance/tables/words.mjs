/** The words that the tables of scenarios are written in. */

/** @typedef {import("../types.d.ts").Step} Step */
/** @typedef {import("../types.d.ts").Question} Question */
/** @typedef {import("../types.d.ts").Scenario} Scenario */

/** @type {Step} */
export const INDEX = { do: "index" };
/** @type {Step} */
export const ASK = { do: "ask" };

/** The repository of most scenarios: a function, and a file that calls it. */
export const PRICES = "def price(article):\n    return 3\n";
export const LOWER = `# Prices are in cents.\n${PRICES}`;
export const CART =
	"from prices import price\n\n\ndef total(articles):\n    return sum(price(each) for each in articles)\n";
export const SHOP = { "prices.py": PRICES, "cart.py": CART };

/** The truth of the repository as it begins, and of that with `LOWER`. */
export const TRUTH =
	"def price prices.py:1; ref price cart.py:5 ~cart.py:1; text price prices.py:1 cart.py:1 cart.py:5";
export const LOWER_TRUTH =
	"def price prices.py:2; ref price cart.py:5 ~cart.py:1; text price prices.py:2 cart.py:1 cart.py:5";

/**
 * @param {string} file
 * @param {string} text
 * @param {Partial<Extract<Step, { do: "write" }>>} [how]
 * @returns {Step}
 */
export const write = (file, text, how = {}) => ({
	do: "write",
	file,
	text,
	...how,
});

/**
 * @param {string} from
 * @param {string} to
 * @returns {Step}
 */
export const rename = (from, to) => ({ do: "rename", from, to });

/**
 * @param {string} file
 * @returns {Step}
 */
export const remove = (file) => ({ do: "delete", file });

/**
 * @param {string} file
 * @param {string} time
 * @returns {Step}
 */
export const touch = (file, time) => ({ do: "touch", file, time });

/**
 * @param {string} file
 * @param {string} mode
 * @returns {Step}
 */
export const chmod = (file, mode) => ({ do: "chmod", file, mode });

/**
 * @param {string} file
 * @param {string} target
 * @returns {Step}
 */
export const symlink = (file, target) => ({ do: "symlink", file, target });

/**
 * @param {string} file
 * @param {string} text
 * @returns {Step}
 */
export const buffer = (file, text) => ({ do: "buffer", file, text });

/**
 * @param {string} file
 * @returns {Step}
 */
export const closeBuffer = (file) => ({ do: "close-buffer", file });

/**
 * A command of git; the arguments are separated by single spaces.
 *
 * @param {string} command
 * @param {{ in?: string, fails?: true }} [how]
 * @returns {Step}
 */
export const git = (command, how = {}) => ({
	do: "git",
	args: command.split(" "),
	...how,
});

/** Makes a repository with one commit. */
export const COMMIT = [git("init"), git("add -A"), git("commit -qm first")];

/**
 * @param {string} group
 * @param {string} title
 * @param {Scenario[]} scenarios
 * @returns {import("../types.d.ts").Group}
 */
export const groupOf = (group, title, scenarios) => ({
	$schema: "../vector.schema.json",
	group,
	title,
	scenarios: scenarios.map((each) => ({ ...each, id: `${group}/${each.id}` })),
});

/** @typedef {Partial<Pick<Scenario, "files" | "needs" | "may_claim">>} More */

/**
 * Returns a scenario in a repository whose first files are committed.
 *
 * @param {string} id
 * @param {string} title
 * @param {Step[]} steps
 * @param {string} truth
 * @param {More & { is_plain?: true }} [more] `is_plain` leaves the folder without git
 * @returns {Scenario}
 */
export function scenario(id, title, steps, truth, more = {}) {
	const { files = SHOP, may_claim = "rows", needs, is_plain } = more;
	const hasGit = is_plain || steps[0]?.do === "git";
	return {
		id,
		title,
		...(needs ? { needs } : {}),
		files,
		steps: hasGit ? steps : [...COMMIT, ...steps],
		may_claim,
		questions: truth.split("; ").map(question),
	};
}

/**
 * Reads `def NAME PLACE …`, `ref NAME PLACE …` or `text WORD PLACE …`. A place after `~` may be in
 * the answer, but need not be; `%20` is a space.
 *
 * @param {string} words
 * @returns {Question}
 */
function question(words) {
	const [kind, name = "", ...places] = words
		.trim()
		.split(" ")
		.map((word) => word.replaceAll("%20", " "));
	const rows = places.filter((place) => !place.startsWith("~"));
	const may = places.filter((place) => place.startsWith("~"));
	const also = may.length > 0 ? { also: may.map((each) => each.slice(1)) } : {};
	const truth = { rows, ...also };
	if (kind === "text") return { ask: "search", text: name, ...truth };
	const ask = kind === "def" ? "definitions" : "references";
	return { ask, symbol: name, ...truth };
}
