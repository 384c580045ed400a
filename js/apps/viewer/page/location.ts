import { signal } from "@preact/signals";
import {
	defaultView,
	type Place,
	parseRoute,
	type Route,
	routeHash,
} from "./route.js";
import { isNarrow } from "./window.js";

/** The route of the page, which always equals the browser's address. */
export const route = signal<Route>(parseRoute(location.hash));

/** The number of visits of the place that already shows; each scrolls back to it. */
export const visits = signal(0);

/** Goes to a changed route and adds a step to the history; with `replace`, without that step. */
export function go(patch: Partial<Route>, options?: { replace: boolean }) {
	const next = patched(route.peek(), patch);
	const hash = routeHash(next);
	if (hash === routeHash(route.peek())) visits.value += 1;
	else if (options?.replace) history.replaceState(null, "", hash);
	else history.pushState(null, "", hash);
	route.value = next;
}

/** Returns a route with changes. A wide window shows every pane, so its address names none. */
function patched(before: Route, patch: Partial<Route>): Route {
	const next = { ...before, ...patch };
	if (isNarrow.value) return next;
	return { ...next, view: defaultView(next.place, next.query) };
}

/** Follows the browser's address after Back, Forward, or a click on a link. */
export function followAddress(): void {
	route.value = parseRoute(location.hash);
}

/** Returns the address of another place or panel, for links. */
export function hashWith(patch: Partial<Route>): string {
	return routeHash(patched(route.value, patch));
}

export function filePlace(file: string, line?: number | null): Place {
	return { kind: "file", file, line: line ?? null };
}

export function fileHash(file: string, line?: number | null): string {
	return hashWith({ place: filePlace(file, line), view: "source" });
}

/** Returns the address of a symbol: its definition, and its uses or its lineage. */
export function symbolHash(symbol: string): string {
	const panel = route.value.panel === "lineage" ? "lineage" : "used";
	const place: Place = { kind: "symbol", symbol };
	return hashWith({ place, subject: symbol, panel, view: "source" });
}

export function goToFile(file: string, line?: number | null): void {
	go({ place: filePlace(file, line), view: "source" });
}

/** Shows a panel; in a narrow window it takes the place of the source. */
export function goToPanel(patch: Partial<Route>): void {
	go({ ...patch, view: "results" });
}
