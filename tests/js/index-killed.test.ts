// A process that is killed during a build.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { put } from "./hosts/helpers.js";
import {
	assertRightAnew,
	build,
	LOCK_DIES_MS,
	laterHost,
	SOURCES,
	sourceRepo,
} from "./index-repo.js";

const CLI = fileURLToPath(
	new URL("../../pkg/dist/cjs/cli.js", import.meta.url),
);
test("a build that is killed leaves a correct index", async (t) => {
	const many = Array.from({ length: 400 }, (_, at) => [
		`lib/m${at}.py`,
		`def f${at}():\n    return ${at}\n`.repeat(60),
	]);
	const folder = sourceRepo(t, { ...SOURCES, ...Object.fromEntries(many) });
	for (let round = 0; round < 6; round++) {
		put(
			join(folder, "src/util.py"),
			`def helper():\n    return needle + ${round}\n`,
		);
		const child = spawn(process.execPath, [CLI, "build-graph"], {
			cwd: folder,
			stdio: "ignore",
		});
		const ended = new Promise((resolve) => child.once("exit", resolve));
		await setTimeout(150 + Math.random() * 300);
		child.kill("SIGKILL");
		await ended;
		const run = spawnSync(
			process.execPath,
			[CLI, "search", "needle", "--include", "src", "--json"],
			{
				cwd: folder,
				encoding: "utf8",
			},
		);
		assert.equal(run.status, 0, run.stderr);
		const lines = JSON.parse(run.stdout).items.map(
			(item: { file: string; line: number }) => `${item.file}:${item.line}`,
		);
		assert.deepEqual(lines, ["src/auth.py:2", "src/util.py:2"]);
		await assertRightAnew(folder);
	}
	await build(laterHost(folder, LOCK_DIES_MS + 1000));
	assert.equal((await assertRightAnew(folder)).status, "OK");
});
