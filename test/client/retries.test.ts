import { MemoryError } from '@mnemograph/client';
import { expect, it, vi } from 'vitest';
import { pauseBefore } from '../../packages/client/src/waiting.ts';
import {
  type Answer,
  type Asked,
  hangUp,
  json,
  refused,
  stub,
} from '../support/client/stub-answers.ts';

const html =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>A proxy</h1>');
const never: Answer = () => {};

const recalled = json(200, {
  data: { recall: { __typename: 'RecallPayload', markdown: 'It is blue.', hits: [] } },
});
const remembered = json(200, { data: { remember: { __typename: 'RememberPayload', turns: [] } } });
const recorded = json(200, { data: { result: { __typename: 'Fact', id: 'f' } } });

const failureOf = (call: Promise<unknown>): Promise<MemoryError> =>
  call.then(
    () => expect.unreachable('it did not fail'),
    (error) => error,
  );

const SOONER = 10;
const wait = globalThis.setTimeout;
const sooner = (work: () => void, after = 0) => wait(work, after / SOONER);
/** Lets pauses end ten times sooner, and notes how long they were meant to be. */
const hurry = () => vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner as typeof wait);

it.each([
  ['429', refused(429, 'RATE_LIMITED', { retryable: true })],
  ['503', refused(503, 'BUSY', { retryable: true })],
  ['503 without a word of the server', html(503)],
  ['502 of a proxy', html(502)],
  ['a broken connection', hangUp],
  ['errors that are all retryable, with status 200', refused(200, 'BUSY', { retryable: true })],
])('the client tries again after %s', async (_name, failure) => {
  using _timers = hurry();
  const { memory, asked } = await stub([failure, failure, recalled]);
  expect((await memory.recall('What colour?')).markdown).toBe('It is blue.');
  expect(asked).toHaveLength(3);
});

it.each([
  ['400', refused(400, 'BAD_REQUEST')],
  ['401', refused(401, 'UNAUTHENTICATED')],
  ['403', refused(403, 'FORBIDDEN')],
  ['500', refused(500, 'INTERNAL_SERVER_ERROR')],
  ['an answer that is not JSON', html(200)],
])('the client does not try again after %s', async (_name, failure) => {
  const { memory, asked } = await stub([failure, recalled]);
  const error = await failureOf(memory.recall('What colour?'));
  expect(error).toBeInstanceOf(MemoryError);
  expect(error.retryable).toBe(false);
  expect(asked).toHaveLength(1);
});

it('the client gives up after four retries, with the error of the last attempt', async () => {
  using _timers = hurry();
  const { memory, asked } = await stub([refused(503, 'BUSY', { retryable: true })]);
  const error = await failureOf(memory.recall('What colour?'));
  expect(error).toMatchObject({ code: 'BUSY', status: 503, retryable: true });
  expect(asked).toHaveLength(5);
});

it.each([
  ['the header says', refused(429, 'RATE_LIMITED', { retryable: true }, { 'retry-after': '1' })],
  ['the error says', refused(429, 'RATE_LIMITED', { retryable: true, retryAfter: 1 })],
])('the client waits as long as %s, and not much longer', async (_name, failure) => {
  using _random = vi.spyOn(Math, 'random').mockReturnValue(0);
  using timers = hurry();
  const { memory, asked } = await stub([failure, recalled]);
  await memory.recall('What colour?');
  expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(1_000);
  const waited = (asked[1]?.at ?? 0) - (asked[0]?.at ?? 0);
  expect(waited).toBeGreaterThanOrEqual(995 / SOONER);
});

it.each([0, 0.999])(
  'by chance (%d) a pause is longer or shorter, and never shorter than the server says',
  (chance) => {
    using _random = vi.spyOn(Math, 'random').mockReturnValue(chance);
    const longest = [200, 400, 800, 1_600, 3_200, 5_000, 5_000];
    for (const [attempt, most] of longest.entries()) {
      expect(pauseBefore(attempt)).toBeCloseTo((most * (1 + chance)) / 2);
      expect(pauseBefore(attempt, 7)).toBeCloseTo(7_000 + (most * chance) / 2);
    }
  },
);

it('the client does not wait when the server would answer too late', async () => {
  const failure = refused(429, 'RATE_LIMITED', { retryable: true, retryAfter: 60 });
  const { memory, asked } = await stub([failure, recalled]);
  expect(await failureOf(memory.recall('What colour?'))).toMatchObject({ retryAfter: 60 });
  expect(asked).toHaveLength(1);
});

