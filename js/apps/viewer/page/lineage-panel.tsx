import { useComputed, useSignal } from "@preact/signals";
import type { Direction } from "../../../core/api.js";
import { Definitions, Undefined } from "./definitions.js";
import { Lazy } from "./lazy.js";
import { go, route } from "./location.js";
import { Skeleton } from "./marks.js";
import { DEPTHS } from "./route.js";
import { Rows } from "./rows.js";
import { lineage } from "./state.js";
import { Summary } from "./summary.js";
import { SymbolBox } from "./symbol-box.js";
import { withoutTests } from "./without-tests.js";

/** The picture, whose layout no other panel needs. */
const picture = new Lazy(() => import("./picture.js"));

/** The callers or the callees of a symbol, over several steps. */
export function LineagePanel() {
	const hidesTests = useSignal(false);
	const answer = useComputed(() => {
		const { isLoading, value } = lineage.value;
		const isFiltered = hidesTests.value && value !== null;
		return { isLoading, value: isFiltered ? withoutTests(value) : value };
	});
	const { isLoading, value } = answer.value;
	// The picture loads with the panel, so that it is there when the answer is.
	const Picture = picture.value?.Picture;
	const definitions = value?.definitions ?? [];
	const hasAnswer = value !== null && value.meta.status !== "ERROR";
	const isEmpty = value?.items.length === 0 && definitions.length === 0;
	return (
		<>
			<SymbolBox panel="lineage" definitions={definitions} />
			<Choices hidesTests={hidesTests} />
			<Definitions definitions={definitions} meta={value?.meta ?? null} />
			<Undefined answer={value} />
			{isEmpty && hasAnswer ? null : (
				<Summary answer={answer.value} nothing="Nothing does." />
			)}
			{isLoading && value === null && <Skeleton label="Following the symbol" />}
			{hasAnswer && Picture && <Picture result={value} />}
			<Rows
				label="Lineage"
				items={value?.items ?? []}
				meta={value?.meta ?? null}
			/>
		</>
	);
}

function Choices({ hidesTests }: { hidesTests: { value: boolean } }) {
	const { direction, depth } = route.value;
	return (
		<div class="choices">
			<select
				aria-label="Direction"
				value={direction}
				onChange={({ currentTarget }) => {
					go({ direction: currentTarget.value as Direction });
				}}
			>
				<option value="upstream">Upstream: callers</option>
				<option value="downstream">Downstream: callees</option>
			</select>
			<select
				aria-label="Depth"
				value={depth}
				onChange={({ currentTarget }) => {
					go({ depth: Number(currentTarget.value) });
				}}
			>
				{DEPTHS.map((steps) => (
					<option key={steps} value={steps}>
						{steps === 1 ? "1 step" : `${steps} steps`}
					</option>
				))}
			</select>
			<label class="check">
				<input
					type="checkbox"
					checked={hidesTests.value}
					onChange={({ currentTarget }) => {
						hidesTests.value = currentTarget.checked;
					}}
				/>
				Hide tests
			</label>
		</div>
	);
}
