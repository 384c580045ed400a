/** Groups values by a key, in the order of their first values. */
export function grouped<Value, Key>(
	values: readonly Value[],
	keyOf: (value: Value) => Key,
): Map<Key, [Value, ...Value[]]> {
	const groups = new Map<Key, [Value, ...Value[]]>();
	for (const value of values) {
		const group = groups.get(keyOf(value));
		if (group === undefined) groups.set(keyOf(value), [value]);
		else group.push(value);
	}
	return groups;
}
