import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpOf } from '../../support/database/dump.ts';
import { graphql } from '../../support/generated/gql.ts';
import type { ForgetInput } from '../../support/generated/graphql.ts';
import { say, sayAt } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const FORGET = graphql(`
  mutation ForgetOrPreview($input: ForgetInput!, $preview: Boolean) {
    forget(input: $input, preview: $preview) {
      __typename
      ... on ForgottenCounts {
        isPreview
        threads
        turns
        postings
        vectors
        episodes
        skills
        reviews
        facts
        semanticMemories
        links
        profiles
        items {
          kind
          id
          at
          line
        }
      }
      ... on Error {
        code
      }
    }
  }
`);
const forget = async (client: Client, input: ForgetInput, preview?: boolean) => {
  const { forget } = await client.execute(FORGET, { input, preview: preview ?? null });
  return forget;
};

it('a preview names what would go and counts it as the forget will, and nothing changes', async () => {
  const client = await world.user('preview');
  const secret = `My name is Zora Quill.\n\n  ${'A long tale follows. '.repeat(20)}`;
  await sayAt(client, '08:00', secret);
  const other = await sayAt(client, '08:59', 'The roof is red.');
  const thread = await sayAt(await world.user('preview-other'), '08:00', 'My name is Otto Quill.');
  await world.settle();
  const before = await dumpOf(world);
  const preview = await forget(client, { everythingOf: 'preview' }, true);
  if (preview.__typename !== 'ForgottenCounts') throw new Error(JSON.stringify(preview));
  expect(preview).toMatchObject({ isPreview: true, threads: 2, turns: 2 });
  expect(preview.facts).toBeGreaterThan(0);
  expect(preview.items.slice(0, 4)).toMatchObject([
    { kind: 'THREAD', line: 'sms, 1 turn' },
    { kind: 'THREAD', id: other.thread.id },
    {
      kind: 'TURN',
      at: '2026-03-02T08:00:00.000Z',
      line: expect.stringMatching(/^My name is Zora Quill\. A long.{120,}$/),
    },
    { kind: 'TURN', id: other.id, line: 'The roof is red.' },
  ]);
  expect(preview.items.map(({ line }) => line.length <= 160 && !/\n/.test(line))).not.toContain(
    false,
  );
  expect(preview.items.map(({ line }) => line).join()).not.toContain('Otto');
  expect(preview.items.some(({ kind, line }) => kind === 'FACT' && line.includes('Zora'))).toBe(
    true,
  );
  expect(await dumpOf(world)).toEqual(before);

  const { items: _, isPreview: __, ...counts } = preview;
  const real = await forget(client, { everythingOf: 'preview' });
  expect(real).toEqual({ ...counts, isPreview: false, items: [] });
  expect(await forget(client, { threadId: thread.thread.id }, true)).toEqual({
    __typename: 'NotFoundError',
    code: 'NOT_FOUND',
  });
});

it('a preview names at most 50 things, some of each kind', async () => {
  const client = await world.user('preview-many');
  const turns = Array.from({ length: 80 }, (_, minute) => ({
    text: minute === 0 ? 'My name is Bartholomew.' : `note ${minute}`,
    occurredAt: new Date(Date.UTC(2026, 2, 2, 6, minute)).toISOString(),
  }));
  const [first] = await say(client, { channel: 'sms', turns });
  await world.settle();
  const preview = await forget(client, { threadId: first?.thread.id ?? '' }, true);
  if (preview.__typename !== 'ForgottenCounts') throw new Error(JSON.stringify(preview));
  expect(preview.turns).toBe(80);
  expect(preview.items).toHaveLength(50);
  const kinds = new Set(preview.items.map(({ kind }) => String(kind)));
  expect([...kinds]).toEqual(expect.arrayContaining(['THREAD', 'TURN', 'FACT']));
});

it('a preview names what was said first, in whatever order it was received', async () => {
  const client = await world.user('preview-late');
  const turns = Array.from({ length: 60 }, (_, minute) => ({
    text: `note ${minute}`,
    occurredAt: new Date(Date.UTC(2026, 2, 2, 6, minute)).toISOString(),
  }));
  await say(client, { channel: 'sms', turns });
  await say(client, {
    channel: 'sms',
    turns: [{ text: 'late, but first', occurredAt: '2026-03-02T05:59:00Z' }],
  });
  const preview = await forget(client, { everythingOf: 'preview-late' }, true);
  if (preview.__typename !== 'ForgottenCounts') throw new Error(JSON.stringify(preview));
  expect(preview.items.find(({ kind }) => kind === 'TURN')).toMatchObject({
    line: 'late, but first',
  });
});

it.each([
  ["I'm allergic to peanuts.", 'A user reported a bug today.'],
  ['I live in Oslo.', 'The city council is a joke.'],
  ['I live in Oslo.', 'It has nine lives.'],
  ['I live in Zanzibar.', 'My sister Quilla lives in Timbuktu.'],
  ['I love papaya.', 'My preference is to leave early.'],
])(
  'a fact stays when a turn goes that shares only words every statement has: %s %s',
  async (said, gone) => {
    const name = `words-${said}-${gone}`.replace(/\W+/g, '-').slice(0, 100);
    const client = await world.user(name);
    await sayAt(client, '08:00', said);
    const other = await sayAt(client, '08:02', gone);
    await world.settle();
    const preview = await forget(client, { turnId: other.id }, true);
    if (preview.__typename !== 'ForgottenCounts') throw new Error(JSON.stringify(preview));
    const facts = preview.items.filter(({ kind }) => kind === 'FACT');
    expect(facts.some(({ line }) => /peanuts|Oslo|Zanzibar|papaya/.test(line ?? ''))).toBe(false);
  },
);
