import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

/** The calls that are being stored, by their user, and the most of one user at a time. */
const running = new Map<string, number>();
let most = 0;

const counted = (ctx: App): App => ({
  ...ctx,
  rules: {
    ...ctx.rules,
    async readTurns(turns, call) {
      const own = (running.get(call.userId) ?? 0) + 1;
      running.set(call.userId, own);
      most = Math.max(most, own);
      await delay(50);
      running.set(call.userId, (running.get(call.userId) ?? 1) - 1);
      return turns.map(() => ({ words: 1, cues: 0, facts: [] }));
    },
  },
});

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({}, {}, counted);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  most = 0;
});

const text = 'word '.repeat(20_000);
const TURNS = Array.from({ length: 6 }, (_, turn) => ({
  speaker: 'Ann',
  text,
  occurredAt: `2026-03-01T08:0${turn}:00Z`,
}));
const remember = (turns: object[]) => ({
  query: 'mutation ($input: RememberInput!) { answer: remember(input: $input) { __typename } }',
  variables: { input: { channel: 'sms', turns } },
});
const importTurns = (turns: object[]) => ({
  query:
    'mutation ($input: ImportConversationInput!) { answer: importConversation(input: $input) { __typename } }',
  variables: { input: { self: 'Ann', turns } },
});

it.each([
  ['calls of remember', remember, 'RememberPayload'],
  ['imports', importTurns, 'ImportPayload'],
])(
  'large %s by one user are stored one after another, and small calls of others meanwhile',
  async (what, ask, payload) => {
    const hog = await asUser(`hog-${what}`);
    let done = 0;
    const large = Array.from({ length: 4 }, async () => {
      const { body } = await server.post(ask(TURNS), hog);
      done += 1;
      return body.data;
    });
    const small = await server.post(remember([{ text: 'Hello.' }]), await asUser(`small-${what}`));
    expect([small.status, done]).toEqual([200, expect.any(Number)]);
    expect(done).toBeLessThan(4);
    expect(await Promise.all(large)).toEqual(Array(4).fill({ answer: { __typename: payload } }));
    expect(most).toBe(1);
  },
);
