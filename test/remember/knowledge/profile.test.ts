import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { consolidate, knowledgeOf, recorder, synthesize } from '../../support/consolidation.ts';
import { rowsWith } from '../../support/database/dump.ts';
import { graphql } from '../../support/generated/gql.ts';
import { answerTo, createModelWorld, importTalks } from '../../support/models/model-world.ts';
import { say } from '../../support/samples/conversation.ts';
import { talkDaily, talkOn, talkOpenly } from '../../support/samples/days.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let reasoner: Context['reasoner'];
beforeAll(async () => {
  world = await createWorld();
  ({ reasoner } = world.ctx);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-31T12:00:00Z');
});

const NODE = graphql(`
  query ProfileNode($id: ID!) {
    node(id: $id) {
      __typename
    }
  }
`);

it('N episodes → 1 summary → a profile, by the built-in rules alone, at the end of a session', async () => {
  const client = await recorder(world, 'flow');
  await talkDaily(world, client, 1, 4);
  const { memories, profile, events, episodes } = await knowledgeOf(client);
  expect(episodes).toHaveLength(4);
  expect(memories).toMatchObject([{ episodeCount: 3 }]);
  expect(profile).toEqual({
    id: expect.any(String),
    version: 4,
    communication: expect.stringMatching(/short answers/),
    technical: expect.any(String),
    workPattern: expect.any(String),
    personalContext: expect.stringMatching(/Porto|Ana/),
    prose: expect.stringMatching(/short answers/),
    sourceSemanticIds: [memories[0]?.id],
    sources: [{ id: memories[0]?.id }],
    sourceFacts: expect.arrayContaining([{ statement: expect.stringMatching(/short answers/) }]),
    stale: false,
    generatedBy: 'EXTRACTIVE',
    model: 'extractive/1',
    recordedAt: world.now.toISOString(),
  });
  for (const section of ['communication', 'technical', 'workPattern', 'personalContext'] as const) {
    expect(profile?.prose).toContain(profile?.[section]);
  }
  const revised = events.filter(({ kind }) => kind === 'PROFILE_REVISED');
  expect(events.length - revised.length).toBe(1);
  expect(revised).toHaveLength(4);
  for (const { decision } of revised) {
    expect(decision).toMatch(
      /^profile\.synthesize \(version \d, \d+ facts, [01] memories, by extractive\/1\)$/,
    );
  }
  expect(JSON.stringify(events)).not.toMatch(/Porto|answers|TypeScript/);
});

it('there is one profile; a new version from all semantic memories replaces it, and the former stays readable', async () => {
  const client = await recorder(world, 'versions');
  await talkOn(world, client, 1, 3);
  const [first] = (await knowledgeOf(client)).history;
  await talkOn(world, client, 4, 6);
  const { profile, history, memories } = await knowledgeOf(client);
  expect(profile).toMatchObject({
    version: history.length,
    sourceSemanticIds: memories.map(({ id }) => id).reverse(),
  });
  expect(history.find(({ version }) => version === first?.version)).toEqual(first);
  expect(history[0]?.prose).not.toBe(first?.prose);
});

it('a memory that is formed during a session enters the profile at its end', async () => {
  const client = await recorder(world, 'session');
  await talkOpenly(world, client);
  await consolidate(client);
  await world.settle();
  const formed = await knowledgeOf(client);
  expect(formed).toMatchObject({ memories: [{ summary: expect.any(String) }], profile: null });
  world.now = new Date('2026-03-31T12:00:00Z');
  await world.settle();
  expect((await knowledgeOf(client)).profile).toMatchObject({ version: 1, stale: false });
});

it('a profile is written at once on demand; without changes the version stays', async () => {
  const client = await recorder(world, 'by-hand');
  await talkOn(world, client, 1, 1);
  await consolidate(client);
  const { memories } = await knowledgeOf(client);
  expect(await synthesize(client)).toEqual({
    __typename: 'Profile',
    version: 1,
    prose: expect.stringMatching(/Porto/),
    sourceSemanticIds: memories.map(({ id }) => id),
  });
  expect(await synthesize(client)).toMatchObject({ version: 1 });
  await world.settle();
  const { profile, events } = await knowledgeOf(client);
  expect(profile?.version).toBe(1);
  expect(events.filter(({ kind }) => kind === 'PROFILE_REVISED')).toHaveLength(1);
});

