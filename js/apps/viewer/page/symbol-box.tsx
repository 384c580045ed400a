import { symbol } from "./state.js";

/** Takes the name of a symbol. */
export function SymbolBox({ onSubmit }: { onSubmit: (name: string) => void }) {
	return (
		<form
			class="symbol-box"
			onSubmit={(event) => {
				event.preventDefault();
				onSubmit(symbol.value.trim());
			}}
		>
			<input
				type="text"
				aria-label="Symbol"
				placeholder="A name, or a click on one in the source"
				autocomplete="off"
				spellcheck={false}
				value={symbol.value}
				onInput={({ currentTarget }) => {
					symbol.value = currentTarget.value;
				}}
			/>
			<button type="submit">Ask</button>
		</form>
	);
}
