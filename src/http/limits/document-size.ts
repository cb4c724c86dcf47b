import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import {
  type Fragments,
  fieldsOf,
  introspectionCost,
  MOST_INTROSPECTION,
} from './introspection-cost.ts';

/** The limits of a document. Validating the most expensive document within them takes about 50 ms. */
export const MOST = {
  /** Characters, before it is parsed. Long texts go into variables. */
  characters: 500_000,
  definitions: 100,
  variables: 1_000,
  directives: 100,
  /** Characters in the name of a field, an alias, a fragment or a variable. */
  nameLength: 128,
  /** Fields and fragments in one selection set. */
  selections: 200,
  /** Aliases of one field in one selection set. For root fields MAX_ROOT_FIELDS applies instead. */
  aliases: 30,
  /** All fields; those of a fragment count each time it is used. */
  fields: 5_000,
  /** Pairs of fields with the same response name: validation compares each pair. */
  pairs: 20_000,
  levels: 100,
  introspection: MOST_INTROSPECTION,
} as const;

export type Measure = keyof typeof MOST;

class TooMuch extends Error {
  readonly measure: Measure;
  constructor(measure: Measure) {
    super(measure);
    this.measure = measure;
  }
}

type Count = (measure: Measure, amount: number) => void;

/** Returns the limit that a document exceeds; null if none. The limits also bound the time of this check. */
export function excessOf(document: DocumentNode): Measure | null {
  const totals = new Map<Measure, number>();
  const count: Count = (measure, amount) => {
    const total = (totals.get(measure) ?? 0) + amount;
    totals.set(measure, total);
    if (total > MOST[measure]) throw new TooMuch(measure);
  };
  try {
    countParts(document, count);
    const fragments = new Map(
      document.definitions
        .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
        .map((each) => [each.name.value, each]),
    );
    for (const each of document.definitions) {
      const isOperation = each.kind === Kind.OPERATION_DEFINITION;
      // Unused fragments are validated too.
      if (!isOperation && each.kind !== Kind.FRAGMENT_DEFINITION) continue;
      walk([each.selectionSet], { fragments, count, isTop: isOperation, level: 1 });
      if (isOperation) count('introspection', introspectionCost(each, fragments));
    }
    return null;
  } catch (error) {
    if (error instanceof TooMuch) return error.measure;
    throw error;
  }
}

type Node = { kind: string } & Record<string, unknown>;

/** Counts the parts of the document as written, without expanding fragments. */
function countParts(document: DocumentNode, count: Count): void {
  count('definitions', document.definitions.length);
  const look = (node: Node) => {
    if (node.kind === Kind.DIRECTIVE) count('directives', 1);
    if (node.kind === Kind.VARIABLE_DEFINITION) count('variables', 1);
    if (node.kind === Kind.NAME) atMost('nameLength', (node.value as string).length);
    if (node.kind === Kind.SELECTION_SET) atMost('selections', (node.selections as []).length);
  };
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) for (const each of value) waiting.push(each);
    else if (isNode(value)) {
      look(value);
      for (const [key, each] of Object.entries(value)) if (key !== 'loc') waiting.push(each);
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'kind' in value;

function atMost(measure: Measure, amount: number): void {
  if (amount > MOST[measure]) throw new TooMuch(measure);
}

type Place = { fragments: Fragments; count: Count; isTop: boolean; level: number };

/** Walks the answer that several selection sets describe together, field by field, expanding fragments. */
function walk(sets: readonly SelectionSetNode[], place: Place): void {
  const { fragments, count, isTop, level } = place;
  atMost('levels', level);
  const nested = new Map<string, SelectionSetNode[]>();
  const sameNames = new Map<string, number>();
  const aliases = new Map<string, Set<string>>();
  const countField = () => count('fields', 1);
  for (const set of sets) {
    for (const { alias, name, selectionSet } of fieldsOf(set, fragments, countField)) {
      const key = (alias ?? name).value;
      const same = sameNames.get(key) ?? 0;
      count('pairs', same);
      sameNames.set(key, same + 1);
      aliases.set(name.value, (aliases.get(name.value) ?? new Set()).add(key));
      if (selectionSet) nested.set(key, [...(nested.get(key) ?? []), selectionSet]);
    }
  }
  if (!isTop) for (const ofField of aliases.values()) atMost('aliases', ofField.size);
  for (const inner of nested.values()) {
    walk(inner, { ...place, isTop: false, level: level + 1 });
  }
}
