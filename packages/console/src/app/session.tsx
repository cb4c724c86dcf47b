import { type Memory, MemoryError } from '@mnemograph/client';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { connection, openMemory } from './open-memory.ts';
import { SERVER_URL } from './place.ts';

type Credentials = { secret: string | null; notice: string | null; userId?: string | undefined };
type SignedIn = {
  memory: Memory;
  hasSecret: boolean;
  /** Sends a request to a path of the server that is not the graph, such as an upload. */
  send: (path: string, init: RequestInit) => Promise<Response>;
  /** Why the last key or token was refused. */
  notice: string | null;
  /** Whose memory to open, if the credentials open several and the address names none. */
  userId: string | undefined;
  signIn: (secret: string, userId?: string) => void;
  signOut: (notice?: string) => void;
};

const Session = createContext<SignedIn | null>(null);

/** Holds the key or token: in memory only, so that it is gone with the tab. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [{ secret, notice, userId }, setCredentials] = useState<Credentials>({
    secret: null,
    notice: null,
  });
  const queries = useQueryClient();
  const isWithoutSocket = useSyncExternalStore(connection.subscribe, connection.isWithoutSocket);
  const memory = useMemo(() => openMemory(secret, isWithoutSocket), [secret, isWithoutSocket]);
  const change = useCallback(
    (credentials: Credentials) => {
      queries.clear();
      setCredentials(credentials);
    },
    [queries],
  );
  const value = useMemo(
    () => ({
      memory,
      hasSecret: secret !== null,
      send: (path: string, init: RequestInit) => {
        const headers = new Headers(init.headers);
        if (secret !== null) headers.set('authorization', `Bearer ${secret}`);
        return connection.fetch(new URL(path, SERVER_URL), { ...init, headers });
      },
      notice,
      userId,
      signIn: (given: string, user?: string) =>
        change({ secret: given, notice: null, userId: user }),
      signOut: (why?: string) => change({ secret: null, notice: why ?? null }),
    }),
    [memory, secret, notice, userId, change],
  );
  return <Session value={value}>{children}</Session>;
}

/** The client with the credentials of this tab, and ways to change them. */
export function useSession(): SignedIn {
  const session = use(Session);
  if (!session) throw new Error('There is no SessionProvider.');
  return session;
}

/** Whether the server does not answer at present. */
export const useIsAway = (): boolean =>
  useSyncExternalStore(connection.subscribe, connection.isAway);

/** Whether an error says that the server does not know these credentials. */
export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof MemoryError && error.code === 'UNAUTHENTICATED';
