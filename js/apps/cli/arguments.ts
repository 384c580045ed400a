import { InvalidArgumentError } from "commander";

/** A line of a file; the first is 1. */
export interface Place {
	file: string;
	line: number;
}

/** Parses `FILE:LINE`, or `FILE:LINE:COLUMN` as other tools print it. */
export function parsePlace(text: string): Place {
	const parts = /^(.+?):(\d+)(?::\d+)?$/.exec(text);
	if (parts?.[1] === undefined || parts[2] === undefined) {
		throw new InvalidArgumentError("it must be FILE:LINE, as in src/app.py:12");
	}
	return { file: parts[1], line: Number(parts[2]) };
}

/** Adds a value of an option that may be repeated. */
export function collectValues(value: string, before: string[] = []): string[] {
	return [...before, value];
}

/** Returns the parser of an option that may be repeated with some words. */
export function chosenValues(words: readonly string[]) {
	return (value: string, before?: string[]): string[] => {
		if (!words.includes(value)) {
			throw new InvalidArgumentError(`it must be one of: ${words.join(", ")}`);
		}
		return collectValues(value, before);
	};
}

/** Parses names with commas between them. */
export function parseNames(text: string): string[] {
	return text.split(",").map((name) => name.trim());
}

export function parseNumber(text: string): number {
	if (!/^\d+$/.test(text) || Number(text) < 1) {
		throw new InvalidArgumentError("it must be a whole number of at least 1");
	}
	return Number(text);
}

export function parsePort(text: string): number {
	if (!/^\d+$/.test(text) || Number(text) > 65_535) {
		throw new InvalidArgumentError("it must be a whole number from 0 to 65535");
	}
	return Number(text);
}

export function parseCount(text: string): number {
	if (!/^\d+$/.test(text)) {
		throw new InvalidArgumentError("it must be a whole number of at least 0");
	}
	return Number(text);
}
