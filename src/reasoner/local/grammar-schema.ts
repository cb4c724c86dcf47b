/**
 * Converts the JSON Schema of a reply for the grammars of `node-llama-cpp`. They know `oneOf` but not `anyOf`, and allow
 * any value for what they do not know. Replacing one by the other is safe, because our alternatives exclude each other.
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
