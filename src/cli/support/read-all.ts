import type { GraphQLClient } from './graphql-over-http.ts';

/** A list of a user's, and what to read of it. */
type List = {
  field: string;
  /** Its arguments besides those of paging, such as "kind: SEGMENT". */
  filter?: string;
  /** How many of it a page has; 100 unless told. */
  first?: number;
  fields: string;
};

type Page<Node> = {
  user: {
    list: { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  } | null;
};

/** All pages of a list of a user's; nothing of an unknown user. */
export async function readAll<Node>(
  client: Pick<GraphQLClient, 'request'>,
  userId: string,
  { field, filter = '', first = 100, fields }: List,
): Promise<Node[]> {
  const query = `query ($userId: String!, $first: Int!, $after: String) {
    user(userId: $userId) {
      list: ${field}(${filter} first: $first, after: $after) {
        edges { node { ${fields} } } pageInfo { hasNextPage endCursor }
      }
    }
  }`;
  const nodes: Node[] = [];
  let after: string | null = null;
  do {
    const variables: Record<string, unknown> = { userId, first, after };
    const { user }: Page<Node> = await client.request<Page<Node>>(query, variables);
    nodes.push(...(user?.list.edges ?? []).map(({ node }) => node));
    after = user?.list.pageInfo.hasNextPage ? user.list.pageInfo.endCursor : null;
  } while (after !== null);
  return nodes;
}
