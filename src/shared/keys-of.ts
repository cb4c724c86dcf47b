/** The keys of a record that has no others than its type says. */
export const keysOf = <Key extends string>(
  record: Readonly<Partial<Record<Key, unknown>>>,
): Key[] => Object.keys(record) as Key[];
