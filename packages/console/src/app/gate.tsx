import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { SessionQuery } from '../generated/graphql.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Away } from './away.tsx';
import { SESSION } from './operations.ts';
import { renewAll, useGraph } from './queries.ts';
import { isUnauthenticated, useIsAway, useSession } from './session.tsx';
import { SignIn } from './sign-in.tsx';

export type Caller = SessionQuery['session'];

/** Shows the page to callers that the server accepts, and asks others for a key or token. */
export function Gate({ children }: { children: (caller: Caller) => ReactNode }) {
  const { hasSecret, signOut, notice } = useSession();
  const query = useGraph(SESSION, {});
  const isRefused = isUnauthenticated(query.error);
  useSignOutWhenRefused();
  useRenewAfterReturn();
  useEffect(() => {
    if (isRefused && hasSecret) signOut('The server does not accept this key or token.');
  }, [isRefused, hasSecret, signOut]);
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
