import { useSignalEffect } from "@preact/signals";

/** Runs an action a moment after the last of many changes. */
export function useSettled(read: () => unknown, ms: number, run: () => void) {
	useSignalEffect(() => {
		read();
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	});
}
