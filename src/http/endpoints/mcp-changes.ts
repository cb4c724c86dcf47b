import { PROFILE_URI, RECENT_URI } from '@mnemograph/mcp';
import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { Context } from '../../context.ts';

/** How long several changes are announced as one, in milliseconds. */
const GATHER = 250;

type Listening = { params?: { notifications?: { resourceSubscriptions?: unknown } } };

/** Whether a message opens a stream of announcements. */
export const isListening = (body: unknown): boolean =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';

/** Announces the changes of one user's memory, by any process, to a stream that follows resources. */
export function changesOf(
  { publisher }: Pick<Context, 'publisher'>,
  userId: string,
  body: unknown,
): ServerEventBus {
  const { resourceSubscriptions } = (body as Listening | null)?.params?.notifications ?? {};
  const followed = Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [];
  const uris = new Set<string>([PROFILE_URI, RECENT_URI, ...followed.map(String)]);
  return {
    publish: () => {},
    subscribe(listener) {
      let timer: NodeJS.Timeout | undefined;
      const announce = () => {
        timer = undefined;
        for (const uri of uris) listener({ kind: 'resource_updated', uri });
      };
      const unsubscribe = publisher.onChange((changed) => {
        if (changed === null || changed === userId) timer ??= setTimeout(announce, GATHER);
      });
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
  };
}
