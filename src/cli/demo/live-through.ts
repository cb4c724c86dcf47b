import type { Memory } from '@mnemograph/client';
import { DAY, MINUTE } from '../../shared/duration.ts';
import { endOf, type Sample, type SampleConversation } from './sample.ts';

/** A stored conversation: its channel, thread title, number of turns and the time of the first turn. */
type Stored = { channel: string; thread: string | undefined; count: number; first: string };

/** The clock of the server, which goes with the sample. */
export type MovedClock = {
  /** Sets the clock; it never goes back. */
  at(time: Date): void;
  /** Runs the background work that is due. */
  rest(): Promise<unknown>;
};

/** So long after a conversation its thread is over. */
const SILENCE = 35 * MINUTE;
/** The background work is done this often, in the time of the sample: more often it would only take longer. */
const REST_EVERY = 3 * DAY;

/**
 * Lives through a sample as an application would: each turn is sent at its own time, and before the first answer of a
 * conversation the memory is asked what a model would need. Yields each conversation once it is stored. The first
 * conversation with a title opens a thread; later ones with the same title continue it.
 * @throws MemoryError when the server refuses something
 */
export async function* liveThrough(
  memory: Memory,
  { conversations, timeZone }: Sample,
  clock: MovedClock,
): AsyncGenerator<Stored> {
  const threads = new Map<string, string>();
  let rested = Date.parse(conversations[0]?.turns[0]?.occurredAt ?? '');
  clock.at(new Date(rested));
  if (timeZone) await memory.request(CONFIGURE, { timeZone });
  for (const [index, conversation] of conversations.entries()) {
    const { channel, thread, turns } = conversation;
    await talk(memory, conversation, { clock, threads });
    const over = endOf(conversation).getTime() + SILENCE;
    const next = Date.parse(conversations[index + 1]?.turns[0]?.occurredAt ?? '') || over;
    if (next - rested >= REST_EVERY || index === conversations.length - 1) {
      rested = next;
      clock.at(new Date(Math.min(over, next)));
      await clock.rest();
    }
    yield { channel, thread, count: turns.length, first: turns[0]?.occurredAt ?? '' };
  }
}

const CONFIGURE = /* GraphQL */ `
  mutation Configure($timeZone: String!) {
    configureUser(timeZone: $timeZone) { __typename }
  }
`;

async function talk(
  memory: Memory,
  { channel, thread, turns }: SampleConversation,
  { clock, threads }: { clock: MovedClock; threads: Map<string, string> },
): Promise<void> {
  const question = turns.find(({ role }) => role === 'USER');
  for (const turn of turns) {
    clock.at(new Date(turn.occurredAt));
    const existing = thread === undefined ? undefined : threads.get(thread);
    const target =
      existing !== undefined
        ? { threadId: existing }
        : thread !== undefined
          ? { newThread: { title: thread } }
          : {};
    const stored = await memory.remember({ channel, ...target, turns: [turn] });
    const threadId = stored.turns[0]?.turn?.thread.id;
    if (thread !== undefined && threadId !== undefined) threads.set(thread, threadId);
    if (turn === question && threadId !== undefined) {
      await memory.context(turn.text, { channel, threadId });
    }
  }
}
