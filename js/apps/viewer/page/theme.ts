import { signal } from "@preact/signals";

export type Theme = "system" | "dark" | "light";

const NEXT: Record<Theme, Theme> = {
	system: "dark",
	dark: "light",
	light: "system",
};
const KEY = "ragnav-theme";

export const theme = signal<Theme>(stored());

export function applyTheme(): void {
	document.documentElement.dataset.theme = theme.value;
}

export function nextTheme(): void {
	theme.value = NEXT[theme.value];
	applyTheme();
	try {
		localStorage.setItem(KEY, theme.value);
	} catch {
		// A page that may store nothing has its theme until it is closed.
	}
}

function stored(): Theme {
	try {
		const text = localStorage.getItem(KEY);
		return text === "dark" || text === "light" ? text : "system";
	} catch {
		return "system";
	}
}
