/** A page of a list. */
export type Page<Node> = {
  edges: readonly { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
};

/** Variables that choose a memory by name, or that of the token. */
export type Owner = { userId: string; isNamed: boolean };

export const ownerOf = (userId: string | undefined): Owner => ({
  userId: userId ?? '',
  isNamed: userId !== undefined,
});

export const nodesOf = <Node>(page: Page<Node> | null | undefined): Node[] =>
  (page?.edges ?? []).map(({ node }) => node);

/** All nodes of a list, page by page. */
export async function* pagesOf<Node>(
  read: (after: string | undefined) => Promise<Page<Node> | null | undefined>,
): AsyncGenerator<Node> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* nodesOf(page);
    after = (page?.pageInfo.hasNextPage && page.pageInfo.endCursor) || undefined;
  } while (after !== undefined);
}
