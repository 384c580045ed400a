import type { Direction } from "../../../core/api.js";
import { lineage as ask } from "./actions.js";
import { Definitions } from "./definitions.js";
import { Picture } from "./picture.js";
import { Rows, Summary } from "./rows.js";
import { depth, direction, lineage, symbol } from "./state.js";
import { SymbolBox } from "./symbol-box.js";

const DEPTHS = [1, 2, 3, 4];

/** What leads to a symbol, or where it leads. */
export function LineagePanel() {
	const { value } = lineage.value;
	const hasAnswer = value !== null && value.meta.status !== "ERROR";
	return (
		<>
			<SymbolBox onSubmit={ask} />
			<div class="choices">
				<select
					aria-label="Direction"
					value={direction.value}
					onChange={({ currentTarget }) => {
						direction.value = currentTarget.value as Direction;
						void ask(symbol.value);
					}}
				>
					<option value="upstream">Upstream: who leads to it</option>
					<option value="downstream">Downstream: where it leads</option>
				</select>
				<select
					aria-label="Depth"
					value={depth.value}
					onChange={({ currentTarget }) => {
						depth.value = Number(currentTarget.value);
						void ask(symbol.value);
					}}
				>
					{DEPTHS.map((steps) => (
						<option key={steps} value={steps}>
							{steps === 1 ? "1 step" : `${steps} steps`}
						</option>
					))}
				</select>
			</div>
			<Definitions definitions={value?.definitions ?? []} />
			<Summary answer={lineage.value} nothing="Nothing does." />
			{hasAnswer && <Picture result={value} />}
			<Rows label="Lineage" items={value?.items ?? []} />
		</>
	);
}
