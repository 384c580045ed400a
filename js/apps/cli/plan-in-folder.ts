import {
	type MovePlanResult,
	RagnavError,
	type RenamePlanResult,
} from "../../entries/node.js";
import type { Repositories } from "./repositories.js";

/** A plan of any kind. */
export type AnyPlan = RenamePlanResult | MovePlanResult;

/** A plan with paths from the root of its repository, and the folder of that. */
export interface FolderPlan {
	path: string;
	plan: Pick<AnyPlan, "items" | "files" | "refusals">;
}

/**
 * Returns the plan as it is applied to one repository.
 *
 * @throws {RagnavError} `INVALID_ARGUMENT` if it edits several: these are not written all or none
 */
export function planInFolder(
	{ folders, isGroup }: Repositories,
	plan: AnyPlan,
): FolderPlan {
	const [{ path }] = folders;
	if (!isGroup) return { path, plan };
	const names = new Set(plan.files.map(({ file }) => file.split("/", 1)[0]));
	if (names.size > 1) {
		const list = [...names].join(", ");
		const message = `the edits are in several repositories (${list}), which cannot be written all or none; leave out --apply to see them`;
		throw new RagnavError("INVALID_ARGUMENT", message);
	}
	const folder = folders.find(({ name }) => names.has(name));
	if (folder === undefined) return { path, plan };
	const inside = (file: string) => file.slice(folder.name.length + 1);
	return {
		path: folder.path,
		plan: {
			refusals: plan.refusals,
			items: plan.items.map((item) => ({ ...item, file: inside(item.file) })),
			files: plan.files.map((edited) => ({
				...edited,
				file: inside(edited.file),
				moves_to: edited.moves_to === null ? null : inside(edited.moves_to),
			})),
		},
	};
}
