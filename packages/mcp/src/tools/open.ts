import { z } from 'zod';
import { type Access, ownerOf, Refusal } from '../ask.ts';
import type { OpenQuery, TurnFragment } from '../generated/graphql.ts';
import { factLine, turnLine } from '../lines.ts';
import { OPEN } from '../operations.ts';
import { fenced, plain } from '../text.ts';
import { turnsAround } from '../thread-turns.ts';
import { defineTool } from '../tool.ts';
import { day, zoneIn } from '../zone.ts';

/** The most turns before and after a turn. */
const MOST = 20;

type Opened = { kind: string; title: string; lines: string[]; turns: readonly TurnFragment[] };
type Found = Opened & { zone: string };

/** Shows one thing in full, with what is around it or behind it. */
export const open = defineTool({
  name: 'open',
  needs: 'READ',
  description:
    'One id in full: a turn with neighbours, an episode, a fact with history and sources, a thread.',
  hints: { readOnlyHint: true },
  input: z.object({ id: z.string(), neighbours: z.int().min(0).max(MOST).default(3) }),
  output: z.object({
    kind: z.string(),
    title: z.string(),
    details: z.array(z.string()),
    turns: z.array(
      z.object({ id: z.string(), when: z.string(), role: z.string(), text: z.string() }),
    ),
  }),
  async run({ id, neighbours }, access) {
    const { kind, title, lines, turns, zone } = await opened(id, neighbours, access);
    const shown = turns.map((turn) => turnLine(turn, zone));
    return {
      markdown: fenced([`${kind}: ${plain(title)}`, ...lines, ...shown]),
      data: {
        kind,
        title,
        details: lines,
        turns: turns.map((turn) => ({
          id: turn.id,
          when: turn.occurredAt,
          role: turn.role,
          text: turn.text,
        })),
      },
    };
  },
});

/** What an id names. @throws Refusal if it names nothing of this user */
async function opened(id: string, neighbours: number, access: Access): Promise<Found> {
  const found = await access.ask(OPEN, { id, userId: access.userId, ...ownerOf(access) });
  const zone = zoneIn(found);
  const about = describe(found, zone);
  if (about) return { ...about, zone };
  const { node } = found;
  if (node?.__typename === 'Turn' && isOf(node.thread.userId, access)) {
    const turns = await turnsAround(node, neighbours, access);
    return { kind: 'turn', title: `in the thread ${node.thread.id}`, lines: [], turns, zone };
  }
  throw new Refusal('NOT_FOUND', 'There is nothing with this id. Use an id of another result.');
}

/** An API key may read the nodes of all users, but acts for one of them here. */
const isOf = (owner: string, { userId }: Access) => userId === undefined || userId === owner;

function describe({ fact, episode, thread }: OpenQuery, zone: string): Opened | null {
  if (fact) {
    const { statement, history, turns } = fact;
    return {
      kind: 'fact',
      title: statement,
      lines: history.map((each) => factLine(each, zone)),
      turns,
    };
  }
  if (episode) {
    const lines = episode.summary ? [plain(episode.summary)] : [];
    return { kind: 'episode', title: episode.title ?? 'untitled', lines, turns: episode.turns };
  }
  if (!thread) return null;
  const { title, summary, state, turnCount, channels, startedAt, lastActivityAt } = thread;
  const period = `${day(startedAt, zone)} to ${day(lastActivityAt, zone)}`;
  const about = `${state}, ${turnCount} turns on ${plain(channels.join(', '))}, ${period}`;
  const lines = [about, ...(summary ? [plain(summary)] : [])];
  return { kind: 'thread', title: title ?? 'untitled', lines, turns: [] };
}
