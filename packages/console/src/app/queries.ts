import { type EventKind, MemoryError, type Payload, payloadOf } from '@mnemograph/client';
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from './session.tsx';
import { type Document, type Request, requestOf } from './typed.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { renewOn?: readonly EventKind[] | 'any' | undefined };
  }
}

/** How a query is kept fresh. */
export type QueryOptions = {
  /** The kinds of events after which the answer is another; 'any' for all of them. */
  renewOn?: readonly EventKind[] | 'any';
  enabled?: boolean;
  /** How long an answer is kept that nothing shows any more, in milliseconds. */
  keptFor?: number;
};

const KEPT_FOR = 60_000;

/** A page of a list of the graph. */
export type Page<Node> = {
  edges: readonly { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
};

type FormerPage<Node> = {
  edges: readonly { node: Node }[];
  pageInfo: { hasPreviousPage: boolean; startCursor?: string | null | undefined };
};

/** A page of a list that is read from its end: the newest entry comes first, and the next page is the one before. */
export const fromTheEnd = <Node>(page: FormerPage<Node> | null | undefined): Page<Node> | null =>
  page
    ? {
        edges: [...page.edges].reverse(),
        pageInfo: {
          hasNextPage: page.pageInfo.hasPreviousPage,
          endCursor: page.pageInfo.startCursor,
        },
      }
    : null;

const isWorthRetrying = (_tried: number, error: Error): boolean =>
  error instanceof MemoryError && error.retryable;

/** Answers stay until an event says that they are old: nothing is polled. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: KEPT_FOR,
        refetchOnWindowFocus: false,
        retry: isWorthRetrying,
        retryDelay: 1_000,
      },
      mutations: { networkMode: 'always' },
    },
  });

/** The typed way to send operations. */
export const useRequest = (): Request => requestOf(useSession().memory);

/** What a query of the graph is called among the answers, and how it is asked. */
export const queryOf = <Data, Variables>(
  request: Request,
  document: Document<Data, Variables>,
  variables: Variables,
) => ({
  queryKey: [document, variables] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => request(document, variables, { signal }),
});

/** Runs a query of the graph, and again whenever an event says that its answer is old. */
export function useGraph<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { renewOn, enabled = true, keptFor = KEPT_FOR }: QueryOptions = {},
) {
  const request = useRequest();
  return useQuery({
    ...queryOf(request, document, variables),
    placeholderData: keepPreviousData,
    gcTime: keptFor,
    meta: { renewOn },
    enabled,
  });
}

/**
 * Runs a query whose answer is a result union. Expected errors are errors of the query.
 * @param resultOf finds the result union in the answer
 */
export function useAnswer<Data, Variables, Result>(
  document: Document<Data, Variables>,
  variables: Variables,
  resultOf: (data: Data) => Result,
  { renewOn, enabled = true }: QueryOptions = {},
) {
  const request = useRequest();
  return useQuery({
    queryKey: [document, variables, 'answer'],
    queryFn: async ({ signal }) =>
      payloadOf(resultOf(await request(document, variables, { signal }))),
    placeholderData: keepPreviousData,
    meta: { renewOn },
    enabled,
  });
}

/** What a query that is read page by page is called among the answers. */
export const pagesKey = <Data, Variables>(
  document: Document<Data, Variables>,
  variables: Omit<Variables, 'after'>,
) => [document, variables, 'pages'] as const;

/**
 * Runs a query of the graph page by page. The query takes the cursor of a page as `$after`.
 * @param pageOf finds the page in the answer
 */
export function usePages<Data, Variables extends { after?: string | null | undefined }, Node>(
  document: Document<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  pageOf: (data: Data) => Page<Node> | null | undefined,
  { renewOn, enabled = true }: QueryOptions = {},
) {
  const request = useRequest();
  const query = useInfiniteQuery({
    queryKey: pagesKey(document, variables),
    queryFn: ({ signal, pageParam }) =>
      request(document, { ...variables, after: pageParam } as Variables, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => {
      const info = pageOf(last)?.pageInfo;
      return (info?.hasNextPage && info.endCursor) || undefined;
    },
    placeholderData: keepPreviousData,
    meta: { renewOn },
    enabled,
  });
  const nodes = (query.data?.pages ?? []).flatMap((data) =>
    (pageOf(data)?.edges ?? []).map(({ node }) => node),
  );
  return { ...query, nodes };
}

type Paged = {
  hasNextPage: boolean;
  isFetching: boolean;
  error: Error | null;
  fetchNextPage: (options: { cancelRefetch: boolean }) => unknown;
};

/** Reads page after page of a list, as long as more of it is wanted and none fails. */
export function useAllPages(query: Paged, isWanted: boolean): void {
  const { hasNextPage, isFetching, error, fetchNextPage } = query;
  const isNext = isWanted && hasNextPage && !isFetching && error === null;
  useEffect(() => {
    // Others may ask for the same page.
    if (isNext) fetchNextPage({ cancelRefetch: false });
  }, [isNext, fetchNextPage]);
}

/**
 * Changes something. Expected errors are thrown as others are.
 * @param resultOf finds the result union in the answer
 */
export function useChange<Data, Variables, Result>(
  document: Document<Data, Variables>,
  resultOf: (data: Data) => Result,
): UseMutationResult<Payload<Result>, Error, Variables> {
  const request = useRequest();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (variables: Variables) =>
      payloadOf(resultOf(await request(document, variables))),
    // Not everything that changes has an event, such as a key.
    onSuccess: () => renewAll(queries),
  });
}

/** Runs all queries again that something shows; others when they are shown again. */
export const renewAll = (queries: QueryClient): void => void queries.invalidateQueries();
