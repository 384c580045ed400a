import { goToFile } from "./location.js";
import { locate } from "./queries.js";
import { notice } from "./state.js";

/** Goes to the first definition of a symbol or of the name at a place. */
export async function goToDefinition(
	subject: string,
	name: string,
): Promise<void> {
	const definitions = await locate(subject);
	if (definitions === undefined) return;
	const [first] = definitions;
	if (first !== undefined) goToFile(first.file, first.start_line);
	else
		notice.value = `No function, class, type or module here is called ${name}.`;
}
