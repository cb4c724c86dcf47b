import { afterEach, expect, it, vi } from 'vitest';
import { ModelFailed, ModelUnavailable } from '../../../src/domain/core/errors.ts';
import type { EndpointOptions } from '../../../src/openai/endpoint.ts';
import type { Usage } from '../../../src/openai/meter.ts';
import { createPing } from '../../../src/reasoner/openai/ping.ts';
import { CALL, createModelReasoner } from '../../support/models/model-reasoner.ts';
import {
  chat,
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  refuse,
} from '../../support/models/model-server.ts';

afterEach(() => vi.useRealTimers());

const yes = { same: true, confidence: 0.9 };
const isPing = ({ body }: ModelRequest) => body.messages?.[0]?.content === 'ping';
const isPoison = ({ body }: ModelRequest) => JSON.stringify(body).includes('poison');
const LIMITS = { timeout: 200, retries: 1, pause: 60_000 };

/** A reasoner that asks for one token when a request has failed to the end. */
async function open(answer: ModelServer['answer'], options: Partial<EndpointOptions> = {}) {
  const pings: (Usage | string)[] = [];
  const control = createPing({
    models: ['small'],
    meter: { admit: async () => {}, record: async (_, usage) => void pings.push(usage) },
    observe: ({ step, outcome }) => pings.push(`${step} ${outcome}`),
  });
  const stub = await createModelReasoner(answer, { ...LIMITS, control, ...options });
  const ask = (known: string): Promise<unknown> =>
    stub.reasoner.isSameFact({ known, candidate: 'Luna' }, CALL).catch((error) => error);
  return { ...stub, pings, ask };
}

it.each<[string, ModelReply]>([
  ['500', refuse(500)],
  ['504', refuse(504)],
  ['silence', { kind: 'hang' }],
])(
  '%s for a single request fails that request only, and other requests continue',
  async (_what, reply) => {
    await using stub = await open((request) => (isPoison(request) ? reply : chat(yes)));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const error = await stub.ask('poison');
      expect(error).toBeInstanceOf(ModelFailed);
      expect(error).toMatchObject({ message: expect.stringContaining('and not at others') });
      expect(await stub.ask('Luna is 3.')).toEqual(yes);
    }
    // Two tries and a ping, each time; and the good one.
    expect(stub.server.requests).toHaveLength(3 * 4);
    expect(stub.pings.filter((ping) => ping === 'ping ok')).toHaveLength(3);
    expect(stub.pings).toContainEqual(expect.objectContaining({ step: 'ping', calls: 1 }));
  },
);

it.each<[string, ModelReply]>([
  ['503 to everything', refuse(503)],
  ['silence', { kind: 'hang' }],
])(
  '%s makes the model unavailable without failing a request, and few requests are sent',
  async (_what, reply) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using stub = await open(() => reply);
    for (let round = 0; round < 4; round += 1) {
      const errors = await Promise.all(['a', 'b', 'c'].map(stub.ask));
      for (const error of errors) expect(error).toBeInstanceOf(ModelUnavailable);
      vi.setSystemTime(Date.now() + LIMITS.pause + 1);
    }
    // Three at once find it away; from then on one and its ping every time.
    expect(stub.server.requests.length).toBeLessThanOrEqual(3 * 3 + 3 * 2);
  },
);

it('a poisoned request right after an outage does not keep the circuit breaker open', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let away = true;
  await using stub = await open((request) => (away || isPoison(request) ? refuse(502) : chat(yes)));
  expect(await stub.ask('poison')).toBeInstanceOf(ModelUnavailable);
  away = false;
  vi.setSystemTime(Date.now() + LIMITS.pause + 1);
  const [poisoned, good] = await Promise.all([stub.ask('poison'), stub.ask('Luna is 3.')]);
  expect(poisoned).toBeInstanceOf(ModelFailed);
  expect(good).toEqual(yes);
});

it('the server counts as down when it does not answer the ping in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await using stub = await open((request) => (isPing(request) ? { kind: 'hang' } : refuse(500)), {
    retries: 0,
  });
  const asked = stub.ask('Luna is 3.');
  await expect.poll(() => stub.server.requests.filter(isPing)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(LIMITS.timeout);
  expect(await asked).toBeInstanceOf(ModelUnavailable);
  expect(stub.pings).toEqual(['ping failed']);
});

it.each<[string, ModelReply]>([
  ['a broken connection', { kind: 'cut' }],
  ['429', refuse(429)],
])('%s does not trigger a ping', async (_what, reply) => {
  await using stub = await open((request) => (isPing(request) ? chat('p') : reply));
  expect(await stub.ask('Luna is 3.')).toBeInstanceOf(ModelUnavailable);
  expect(stub.server.requests.filter(isPing)).toEqual([]);
});

it('the ping works with a model that refuses max_tokens', async () => {
  await using stub = await open((request) => {
    if (!isPing(request)) return refuse(500);
    return 'max_tokens' in request.body ? refuse(400, { param: 'max_tokens' }) : chat('pong');
  });
  expect(await stub.ask('Luna is 3.')).toBeInstanceOf(ModelFailed);
});
