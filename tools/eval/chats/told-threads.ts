import type { ToldTurn } from '../../../src/domain/segments/exchange-boundaries.ts';
import { channelRule } from '../../../src/domain/turns/channel.ts';
import type { Chat } from './chat-file.ts';

/** After so long a silence an implicit channel opens another thread, milliseconds. */
const SILENCE = 30 * 60_000;

/** A stretch of talk that the server keeps in one thread. */
export type ToldThread = { turns: (ToldTurn & { n: number })[]; boundaries: number[] };

/** A person's conversations as the server parts them into threads, with the labelled cuts inside them. */
export const toldThreads = ({ conversations, cuts }: Pick<Chat, 'conversations' | 'cuts'>) =>
  conversations.flatMap(({ channel, turns }) => {
    const told = turns.map(({ n, role, text, at }) => ({
      ...{ n, role, text },
      occurredAt: new Date(at),
    }));
    const { kind } = channelRule(channel, new Map(), new Map());
    const parts = kind === 'IMPLICIT' ? partsBySilence(told) : [told];
    return parts.map((own): ToldThread => {
      const boundaries = own.flatMap(({ n }, at) => (at > 0 && cuts.includes(n) ? [at] : []));
      return { turns: own, boundaries };
    });
  });

/** Turns of an implicit channel, parted where nobody spoke for long. */
export function partsBySilence<Turn extends { occurredAt: Date }>(
  turns: readonly Turn[],
): Turn[][] {
  const parts: Turn[][] = [];
  for (const turn of turns) {
    const own = parts.at(-1);
    const last = own?.at(-1)?.occurredAt.getTime();
    if (own && last !== undefined && turn.occurredAt.getTime() - last <= SILENCE) own.push(turn);
    else parts.push([turn]);
  }
  return parts;
}
