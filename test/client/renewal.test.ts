import { MemoryError } from '@mnemograph/client';
import { expect, it } from 'vitest';
import { some } from '../support/client/client-streams.ts';
import { type Answer, hangUp, json, refused, stub } from '../support/client/stub-answers.ts';

/** A stream that is accepted, says this and ends. */
const stream =
  (...results: object[]): Answer =>
  (response) => {
    const events = results.map((result) => `event: next\ndata: ${JSON.stringify(result)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`:\n\n${events.join('')}`);
  };
const told = stream({ data: { memoryEvents: { number: 1, cursor: 'c1', turns: [] } } });
const expired = stream({
  errors: [{ message: 'It has expired.', extensions: { code: 'UNAUTHENTICATED' } }],
});

it('a quiet stream asks for another token each time that one expires, also after a lost connection', async () => {
  let given = 0;
  const token = () => `token ${++given}`;
  const { memory, asked } = await stub([expired, hangUp, expired, expired, told], { token });
  expect(await some(memory.events({ after: 'c0' }), 1)).toMatchObject([{ number: 1 }]);
  const tokens = asked.map(({ authorization }) => authorization);
  expect(tokens).toEqual([1, 2, 3, 4, 5].map((number) => `Bearer token ${number}`));
});

it('a stream ends when the server does not accept the next token either', async () => {
  const refusing = refused(401, 'UNAUTHENTICATED');
  const { memory, asked } = await stub([expired, refusing, told], { token: () => 'a token' });
  await expect(some(memory.events({ after: 'c0' }), 1)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  expect(asked).toHaveLength(2);
});

it('a call asks for another token also after a failed attempt', async () => {
  const recalled = json(200, {
    data: { recall: { __typename: 'RecallPayload', markdown: 'It is blue.', hits: [] } },
  });
  const answers = [hangUp, refused(401, 'UNAUTHENTICATED'), recalled];
  const { memory } = await stub(answers, { token: () => 'a token' });
  expect((await memory.recall('What colour?')).markdown).toBe('It is blue.');
});

it('a stream that was open waits for a token that cannot be had, and a call fails', async () => {
  let asked = 0;
  const token = async () => {
    asked += 1;
    if (asked === 2 || asked === 3) throw new TypeError('Failed to fetch');
    return `token ${asked}`;
  };
  const { memory } = await stub([stream(), told], { token });
  expect(await some(memory.events({ after: 'c0' }), 1)).toMatchObject([{ number: 1 }]);
  expect(asked).toBe(4);
  const failing = await stub([told], { token: () => Promise.reject(new Error('no network')) });
  const failure = await failing.memory.recall('What colour?').catch((error) => error);
  expect(failure).toBeInstanceOf(MemoryError);
  expect(failure).toMatchObject({ code: 'NO_TOKEN', retryable: false });
  expect(failure.message).toContain('no network');
});

it('a `token` function that never returns holds up neither the timeout nor the signal, of a call or of a stream', async () => {
  const token = () => new Promise<string>(() => undefined);
  const { memory, asked } = await stub([told], { token, timeout: 100, retries: 0 });
  const late = { code: 'TIMEOUT', retryable: true };
  await expect(memory.recall('What colour?')).rejects.toMatchObject(late);
  await expect(some(memory.events({ after: 'c0' }), 1)).rejects.toMatchObject(late);
  const reason = new Error('It is no longer needed.');
  const given = memory.recall('What colour?', {}, { signal: AbortSignal.abort(reason) });
  await expect(given).rejects.toBe(reason);
  const end = new AbortController();
  const patient = await stub([told], {
    token() {
      queueMicrotask(() => end.abort(reason));
      return token();
    },
  });
  const { signal } = end;
  expect(await some(patient.memory.events({ after: 'c0', signal }), 1)).toEqual([]);
  expect([...asked, ...patient.asked]).toEqual([]);
});

it('an export whose download is lost is asked for again', async () => {
  const exported = (url: string) =>
    json(200, { data: { exportMemory: { __typename: 'ExportMemoryPayload', url } } });
  const archive: Answer = (response) => response.writeHead(200).end('{}\n');
  const answers = [exported('/export/1'), hangUp, exported('/export/2'), archive];
  const { memory, asked } = await stub(answers);
  const { stream: lines } = await memory.export();
  expect(await new Response(lines).text()).toBe('{}\n');
  expect(asked.map(({ path }) => path)).toEqual(['/graphql', '/export/1', '/graphql', '/export/2']);
});

it('a stream whose signal is aborted before it has begun ends without an error', async () => {
  const end = new AbortController();
  const never: Answer = () => end.abort();
  const { memory } = await stub([never]);
  expect(await some(memory.events({ signal: end.signal }), 1)).toEqual([]);
});
