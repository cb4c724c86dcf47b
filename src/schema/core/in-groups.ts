/** Calls `load` once per user among the keys (several only with an API key). Returns the results in the order of the keys. */
export const perUser = <Key extends { userId: string }, Value>(
  keys: readonly Key[],
  load: (userId: string, userKeys: Key[]) => Promise<Value[]>,
): Promise<Value[]> =>
  inGroups(
    keys,
    ({ userId }) => userId,
    (group) => load(group[0].userId, group),
  );

/** Calls `load` once per group of keys, one after another. Returns the results in the order of the keys. */
export async function inGroups<Key, Value>(
  keys: readonly Key[],
  groupOf: (key: Key) => unknown,
  load: (group: [Key, ...Key[]]) => Promise<Value[]>,
): Promise<Value[]> {
  const groups = new Map<unknown, [Key, ...Key[]]>();
  for (const key of keys) {
    const group = groups.get(groupOf(key));
    if (group) group.push(key);
    else groups.set(groupOf(key), [key]);
  }
  const results = new Map<Key, Value>();
  for (const group of groups.values()) {
    for (const [index, value] of (await load(group)).entries()) {
      const key = group[index];
      if (key) results.set(key, value);
    }
  }
  return keys.map((key) => results.get(key) as Value);
}
