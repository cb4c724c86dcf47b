import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { useRequest } from '../../app/queries.ts';
import type { TimelineTurnsQuery } from '../../generated/graphql.ts';
import { TURNS } from './operations.ts';

export type ReadTurn = NonNullable<TimelineTurnsQuery['thread']>['turns']['edges'][number]['node'];

/** The turns of a thread, page by page. Pages are kept, since turns never change; new turns are read after them. */
export function useTurns({ id, turnCount }: { id: string; turnCount: number }) {
  const userId = useUserId();
  const request = useRequest();
  const query = useInfiniteQuery({
    queryKey: [TURNS, { userId, id }],
    queryFn: ({ signal, pageParam }) =>
      request(TURNS, { userId, id, after: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    // The last page may get more turns: there is always a next one.
    getNextPageParam: (last, _pages, after) => last.thread?.turns.pageInfo.endCursor ?? after,
    meta: { isLasting: true },
  });
  const pages = query.data?.pages;
  const turns = useMemo(
    (): ReadTurn[] =>
      (pages ?? []).flatMap(({ thread }) => (thread?.turns.edges ?? []).map(({ node }) => node)),
    [pages],
  );
  const isComplete = pages?.at(-1)?.thread?.turns.pageInfo.hasNextPage === false;
  const hasGrown = isComplete && turns.length < turnCount;
  const { fetchNextPage, isFetching } = query;
  useEffect(() => {
    if (hasGrown && !isFetching) void fetchNextPage();
  }, [hasGrown, isFetching, fetchNextPage]);
  const readMore = () => {
    if (!isComplete && !isFetching) void fetchNextPage();
  };
  return { query, turns, readMore };
}
