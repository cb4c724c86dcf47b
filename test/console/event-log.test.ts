import { type Memory, MemoryError } from '@mnemograph/client';
import { afterEach, expect, it, vi } from 'vitest';
import { createEventLog, type LoggedEvent } from '../../packages/console/src/app/events.ts';

const event = (number: number, kind = 'TURNS_REMEMBERED') =>
  ({ number, kind, cursor: `cursor ${number}` }) as LoggedEvent;

/** A memory whose answers the test gives: `past` answers the oldest question for past events, `happen` sends an event. */
function fakeMemory() {
  const questions: PromiseWithResolver[] = [];
  const waiting: LoggedEvent[] = [];
  let wake = () => {};
  const memory = {
    request: () =>
      new Promise((resolve, reject) => {
        questions.push({ resolve, reject });
      }),
    as: () => ({
      async *events() {
        for (;;) {
          while (waiting.length > 0) yield waiting.shift();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    }),
  } as unknown as Memory;
  return {
    memory,
    questions,
    past: (...events: LoggedEvent[]) =>
      questions.shift()?.resolve({
        user: { events: { edges: events.map((node) => ({ node })) } },
      }),
    happen(happened: LoggedEvent) {
      waiting.push(happened);
      wake();
    },
  };
}
type PromiseWithResolver = { resolve(value: unknown): void; reject(error: Error): void };

afterEach(() => vi.useRealTimers());

/** Lets everything happen that is due within a time, in milliseconds. */
const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

function followed() {
  vi.useFakeTimers();
  const fake = fakeMemory();
  const log = createEventLog(fake.memory, 'ann', {});
  log.start();
  return { ...fake, log, numbers: () => log.get().events.map(({ number }) => number) };
}

it('events that come while the log is read anew after a forget are neither lost nor shown twice', async () => {
  const { past, happen, numbers } = followed();
  past(event(1), event(2));
  await pass(0);
  happen(event(3, 'MEMORY_FORGOTTEN'));
  await pass(20);
  happen(event(4));
  await pass(20);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  past(event(3, 'MEMORY_FORGOTTEN'));
  await pass(0);
  expect(numbers()).toEqual([3, 4]);
  happen(event(5, 'MEMORY_FORGOTTEN'));
  await pass(20);
  past(event(5, 'MEMORY_FORGOTTEN'), event(6));
  happen(event(6));
  await pass(20);
  expect(numbers()).toEqual([5, 6]);
});

it('a log whose memory is opened while the server is away is followed once it is back', async () => {
  const { past, questions, log, numbers } = followed();
  questions.shift()?.reject(new MemoryError('UNREACHABLE', 'away', { retryable: true }));
  await pass(0);
  expect(log.get().state).toBe('loading');
  await pass(2_000);
  past(event(1));
  await pass(0);
  expect(log.get().state).toBe('following');
  expect(numbers()).toEqual([1]);
});

it('a log that the server refuses says why', async () => {
  const { questions, log } = followed();
  questions.shift()?.reject(new MemoryError('UNAUTHENTICATED', 'unknown key'));
  await pass(0);
  expect(log.get()).toMatchObject({ state: 'failed', error: { code: 'UNAUTHENTICATED' } });
});

it('a log that was refused begins anew when it is told to', async () => {
  const { past, questions, log, numbers } = followed();
  questions.shift()?.reject(new MemoryError('CURSOR_EXPIRED', 'too late'));
  await pass(0);
  expect(log.get().state).toBe('failed');
  log.restart();
  expect(log.get()).toEqual({ events: [], state: 'loading', error: null });
  past(event(1), event(2));
  await pass(0);
  expect(log.get().state).toBe('following');
  expect(numbers()).toEqual([1, 2]);
});
