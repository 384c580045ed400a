/** What waits for a signal. */
interface Waiting {
	callbacks: Set<() => void>;
	listener: () => void;
}

/**
 * What waits for each signal. One listener serves all queries of a signal, because Node prints a
 * warning about more than ten.
 */
const waiting = new WeakMap<AbortSignal, Waiting>();

/** Calls a function once a signal aborts. The returned function ends that. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const known = waiting.get(signal) ?? listen(signal);
	known.callbacks.add(callback);
	return () => {
		known.callbacks.delete(callback);
		if (known.callbacks.size > 0) return;
		waiting.delete(signal);
		signal.removeEventListener("abort", known.listener);
	};
}

function listen(signal: AbortSignal): Waiting {
	const callbacks = new Set<() => void>();
	const listener = () => {
		for (const callback of callbacks) callback();
	};
	signal.addEventListener("abort", listener);
	const begun = { callbacks, listener };
	waiting.set(signal, begun);
	return begun;
}
