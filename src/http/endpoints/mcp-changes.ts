import { CHANGES, CHANGING, changedAmong, changesList, type Happened } from '@mnemograph/mcp';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { GraphQLError } from 'graphql';
import type { Credentials } from '../../auth/authenticate.ts';
import { Refused } from '../errors/refused.ts';
import type { GraphQLServer } from '../graphql.ts';

/** Whose memory is followed, by whom, and until when. */
type Follower = {
  credentials: Credentials;
  /** The user for whom an API key acts. */
  userId: string | undefined;
  isGone: () => boolean;
};

type Result = { data?: { memoryEvents: Happened }; errors?: readonly GraphQLError[] };

/** Follows what happens to a memory from now on, through the graph as any subscription. @throws Refused */
export async function openChanges(
  graphql: GraphQLServer,
  { credentials, userId, isGone }: Follower,
): Promise<AsyncIterableIterator<Result>> {
  const { parse, validate, contextFactory, subscribe, schema } = graphql.getEnveloped({
    credentials,
    isGone,
  } as never);
  const document = parse(String(CHANGES));
  const invalid = validate(schema, document);
  const variableValues = { userId, kinds: CHANGING };
  const result =
    invalid.length > 0
      ? { errors: invalid }
      : await subscribe({ schema, document, variableValues, contextValue: await contextFactory() });
  if (Symbol.asyncIterator in result) return result as AsyncIterableIterator<Result>;
  const [error] = result.errors as readonly GraphQLError[];
  const { code = 'INTERNAL_SERVER_ERROR', retryAfter } = (error?.extensions ?? {}) as {
    code?: string;
    retryAfter?: number;
  };
  throw new Refused(retryAfter ? 503 : 400, code, error?.message ?? code, retryAfter ?? null);
}

/** Notifies an MCP host of changes of the resources to which it listens, and of their list. @param onEnd when there are no more */
export function announcing(
  changes: AsyncIterableIterator<Result>,
  uris: readonly string[],
  onEnd: (error?: unknown) => void,
): ServerEventBus {
  return {
    // All of them come from the event log.
    publish: () => undefined,
    subscribe(listener) {
      const follow = async () => {
        for await (const { data } of changes) {
          if (!data) continue;
          const happened = data.memoryEvents;
          for (const uri of changedAmong(uris, happened))
            listener({ kind: 'resource_updated', uri });
          if (changesList(happened)) listener({ kind: 'resources_list_changed' });
        }
      };
      follow().then(() => onEnd(), onEnd);
      return () => void changes.return?.();
    },
  };
}

/** How many resources a host may name: the library compares each that changes with all of them. */
const MOST = 1_000;

/** The resources to which an MCP host asks to listen, each once; null if the body is another request. @throws Refused for too many */
export function listenedTo(body: unknown): string[] | null {
  const { method, params } = (body ?? {}) as {
    method?: unknown;
    params?: { notifications?: { resourceSubscriptions?: unknown } };
  };
  if (method !== 'subscriptions/listen') return null;
  const { resourceSubscriptions: uris } = params?.notifications ?? {};
  if (!Array.isArray(uris)) return [];
  if (uris.length > MOST) {
    const message = `A host may listen to ${MOST.toLocaleString('en')} resources at most, not to ${uris.length.toLocaleString('en')}.`;
    throw new Refused(400, 'BAD_REQUEST', message);
  }
  return [...new Set(uris)].filter((uri) => typeof uri === 'string');
}
