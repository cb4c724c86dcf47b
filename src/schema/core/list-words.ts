import { type GraphQLField, getNamedType, isObjectType } from 'graphql';

/** The words for a paged list, from which its arguments, its pages and their edges are described. */
export type ListWords = {
  /** What the list is of, such as "turns of the thread"; different for each list, so that each description is. */
  entries: string;
  /** The entry at the start of the list, and the one at its end, such as "the earliest" and "the latest". */
  start: string;
  end: string;
  /** What `node` of an edge is: a sentence. */
  node: string;
};

/** The option of a connection field that gives the words for its list. */
export const listWords = (list: ListWords): { extensions: { list: ListWords } } => ({
  extensions: { list },
});

const isListWords = (list: unknown): list is ListWords =>
  typeof list === 'object' && list !== null && 'entries' in list;

/** If a field is a paged list, describes its arguments, the fields of its connection and those of the edges. */
export function describeList({ type, args, extensions }: GraphQLField<unknown, unknown>): void {
  if (!isListWords(extensions.list)) return;
  const { entries, start, end, node } = extensions.list;
  describe(args, {
    first:
      `How many ${entries} to return at most, from the start of the list (${start}) or after the cursor \`after\`: 0-100; ` +
      '20 if neither `first` nor `last` is given.',
    last:
      `How many ${entries} to return at most, from the end of the list (${end}) or before the cursor \`before\`, in the order ` +
      'of the list: 0-100. Not with `first` or `after`.',
    after:
      `Return only ${entries} that stand after this cursor in the list. For the next page, pass the \`endCursor\` of this one. ` +
      'Without `first`, the 20 that follow the cursor. Not with `before` or `last`.',
    before:
      `Return only ${entries} that stand before this cursor in the list. For the previous page, pass the \`startCursor\` of this one. ` +
      'Without `last`, the 20 that precede the cursor. Not with `after` or `first`.',
  });
  const page = fieldsOf(type);
  describe(Object.values(page), {
    edges: `The entries of this page (${entries}), in the order of the list, each with its cursor.`,
    pageInfo: `Whether more ${entries} precede or follow this page, and the cursors to reach them.`,
  });
  describe(Object.values(page.edges ? fieldsOf(page.edges.type) : {}), {
    node,
    cursor:
      `Where this entry stands among the ${entries}. Pass it as \`after\` for the entries that follow it, as \`before\` ` +
      'for those that precede it.',
  });
}

function fieldsOf(type: GraphQLField<unknown, unknown>['type']) {
  const named = getNamedType(type);
  return isObjectType(named) ? named.getFields() : {};
}

type Described = { readonly name: string; description?: string | null | undefined };

function describe(members: readonly Described[], texts: Readonly<Record<string, string>>): void {
  for (const member of members) member.description = texts[member.name] ?? member.description;
}
