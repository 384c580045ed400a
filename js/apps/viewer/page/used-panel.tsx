import { whereUsed, whereUsedMore } from "./actions.js";
import { Definitions } from "./definitions.js";
import { Rows, Summary } from "./rows.js";
import { used } from "./state.js";
import { SymbolBox } from "./symbol-box.js";

/** Who refers to a symbol. */
export function UsedPanel() {
	const { value } = used.value;
	return (
		<>
			<SymbolBox onSubmit={whereUsed} />
			<Definitions definitions={value?.definitions ?? []} />
			<Summary answer={used.value} nothing="Nothing refers to it." />
			<Rows
				label="References"
				items={value?.items ?? []}
				onEnd={whereUsedMore}
			/>
		</>
	);
}
