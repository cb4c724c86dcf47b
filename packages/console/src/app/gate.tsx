import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { SessionQuery } from '../generated/graphql.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { useAddress } from './address.ts';
import { Away } from './away.tsx';
import { openMemory } from './open-memory.ts';
import { PAST_EVENTS, SESSION } from './operations.ts';
import { queryOf, renewAll, useRequest } from './queries.ts';
import { isUnauthenticated, useIsAway, useSession } from './session.tsx';
import { SignIn } from './sign-in.tsx';
import { requestOf } from './typed.ts';

export type Caller = SessionQuery['session'];

/** Asks who asks without a key, while there is nothing to show yet. */
export const prefetchCaller = (queries: QueryClient): Promise<void> =>
  queries.prefetchQuery(queryOf(requestOf(openMemory(null)), SESSION, {}));

/** Shows the page to callers that the server accepts, and asks others for a key or token. */
export function Gate({ children }: { children: (caller: Caller) => ReactNode }) {
  const { hasSecret, signOut, notice, userId } = useSession();
  const request = useRequest();
  const queries = useQueryClient();
  const [{ user = userId }] = useAddress();
  // Refused once is refused; what may be worth another try is tried again by itself.
  const query = useQuery({ ...queryOf(request, SESSION, {}), retryOnMount: false });
  const isAsking = hasSecret && query.isPending;
  const isRefused = isUnauthenticated(query.error);
  useSignOutWhenRefused();
  useRenewAfterReturn();
  useEffect(() => {
    if (isRefused && hasSecret) signOut('The server does not accept this key or token.');
  }, [isRefused, hasSecret, signOut]);
  // What is shown first is asked at the same time, of whom it will most likely be.
  useEffect(() => {
    if (isAsking && user !== undefined)
      void queries.prefetchQuery(queryOf(request, PAST_EVENTS, { userId: user }));
  }, [isAsking, user, request, queries]);
  if (isRefused) return <SignIn notice={notice} />;
  if (query.error) {
    return (
      <main className="mx-auto max-w-xl p-8">
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      </main>
    );
  }
  if (query.data) return children(query.data.session);
  return (
    <>
      <Away />
      <Loading />
    </>
  );
}

/** A key may be revoked and a token may expire while the page is open. */
function useSignOutWhenRefused(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ query }) => {
        const isOther = query.queryKey[0] !== SESSION;
        if (isOther && isUnauthenticated(query.state.error)) {
          void queries.resetQueries({ queryKey: [SESSION] });
          queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
        }
      }),
    [queries],
  );
}

/** While the server was away, events may have come that no query has heard of. */
function useRenewAfterReturn(): void {
  const isAway = useIsAway();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isAway) return;
    return () => renewAll(queries);
  }, [isAway, queries]);
}