it('remember is sent again with the same idempotency keys, even when an answer was lost', async () => {
  using _timers = hurry();
  const { memory, asked } = await stub([hangUp, remembered]);
  await memory.remember({ channel: 'sms', turns: [{ text: 'One.' }, { text: 'Two.' }] });
  const keysOf = ({ body }: Asked) =>
    (body.variables as { input: { turns: { idempotencyKey: string }[] } }).input.turns.map(
      ({ idempotencyKey }) => idempotencyKey,
    );
  const [first, second] = asked.map(keysOf);
  expect(second).toEqual(first);
  expect(new Set(first).size).toBe(2);
  expect(first?.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
});

it('a call that does more when it is sent twice is not sent again when the answer was lost', async () => {
  const lost = await stub([hangUp, recorded]);
  const record = { category: 'INTEREST', value: 'sailing' } as const;
  const error = await failureOf(lost.memory.facts.record(record));
  expect(error.code).toBe('UNREACHABLE');
  expect(lost.asked).toHaveLength(1);
  const mutation = await stub([hangUp, recorded]);
  await failureOf(mutation.memory.request('mutation { consolidate { __typename } }'));
  expect(mutation.asked).toHaveLength(1);
  const busy = await stub([refused(503, 'BUSY', { retryable: true }), recorded]);
  expect((await busy.memory.facts.record(record)).id).toBe('f');
});

it('the client asks for another token once when the server refuses one', async () => {
  const tokens = ['token 1', 'token 2', 'token 3', 'token 4'];
  const token = () => tokens.shift() ?? 'none';
  const { memory, asked } = await stub([refused(401, 'UNAUTHENTICATED'), recalled], { token });
  await memory.recall('What colour?');
  expect(asked.map(({ authorization }) => authorization)).toEqual([
    'Bearer token 1',
    'Bearer token 2',
  ]);
  const closed = await stub([refused(401, 'UNAUTHENTICATED')], { token });
  expect((await failureOf(closed.memory.recall('What colour?'))).code).toBe('UNAUTHENTICATED');
  expect(closed.asked).toHaveLength(2);
});

it('a call ends when its time is up, or when its caller gives up', async () => {
  const { memory } = await stub([never], { timeout: 100 });
  expect((await failureOf(memory.recall('What colour?'))).code).toBe('TIMEOUT');
  const late = await failureOf(memory.recall('What colour?', {}, { timeout: 50 }));
  expect(late.message).toContain('50 ms');
  const signal = AbortSignal.timeout(20);
  const given = await failureOf(memory.recall('What colour?', {}, { signal }));
  expect(given.name).toBe('TimeoutError');
  expect(given).not.toBeInstanceOf(MemoryError);
});

it('errors of the result union have their code, issues and time', async () => {
  const issues = [{ path: 'input.turns', message: 'at least 1' }];
  const invalid = {
    __typename: 'InvalidInputError',
    code: 'INVALID_INPUT',
    message: 'No.',
    issues,
  };
  const { memory } = await stub([json(200, { data: { remember: invalid } })]);
  const error = await failureOf(memory.remember({ channel: 'sms', turns: [] }));
  expect(error).toMatchObject({
    name: 'MemoryError',
    code: 'INVALID_INPUT',
    message: 'No.',
    issues,
  });

  const retryAt = '2026-03-02T09:00:00Z';
  const away = {
    __typename: 'ModelUnavailableError',
    code: 'MODEL_UNAVAILABLE',
    message: 'Away.',
    retryAt,
  };
  const other = await stub([json(200, { data: { remember: away } })]);
  expect(await failureOf(other.memory.remember('Hi.', { channel: 'sms' }))).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryAt,
  });
});

it('a stream that falls silent or breaks is opened again', async () => {
  const event = (number: number) =>
    `event: next\ndata: ${JSON.stringify({ data: { memoryEvents: { number, cursor: `c${number}`, turns: [] } } })}\n\n`;
  const stream =
    (text: string, end: boolean): Answer =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`:\n\n${text}`);
      if (end) setTimeout(() => response.destroy(), 20);
    };
  const { memory, asked } = await stub([
    // A repeated event, as a server that lost the cursor would send it.
    stream(event(1) + event(2).slice(0, 20), true),
    stream(event(1) + event(2) + event(3), false),
  ]);
  const numbers: number[] = [];
  for await (const { number } of memory.events({ after: 'c0' })) {
    if (numbers.push(number) === 3) break;
  }
  expect(numbers).toEqual([1, 2, 3]);
  expect(asked.map(({ body }) => (body.variables as { after: string }).after)).toEqual([
    'c0',
    'c1',
  ]);
});
