import { MemoryError } from './errors.ts';

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

/** The memory that was asked for; null if it has nothing yet. @throws MemoryError if none was chosen */
export function memoryIn<User>({
  user,
  viewer,
  session,
}: {
  user?: User | null;
  viewer?: User | null;
  session?: { kind: string };
}): User | null {
  if (session?.kind === 'ALL_USERS') {
    const message = 'is required, because this API key acts for many users: choose one by as()';
    throw new MemoryError('INVALID_INPUT', `userId ${message}`, {
      issues: [{ path: 'userId', message }],
    });
  }
  return user ?? viewer ?? null;
}

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
