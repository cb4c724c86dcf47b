import { afterEach, expect, it, vi } from 'vitest';
import { ModelFailed, ModelUnavailable } from '../../../src/domain/core/errors.ts';
import { CALL, createModelReasoner, promptOf } from '../../support/models/model-reasoner.ts';
import { chat, type ModelReply, refuse } from '../../support/models/model-server.ts';

afterEach(() => vi.useRealTimers());

const question = { known: 'Luna is 3.', candidate: 'Luna turned 4.' };
const yes = { same: true, confidence: 0.9 };

/** Answers in turn; the last one again and again. */
const inTurn =
  (...replies: ModelReply[]) =>
  (_: unknown, index: number) =>
    replies[Math.min(index, replies.length - 1)] as ModelReply;

it('JSON mode is used from the second request on when a server refuses JSON schemas', async () => {
  await using stub = await createModelReasoner(({ body }) =>
    body.response_format?.type === 'json_schema'
      ? refuse(400, { message: 'unknown field', type: 'invalid_request_error' })
      : chat(yes),
  );
  await stub.reasoner.isSameFact(question, CALL);
  await stub.reasoner.isSameFact(question, CALL);
  expect(stub.server.requests.map(({ body }) => body.response_format?.type)).toEqual([
    'json_schema',
    'json_object',
    'json_object',
  ]);
  expect(promptOf(stub.server)).toContain('must fit this JSON Schema:\n{"type":"object"');
});

it.each([
  ['that names nothing', { message: 'try later' }, 5],
  ['that names the parameter', { message: 'no', param: 'response_format' }, 60],
])(
  'a single refusal %s switches JSON schemas off for some minutes only',
  async (_what, why, minutes) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using stub = await createModelReasoner(inTurn(refuse(400, why), chat(yes)));
    const types = async () => {
      await stub.reasoner.isSameFact(question, CALL);
      return stub.server.requests.map(({ body }) => body.response_format?.type);
    };
    expect(await types()).toEqual(['json_schema', 'json_object']);
    vi.setSystemTime(Date.now() + minutes * 60_000 - 1_000);
    expect((await types()).at(-1)).toBe('json_object');
    vi.setSystemTime(Date.now() + 1_000);
    expect((await types()).at(-1)).toBe('json_schema');
  },
);

it('a model that refuses the temperature is asked without a temperature from then on', async () => {
  await using stub = await createModelReasoner(({ body }) =>
    body.temperature === undefined
      ? chat(yes)
      : refuse(400, { message: 'no', param: 'temperature', code: 'unsupported_value' }),
  );
  await stub.reasoner.isSameFact(question, CALL);
  await stub.reasoner.isSameFact(question, CALL);
  expect(
    stub.server.requests.map(({ body }) => [body.temperature, body.response_format?.type]),
  ).toEqual([
    [0, 'json_schema'],
    [undefined, 'json_schema'],
    [undefined, 'json_schema'],
  ]);
});

it('a model that refuses both schema and temperature is asked without them from then on', async () => {
  await using stub = await createModelReasoner(({ body }) =>
    body.response_format?.type === 'json_schema' || body.temperature !== undefined
      ? refuse(422)
      : chat(yes),
  );
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
  expect(stub.server.requests).toHaveLength(4);
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
  expect(stub.server.requests).toHaveLength(5);
});

it('a request that is refused in every form fails, and the next one uses its schema again', async () => {
  await using stub = await createModelReasoner((_request, index) =>
    index < 4 ? refuse(400, { message: 'too long', code: 'context_length_exceeded' }) : chat(yes),
  );
  const error = await stub.reasoner.isSameFact(question, CALL).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ModelFailed);
  expect(error.message).toContain('400 context_length_exceeded');
  await stub.reasoner.isSameFact(question, CALL);
  expect(stub.server.requests.at(-1)?.body.response_format?.type).toBe('json_schema');
});

it.each([
  ['429 with Retry-After', refuse(429, {}, { 'retry-after': '0' })],
  ['500', refuse(500)],
  ['503', { kind: 'status', status: 503, body: 'loading' }],
  ['a cut connection', { kind: 'cut' }],
  ['a connection cut in the body', { kind: 'cut-in-body' }],
] as [string, ModelReply][])('a request is repeated after %s', async (_what, fault) => {
  await using stub = await createModelReasoner(inTurn(fault, fault, chat(yes)));
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
  expect(stub.server.requests).toHaveLength(3);
  expect(stub.usage).toHaveLength(1);
});

