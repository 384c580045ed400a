/** Stands for every symbol that is local to its file. */
const LOCAL = 0xffff_ffff;

/** The symbols of an index, each with a number. */
export class SymbolNumbers {
	readonly names: string[] = [];
	readonly #numbers = new Map<string, number>();

	of(symbol: string): number {
		if (symbol.startsWith("local ")) return LOCAL;
		const known = this.#numbers.get(symbol);
		if (known !== undefined) return known;
		const number = this.names.push(symbol) - 1;
		this.#numbers.set(symbol, number);
		return number;
	}
}
