import type { TimedTurn } from '../../../src/domain/segments/exchange-boundaries.ts';
import { channelRule } from '../../../src/domain/turns/channel.ts';
import { MINUTE } from '../../../src/shared/duration.ts';
import type { Chat } from './chat-file.ts';

/** The silence after which an implicit channel opens another thread, in milliseconds. */
const SILENCE = 30 * MINUTE;

/** Turns that the server puts into one thread, with the indexes of the turns that open a topic. */
export type ExpectedThread = { turns: (TimedTurn & { n: number })[]; boundaries: number[] };

/** Divides a person's conversations into threads as the server does, with the labelled cuts inside them. */
export const expectedThreads = ({ conversations, cuts }: Pick<Chat, 'conversations' | 'cuts'>) =>
  conversations.flatMap(({ channel, turns }) => {
    const allTurns = turns.map(({ n, role, text, at }) => ({
      ...{ n, role, text },
      occurredAt: new Date(at),
    }));
    const { kind } = channelRule(channel, null, new Map());
    const parts = kind === 'IMPLICIT' ? partsBySilence(allTurns) : [allTurns];
    return parts.map((part): ExpectedThread => {
      const boundaries = part.flatMap(({ n }, at) => (at > 0 && cuts.includes(n) ? [at] : []));
      return { turns: part, boundaries };
    });
  });

/** Divides the turns of an implicit channel at long silences. */
export function partsBySilence<Turn extends { occurredAt: Date }>(
  turns: readonly Turn[],
): Turn[][] {
  const parts: Turn[][] = [];
  for (const turn of turns) {
    const part = parts.at(-1);
    const last = part?.at(-1)?.occurredAt.getTime();
    if (part && last !== undefined && turn.occurredAt.getTime() - last <= SILENCE) part.push(turn);
    else parts.push([turn]);
  }
  return parts;
}
