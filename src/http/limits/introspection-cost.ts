import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

type Assumed = Readonly<Record<string, { each: number; most: number }>>;

/**
 * The assumed lengths of the lists in the introspection schema. `each`: the mean of all, which are read together.
 * `most`: the longest, since an operation may read one type repeatedly.
 */
const LENGTHS: Assumed = {
  types: { each: 250, most: 250 },
  fields: { each: 4.5, most: 60 },
  inputFields: { each: 0.6, most: 25 },
  enumValues: { each: 1.5, most: 45 },
  args: { each: 0.5, most: 3 },
  possibleTypes: { each: 1, most: 16 },
  interfaces: { each: 0.25, most: 3 },
  directives: { each: 10, most: 10 },
};
/** The assumed bytes of the values, in the same way. */
const BYTES: Assumed = {
  name: { each: 20, most: 48 },
  description: { each: 90, most: 1_000 },
  deprecationReason: { each: 16, most: 200 },
  specifiedByURL: { each: 16, most: 80 },
  locations: { each: 90, most: 90 },
};
/** The assumed bytes of all other values: kinds, defaults, true and false. */
const OTHER_BYTES = 18;
/** The fields by which an operation may read the same type again. */
const AGAIN = new Set([
  ...['__type', 'type', 'ofType', 'interfaces', 'possibleTypes'],
  ...['queryType', 'mutationType', 'subscriptionType'],
]);
/** The most wrappers of a type, as in [T!]!. */
const MOST_WRAPPERS = 3;

/** Bytes of JSON syntax around a field's name: two quotes, a colon and a comma. */
const FIELD_SYNTAX = 4;
/** Bytes of JSON syntax around an object in a list: two brackets and a comma. */
const ITEM_SYNTAX = 3;
/** Bytes of null, and of an empty list at most. */
const NOTHING = 4;

/** How many bytes of the introspection schema an operation may request: GraphiQL requests half as many. */
export const MOST_INTROSPECTION = 3_000_000;

/** Where a field stands: below one of `AGAIN`, and below how many wrappers of its type. */
type Place = { isAgain: boolean; wrappers: number };

/** Estimates, rather high, how many bytes of the introspection schema an operation requests; the names of aliases count. */
export function introspectionCost(
  { selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): number {
  const costOf = (field: FieldNode, { isAgain, wrappers }: Place): number => {
    const name = field.name.value;
    const level = isAgain ? 'most' : 'each';
    const key = (field.alias ?? field.name).value.length + FIELD_SYNTAX;
    if (!field.selectionSet) return key + (BYTES[name]?.[level] ?? OTHER_BYTES);
    const within = {
      isAgain: isAgain || AGAIN.has(name),
      wrappers: name === 'ofType' ? wrappers + 1 : 0,
    };
    if (within.wrappers > MOST_WRAPPERS) return key + NOTHING;
    let item = ITEM_SYNTAX;
    for (const each of fieldsOf(field.selectionSet, fragments)) item += costOf(each, within);
    return key + NOTHING + (LENGTHS[name]?.[level] ?? 1) * item;
  };
  let cost = 0;
  for (const field of fieldsOf(selectionSet, fragments)) {
    if (field.name.value === '__schema' || field.name.value === '__type')
      cost += costOf(field, { isAgain: false, wrappers: 0 });
  }
  return Math.ceil(cost);
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
