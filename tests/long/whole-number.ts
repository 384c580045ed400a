/** A number of the command line; throws for what is none, or too little. */
export function wholeNumber(given: string, least: number): number {
	const number = Number(given);
	if (Number.isSafeInteger(number) && number >= least) return number;
	throw new Error(
		`a whole number of at least ${least} is needed, not ${given}`,
	);
}
