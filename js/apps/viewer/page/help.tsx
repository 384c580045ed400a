import { COMMANDS } from "./commands.js";
import { OTHER_KEYS } from "./keys.js";
import { Modal } from "./modal.js";

/** The dialog with the keys. */
export function Help() {
	const keys = [...COMMANDS.filter((one) => one.keys), ...OTHER_KEYS];
	return (
		<Modal name="keys" label="Keys">
			<h2>Keys</h2>
			<dl tabIndex={0}>
				{keys.map(({ keys, name }) => (
					<div key={keys}>
						<dt>
							<kbd>{keys}</kbd>
						</dt>
						<dd>{name}</dd>
					</div>
				))}
			</dl>
			<form method="dialog">
				<button type="submit">Close</button>
			</form>
		</Modal>
	);
}
