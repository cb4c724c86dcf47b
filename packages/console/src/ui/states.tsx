import { MemoryError } from '@mnemograph/client';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** Grey lines where something will be. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2 p-4">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <div
          key={line}
          className="h-4 animate-pulse rounded bg-raised motion-reduce:animate-none"
        />
      ))}
    </div>
  );
}

/** Says that there is nothing here, and how something would come here. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className="px-4 py-10 text-center text-muted">{children}</p>;
}

/** What went wrong, in words, and a way to try again. */
export function Failed({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const issues = error instanceof MemoryError ? error.issues : [];
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-md bg-danger-soft px-3 py-2"
    >
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      <div className="words min-w-0 flex-1">
        {error.message}
        {issues.map(({ path, message }) => (
          <div key={path}>
            {path}: {message}
          </div>
        ))}
      </div>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

type Query<Data> = {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
};

/** The answer to a query; until there is one, its place; what went wrong instead of it. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Query<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.error)
    return (
      <div className="p-4">
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (query.data === undefined) return <Loading />;
  return children(query.data);
}

/** A button that loads the next page of a list. Nothing at its end. */
export function More({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center p-3">
      <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? 'Loading …' : 'Show more'}
      </Button>
    </div>
  );
}
