import { afterAll, beforeAll, expect, it } from 'vitest';
import { alexWorld } from '../support/recall.ts';
import { sayAt } from '../support/samples/conversation.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await alexWorld());
});
afterAll(() => world[Symbol.asyncDispose]());

type Payload = { markdown: string; tokens: number; sections: { name: string; tokens: number }[] };

async function context(message: string, maxTokens: number, client = alex): Promise<Payload> {
  const { body } = await client.post({
    query: `query ($input: ContextInput!) { context(input: $input) {
      ... on ContextPayload { markdown tokens sections { name tokens } } } }`,
    variables: { input: { channel: 'sms', message, maxTokens } },
  });
  return (body.data as unknown as { context: Payload }).context;
}

it('a context tells the tokens of its sections, in order, and they add up', async () => {
  await sayAt(alex, '2026-03-20T11:59:00Z', 'Which database did we take?');
  for (const maxTokens of [200, 2_000]) {
    const { markdown, tokens, sections } = await context(
      'Which databases did we compare?',
      maxTokens,
    );
    const names = sections.map(({ name }) => name);
    const order = [
      'FRAME',
      'KNOWN_FACTS',
      'PROFILE',
      'KNOWLEDGE',
      'EPISODES',
      'TURNS',
      'CONTINUITY',
      'WINDOW',
    ];
    expect(names).toEqual(order.filter((name) => names.includes(name)));
    expect(names).toEqual(expect.arrayContaining(['FRAME', 'TURNS']));
    expect(names.includes('KNOWN_FACTS')).toBe(markdown.includes('## User Profile'));
    expect(names.includes('WINDOW')).toBe(markdown.includes('# Recent Conversation'));
    expect(sections.reduce((sum, section) => sum + section.tokens, 0)).toBe(tokens);
    expect(sections.every((section) => section.tokens > 0)).toBe(true);
  }
  const nobody = await context('Hm?', 500, await world.user('nobody'));
  expect(nobody.sections).toEqual([{ name: 'FRAME', tokens: nobody.tokens }]);
});
