import { afterAll, beforeAll, expect, it } from 'vitest';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let user: { authorization: string };
beforeAll(async () => {
  server = await createTestServer();
  user = await asUser('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

it('the error message about invalid variables is short, however large the variables are', async () => {
  const odd = Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`k${key}`, key]));
  const recall = '($input: RecallInput!) { recall(input: $input) { __typename } }';
  const events = '($after: String) { memoryEvents(after: $after) { kind } }';
  for (const [query, variables] of [
    [`query ${recall}`, { input: { query: 'x', ...odd } }],
    [`subscription ${events}`, { after: odd }],
  ] as const) {
    const answer = await server.post({ query, variables }, user);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors?.[0]?.message).toMatch(
      /^Variable "\$(input|after)" got invalid value/,
    );
    expect(JSON.stringify(answer.body).length).toBeLessThan(10_000);
  }
});
