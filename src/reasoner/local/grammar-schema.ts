/**
 * A reply's JSON Schema as `node-llama-cpp` makes a grammar of it: it knows `oneOf`, and takes what it does not know for
 * anything at all. Our alternatives exclude each other.
 */
export function grammarSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(grammarSchema);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name === 'anyOf' && Array.isArray(value) ? 'oneOf' : name,
      grammarSchema(value),
    ]),
  );
}