it.each([{ kind: 'hang' }, { kind: 'hang-in-body' }] as ModelReply[])(
  'a request whose server does not respond ($kind) is aborted and repeated',
  async (fault) => {
    await using stub = await createModelReasoner(inTurn(fault, chat(yes)), { timeout: 150 });
    expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
  },
);

it('a request is repeated no earlier than Retry-After says', async () => {
  await using stub = await createModelReasoner(
    inTurn(refuse(429, {}, { 'retry-after-ms': '300' }), chat(yes)),
  );
  const started = performance.now();
  await stub.reasoner.isSameFact(question, CALL);
  expect(performance.now() - started).toBeGreaterThan(290);
});

it('a long Retry-After postpones the step instead of being waited for', async () => {
  const now = new Date('2026-03-02T09:00:00Z');
  await using stub = await createModelReasoner(
    () => refuse(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '90' }),
    { clock: () => now },
  );
  const error = await stub.reasoner.isSameFact(question, CALL).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ModelUnavailable);
  expect(error.retryAt).toEqual(new Date('2026-03-02T09:01:30Z'));
  expect(stub.server.requests).toHaveLength(1);
});

it.each([400, 408, 409, 413, 422, 425])(
  'a request that fails with %i is not repeated',
  async (status) => {
    await using stub = await createModelReasoner(() => refuse(status));
    await expect(stub.reasoner.isSameFact(question, CALL)).rejects.toBeInstanceOf(ModelFailed);
    // As it is and, where that may be what was refused, without schema, temperature, and both.
    expect(stub.server.requests).toHaveLength(status === 400 || status === 422 ? 4 : 1);
  },
);

it.each([401, 402, 403, 404])(
  'a request that fails with %i makes the model unavailable and asks to check the settings',
  async (status) => {
    await using stub = await createModelReasoner(() =>
      refuse(status, {
        message: 'Incorrect API key provided: sk-secret-of-tests',
        code: 'invalid_api_key',
      }),
    );
    const error = await stub.reasoner.isSameFact(question, CALL).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect(error.message).toContain("Check the key, the base URL, the model's name or the credit.");
    expect(stub.server.requests).toHaveLength(1);
  },
);

it('an error contains neither the key nor the text, whatever the server answers', async () => {
  await using stub = await createModelReasoner(({ body, headers }) =>
    refuse(500, {
      message: `${headers.authorization} ${body.messages?.[1]?.content}`,
      code: 'sk-secret-of-tests',
      type: 'Luna turned 4',
    }),
  );
  const error = await stub.reasoner.isSameFact(question, CALL).catch((thrown) => thrown);
  expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toMatch(
    /sk-secret|Luna/,
  );
});

it('a server that is down gets no requests for a while, and then a single one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let away = true;
  await using stub = await createModelReasoner(() => (away ? refuse(503) : chat(yes)), {
    pause: 5_000,
  });
  const ask = () => stub.reasoner.isSameFact(question, CALL).catch((thrown) => thrown);
  expect(await ask()).toBeInstanceOf(ModelUnavailable);
  expect(stub.server.requests).toHaveLength(3);
  expect(await ask()).toBeInstanceOf(ModelUnavailable);
  expect(stub.server.requests).toHaveLength(3);
  vi.setSystemTime(Date.now() + 5_001);
  expect(await ask()).toBeInstanceOf(ModelUnavailable);
  expect(stub.server.requests).toHaveLength(4);
  away = false;
  vi.setSystemTime(Date.now() + 5_001);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([yes, yes, yes]);
});

it('no more requests run at the same time than the limit allows', async () => {
  let most = 0;
  let running = 0;
  await using stub = await createModelReasoner(
    async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return chat(yes);
    },
    { concurrency: 2 },
  );
  await Promise.all(Array.from({ length: 8 }, () => stub.reasoner.isSameFact(question, CALL)));
  expect(most).toBe(2);
});

it('aborting a call ends its request and does not mark the server as down', async () => {
  await using stub = await createModelReasoner(inTurn({ kind: 'hang' }, chat(yes)), { retries: 0 });
  const given = AbortSignal.timeout(50);
  await expect(stub.reasoner.isSameFact(question, { ...CALL, signal: given })).rejects.toThrow(
    /aborted|timeout/i,
  );
  expect(await stub.reasoner.isSameFact(question, CALL)).toEqual(yes);
});
