import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "./keys.js";
import { helpIsOpen } from "./state.js";

/** The keys, in a dialog. */
export function Help() {
	const dialog = useRef<HTMLDialogElement>(null);
	const isOpen = helpIsOpen.value;
	useEffect(() => {
		if (isOpen) dialog.current?.showModal();
		else dialog.current?.close();
	}, [isOpen]);
	return (
		<dialog
			ref={dialog}
			aria-labelledby="help-title"
			onClose={() => {
				helpIsOpen.value = false;
			}}
		>
			<h2 id="help-title">Keys</h2>
			<dl>
				{KEYS.map(({ keys, does }) => (
					<div key={keys}>
						<dt>
							<kbd>{keys}</kbd>
						</dt>
						<dd>{does}</dd>
					</div>
				))}
			</dl>
			<form method="dialog">
				<button type="submit">Close</button>
			</form>
		</dialog>
	);
}