it('a profile made while a memory is stale is made again once that is rewritten', async () => {
  const client = await recorder(world, 'overtaken');
  await talkOn(world, client, 1, 3);
  const before = (await knowledgeOf(client)).history.length;
  world.with({
    reasoner: {
      ...reasoner,
      generatedBy: 'MODEL',
      summarizeEpisodes: async () => {
        expect(await synthesize(client)).toMatchObject({ version: before + 1 });
        return { summary: 'They live in Foz.' };
      },
      synthesizeProfile: async ({ memories = [] }) => ({
        communication: '',
        technical: '',
        workPattern: '',
        personalContext: '',
        prose: memories.map(({ summary }) => summary).join(' '),
      }),
    },
  });
  const turns = [{ text: 'The new flat is in Foz.', occurredAt: '2026-03-01T09:00:30Z' }];
  await say(client, { channel: 'sms', turns });
  await world.settle();
  const { profile } = await knowledgeOf(client);
  expect(profile).toMatchObject({
    version: before + 2,
    prose: 'They live in Foz.',
    stale: false,
  });
});

it('without a semantic memory or a fact, synthesis is a typed error', async () => {
  const error = {
    __typename: 'NothingToSynthesizeError',
    code: 'NOTHING_TO_SYNTHESIZE',
    message: expect.stringMatching(/nothing yet that belongs in a profile/),
  };
  expect(await synthesize(await world.user('stranger'))).toEqual(error);
  const client = await recorder(world, 'nothing-durable');
  await say(client, { channel: 'sms', turns: [{ text: 'Thanks, see you.' }] });
  expect(await synthesize(client)).toEqual(error);
  expect((await knowledgeOf(client)).profile).toBeNull();
});

it("no user sees another's profile", async () => {
  const client = await recorder(world, 'mine');
  const other = await recorder(world, 'theirs');
  await talkOn(world, client, 1, 3);
  await talkOn(world, other, 6, 6);
  const { profile } = await knowledgeOf(client);
  const id = profile?.id ?? '';
  expect((await client.execute(NODE, { id })).node).toEqual({ __typename: 'Profile' });
  expect((await other.execute(NODE, { id })).node).toBeNull();
  expect((await knowledgeOf(other)).profile?.prose ?? '').not.toMatch(/Porto|Ana/);
});

it('a model is called once per summary and once per profile; if it is unavailable, a typed error is returned', async () => {
  await using own = await createModelWorld((asked) => answerTo(asked));
  const client = await own.world.user('modelled');
  await importTalks(client, 3);
  await own.world.settle();
  const asked = () =>
    own.server.requests.map(({ body }) => body.response_format?.json_schema?.name ?? '');
  expect(asked().filter((name) => /summarize|synthesize/.test(name))).toEqual([
    'summarize_episodes',
    'synthesize_profile',
  ]);
  const { memories, profile } = await knowledgeOf(client);
  expect(memories).toMatchObject([
    { summary: 'The user talks a lot.', generatedBy: 'MODEL', model: 'small', episodeCount: 3 },
  ]);
  expect(profile).toMatchObject({ prose: 'They talk a lot.', generatedBy: 'MODEL' });
  const request = own.server.requests.find(
    ({ body }) => body.response_format?.json_schema?.name === 'summarize_episodes',
  );
  expect(JSON.stringify(request?.body.messages)).toContain('A talk of that day');
  own.server.answer = () => ({ kind: 'status', status: 503 });
  expect(await synthesize(client)).toMatchObject({
    __typename: 'ModelUnavailableError',
    code: 'MODEL_UNAVAILABLE',
  });
  expect(await rowsWith(own.world, 'They talk a lot')).toEqual(['profiles']);
});
