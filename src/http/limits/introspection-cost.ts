import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * How many entries the lists of the introspection schema have: of a type on the mean, since all types together are read;
 * deeper, where one type may be read again and again, of the longest.
 */
const LENGTHS: Readonly<Record<string, { first: number; deeper: number }>> = {
  types: { first: 250, deeper: 250 },
  fields: { first: 10, deeper: 50 },
  inputFields: { first: 5, deeper: 20 },
  enumValues: { first: 5, deeper: 40 },
  args: { first: 3, deeper: 3 },
  possibleTypes: { first: 2, deeper: 10 },
  interfaces: { first: 1, deeper: 2 },
  directives: { first: 8, deeper: 8 },
};
const DEEPER = new Set(['__type', 'fields', 'possibleTypes']);

/** Values of the introspection schema that may be asked for: GraphiQL asks for half of it. */
export const MOST_INTROSPECTION = 850_000;

/** About how many values an operation asks of the introspection schema; each alias counts. */
export function introspectionCost(
  { selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): number {
  const costOf = ({ name: { value: name }, selectionSet: inner }: FieldNode, isDeep: boolean) => {
    const level = isDeep ? 'deeper' : 'first';
    const isNextDeep = isDeep || DEEPER.has(name);
    let within = 0;
    for (const field of inner ? fieldsOf(inner, fragments) : [])
      within += costOf(field, isNextDeep);
    return 1 + (LENGTHS[name]?.[level] ?? 1) * within;
  };
  let cost = 0;
  for (const field of fieldsOf(selectionSet, fragments)) {
    if (field.name.value === '__schema' || field.name.value === '__type')
      cost += costOf(field, false);
  }
  return cost;
}

/** The fields between two braces, with those of its fragments; `met` is told of each thing on the way. */
export function* fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  met: () => void = () => {},
  used: readonly string[] = [],
): Generator<FieldNode> {
  for (const selection of selections) {
    met();
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* fieldsOf(selection.selectionSet, fragments, met, used);
    else {
      const name = selection.name.value;
      const fragment = fragments.get(name);
      // One that uses itself is refused when the document is validated.
      if (fragment && !used.includes(name))
        yield* fieldsOf(fragment.selectionSet, fragments, met, [...used, name]);
    }
  }
}
