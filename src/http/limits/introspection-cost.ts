import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * The assumed lengths of the lists in the introspection schema. `first`: the mean over all types, which are read together.
 * `deeper`: the longest list, since an operation may read one type repeatedly there.
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

/** How many values of the introspection schema an operation may request: GraphiQL requests half as many. */
export const MOST_INTROSPECTION = 850_000;

/** Estimates how many values of the introspection schema an operation requests; each alias counts. */
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

/** The fields of a selection set, including those of its fragments. Calls `onSelection` for each selection on the way. */
export function* fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  onSelection: () => void = () => {},
  used: readonly string[] = [],
): Generator<FieldNode> {
  for (const selection of selections) {
    onSelection();
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* fieldsOf(selection.selectionSet, fragments, onSelection, used);
    else {
      const name = selection.name.value;
      const fragment = fragments.get(name);
      // A fragment that uses itself is refused by validation.
      if (fragment && !used.includes(name))
        yield* fieldsOf(fragment.selectionSet, fragments, onSelection, [...used, name]);
    }
  }
}
