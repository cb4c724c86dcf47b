import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { type Access, named, payloadOf, Refusal } from './ask.ts';
import { turnLine } from './lines.ts';
import { PROFILE, RECENT } from './operations.ts';
import { fenced, plain } from './text.ts';
import { newestTurns } from './thread-turns.ts';

const MIME = 'text/markdown';
const PROFILE_URI = 'memory://profile';
const RECENT_URI = 'memory://recent';

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
    new ResourceTemplate('memory://thread/{id}', { list: undefined }),
    { title: 'The newest turns of a thread', mimeType: MIME },
    async (uri, { id }) => {
      const thread = await newestTurns(decodeURIComponent(String(id)), access);
      if (!thread) throw new Refusal('NOT_FOUND', 'There is no such thread.');
      const title = thread.title ? [`Thread: ${plain(thread.title)}`] : [];
      return contents(uri, fenced([...title, ...thread.turns.map(turnLine)]));
    },
  );
}
