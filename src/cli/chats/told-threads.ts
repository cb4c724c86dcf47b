import { channelRule } from '../../domain/channel.ts';
import type { ToldTurn } from '../../domain/exchange-boundaries.ts';
import type { Chat, ChatConversation } from './chat-file.ts';

/** After so long a silence an implicit channel opens another thread, milliseconds. */
const SILENCE = 30 * 60_000;

/** A stretch of talk that the server keeps in one thread. */
export type ToldThread = { turns: (ToldTurn & { n: number })[]; boundaries: number[] };

/** A person's conversations as the server parts them into threads, with the labelled cuts inside them. */
export const toldThreads = ({ conversations, cuts }: Pick<Chat, 'conversations' | 'cuts'>) =>
  conversations.flatMap(partsOf).map((turns): ToldThread => {
    const opening = turns.flatMap(({ n }, at) => (at > 0 && cuts.includes(n) ? [at] : []));
    return { turns, boundaries: opening };
  });

function partsOf({ channel, turns }: ChatConversation): ToldThread['turns'][] {
  const parts: ToldThread['turns'][] = [];
  const isImplicit = channelRule(channel, new Map(), new Map()).kind === 'IMPLICIT';
  for (const { n, role, text, at } of turns) {
    const turn = { n, role, text, occurredAt: new Date(at) };
    const own = parts.at(-1);
    const silence = turn.occurredAt.getTime() - (own?.at(-1)?.occurredAt.getTime() ?? 0);
    if (own && !(isImplicit && silence > SILENCE)) own.push(turn);
    else parts.push([turn]);
  }
  return parts;
}
