import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { type Access, named, payloadOf, Refusal } from './ask.ts';
import { PROFILE_URI, RECENT_URI, THREAD_URI, threadUri } from './changes.ts';
import { turnLine } from './lines.ts';
import { PROFILE, RECENT, THREADS } from './operations.ts';
import { fenced, plain } from './text.ts';
import { newestTurns } from './thread-turns.ts';
import { day, zoneIn } from './zone.ts';

const MIME = 'text/markdown';
/** How many threads are listed, the latest first. All of them can be read. */
const LISTED = 10;

/** Registers what a host may put into a conversation by itself: the profile, recent memories, and threads. */
export function registerResources(server: McpServer, access: Access): void {
  const contents = (uri: URL, text: string) => ({
    contents: [{ uri: uri.href, mimeType: MIME, text }],
  });
  server.registerResource(
    'profile',
    PROFILE_URI,
    { title: 'How to work with the user', mimeType: MIME },
    async (uri) => {
      const { user, viewer } = await access.ask(PROFILE, named(access));
      const prose = (user ?? viewer)?.profile?.prose ?? '';
      return contents(uri, fenced(prose.split('\n').map(plain).filter(Boolean)));
    },
  );
  server.registerResource(
    'recent',
    RECENT_URI,
    { title: 'What happened in the last seven days', mimeType: MIME },
    async (uri) => {
      const { recentMemories } = await access.ask(RECENT, { userId: access.userId });
      return contents(uri, payloadOf(recentMemories).markdown);
    },
  );
  server.registerResource(
    'thread',
    new ResourceTemplate(`${THREAD_URI}{id}`, { list: () => latestThreads(access) }),
    { title: 'The newest turns of a thread', mimeType: MIME },
    async (uri, { id }) => {
      const thread = await newestTurns(decodeURIComponent(String(id)), access);
      if (!thread) throw new Refusal('NOT_FOUND', 'There is no such thread.');
      const title = thread.title ? [`Thread: ${plain(thread.title)}`] : [];
      const lines = thread.turns.map((turn) => turnLine(turn, thread.zone));
      return contents(uri, fenced([...title, ...lines]));
    },
  );
}

async function latestThreads(access: Access) {
  const answer = await access.ask(THREADS, { ...named(access), first: LISTED });
  const edges = (answer.user ?? answer.viewer)?.threads.edges ?? [];
  const zone = zoneIn(answer);
  const threads = edges.flatMap((edge) => edge?.node ?? []);
  return {
    resources: threads.map(({ id, title, lastActivityAt }) => ({
      uri: threadUri(id),
      name: `thread ${id}`,
      title: `${title ? plain(title) : 'Thread'}, ${day(lastActivityAt, zone)}`,
      mimeType: MIME,
    })),
  };
}
