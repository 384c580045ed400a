import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * Returns what one types into a box: `saved` at first, and again when `subject` changes.
 *
 * A layout effect, because an effect that runs after the first frame would discard what was typed
 * in it.
 */
export function useDraft<T>(saved: T, subject: unknown): Signal<T> {
	const draft = useSignal(saved);
	useLayoutEffect(() => {
		draft.value = saved;
	}, [subject]);
	return draft;
}
