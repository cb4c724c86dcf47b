import type { GraphQLClient } from './graphql-over-http.ts';

/** A list field of `User`, and what to read from it. */
type List = {
  field: string;
  /** Arguments other than those for paging, such as "kind: SEGMENT,". */
  filter?: string;
  /** The size of a page; 100 by default. */
  first?: number;
  /** The fields of a node. */
  fields: string;
};

type Page<Node> = {
  user: {
    list: { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  } | null;
};

/** Reads all pages of a list of a user. Returns no nodes for an unknown user. */
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
