import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  consolidate,
  echo,
  knowledgeOf,
  recorder,
  synthesize,
} from '../../support/consolidation.ts';
import { contextOf } from '../../support/context.ts';
import { FORGET_FACT, factsOf, RECORD, RESTORE, RETRACT } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-31T12:00:00Z');
});

/** Says something on a day of March 2026 that is over by now, and lets all be made of it. */
async function saidOn(client: Client, day: number, ...texts: string[]) {
  const turns = texts.map((text, i) => ({
    text,
    occurredAt: new Date(Date.UTC(2026, 2, day, 9, i)).toISOString(),
  }));
  await say(client, { channel: 'sms', turns });
  await world.settle();
  return (await knowledgeOf(client)).profile;
}

it('the profile of a programmer says how to answer, with work and tools; the latest statement wins', async () => {
  const client = await world.user('programmer');
  await saidOn(
    client,
    2,
    "I'm a backend engineer at Northwind Pay and I use TypeScript every day.",
    'Please keep your answers short.',
  );
  const profile = await saidOn(client, 9, 'From now on give me long and detailed answers.');
  expect(profile?.technical).toMatch(/Northwind Pay/);
  expect(profile?.communication).toMatch(/detailed/);
  expect(profile?.communication).not.toMatch(/short/);
  expect(profile?.prose).toContain(profile?.communication);
  const { markdown } = await contextOf(client, {
    channel: 'sms',
    message: 'How should I explain retries?',
  });
  const [known = ''] = markdown.split('## Recent Context');
  expect(known).toMatch(/detailed answers/);
  expect(known).not.toMatch(/answers short/);
  expect(known.match(/TypeScript/g)).toHaveLength(1);
  expect(known.match(/Northwind Pay/g)).toHaveLength(1);
});

it('the profiles of a pensioner and a mother list people, health and limits under their headings', async () => {
  const client = await world.user('pensioner');
  const profile = await saidOn(
    client,
    3,
    'My wife Edith and I live in Whitby.',
    'I am allergic to penicillin.',
    'Never ring me before ten in the morning, please.',
    'My daughter Rita is seven.',
  );
  expect(profile?.personalContext).toMatch(/People: .*Edith/);
  expect(profile?.personalContext).toMatch(/Health and limits: .*penicillin/);
  expect(profile?.prose).toMatch(/ten in the morning/);
  expect(profile?.prose).not.toMatch(/Work and skills/);
});

it("in a group chat the words of others are not in the user's profile", async () => {
  const client = await world.user('group');
  await say(client, {
    channel: 'discord',
    turns: [
      {
        role: 'OTHER',
        speaker: 'Nils',
        text: 'I always work on Mondays, and I hate meetings before noon.',
        occurredAt: '2026-03-04T09:00:00Z',
      },
      { text: 'I never work on Fridays.', occurredAt: '2026-03-04T09:01:00Z' },
    ],
  });
  await world.settle();
  const { profile } = await knowledgeOf(client);
  expect(profile?.prose ?? '').not.toMatch(/Monday|noon/);
});

it('retracting, restoring or forgetting a fact changes the profile at once', async () => {
  const client = await world.user('steered');
  await saidOn(client, 5, 'I live in Lisbon.', 'I like olives.');
  const { recordFact } = await client.execute(RECORD, {
    input: {
      category: 'CONSTRAINT',
      key: 'profile:allergy/nuts',
      value: 'nuts',
      statement: 'The user is allergic to nuts.',
    },
  });
  if (recordFact.__typename !== 'Fact') throw new Error(JSON.stringify(recordFact));
  const factId = recordFact.id;
  const proseNow = async () => {
    await world.settle();
    return (await knowledgeOf(client)).profile?.prose ?? '';
  };
  const block = async () =>
    (await contextOf(client, { channel: 'sms', message: 'What could I cook?' })).markdown;
  expect(await proseNow()).toContain('allergic to nuts');
  await client.execute(RETRACT, { factId });
  expect(await block()).not.toContain('allergic to nuts');
  expect(await proseNow()).not.toContain('nuts');
  await client.execute(RESTORE, { factId });
  expect(await proseNow()).toContain('allergic to nuts');
  await client.execute(FORGET_FACT, { input: { factId } });
  const { profile, history } = await knowledgeOf(client);
  expect(JSON.stringify({ profile, history })).not.toContain('nuts');
  expect(await proseNow()).toContain('Lisbon');
  expect((await factsOf(client)).active.join()).not.toContain('nuts');
});

it('with nothing left to write a profile from, the versions before stay, and the last is stale', async () => {
  const client = await world.user('nothing-left');
  const input = { category: 'IDENTITY', key: 'profile:city', value: 'Lisbon' } as const;
  const { recordFact } = await client.execute(RECORD, { input });
  if (recordFact.__typename !== 'Fact') throw new Error(JSON.stringify(recordFact));
  await world.settle();
  const written = await knowledgeOf(client);
  expect(written.profile).toMatchObject({ version: 1, stale: false });
  await client.execute(RETRACT, { factId: recordFact.id });
  await world.settle();
  expect(await synthesize(client)).toMatchObject({ code: 'NOTHING_TO_SYNTHESIZE' });
  const left = await knowledgeOf(client);
  expect(left.profile).toMatchObject({ version: 1, prose: written.profile?.prose, stale: true });
  expect(left.history).toHaveLength(written.history.length);
  const { markdown } = await contextOf(client, { channel: 'sms', message: 'Where do I live?' });
  expect(markdown).not.toContain('Lisbon');
  await client.execute(RESTORE, { factId: recordFact.id });
  await world.settle();
  expect((await knowledgeOf(client)).profile).toMatchObject({ version: 1, stale: false });
});

it('a fact that begins later is in the profile from that day on', async () => {
  const client = await world.user('later');
  await saidOn(client, 5, 'I work at Arup.');
  expect((await knowledgeOf(client)).profile?.technical).toMatch(/Arup/);
  const profile = await saidOn(client, 12, 'I no longer work at Arup, I work at Buro Happold now.');
  expect(profile?.technical).toMatch(/Buro Happold/);
  expect(profile?.technical).not.toMatch(/works at Arup/);
});

it('a fact that was recorded ahead takes the place of the former in the profile on its day, without a new message', async () => {
  const client = await world.user('ahead');
  const livesIn = (value: string, validFrom: string) =>
    client.execute(RECORD, {
      input: { category: 'IDENTITY', key: 'profile:city', value, validFrom },
    });
  const personal = async () => (await knowledgeOf(client)).profile?.personalContext ?? '';
  const block = async () =>
    (await contextOf(client, { channel: 'sms', message: 'What could I cook?' })).markdown;
  await livesIn('Porto', '2026-01-01T00:00:00Z');
  await world.settle();
  await livesIn('Lisbon', '2026-05-01T00:00:00Z');
  await world.settle();
  expect(await personal()).toMatch(/Porto/);
  expect(await personal()).not.toMatch(/Lisbon/);
  expect(await block()).toContain('Porto');
  world.now = new Date('2026-05-01T00:00:01Z');
  await world.settle();
  expect(await personal()).toMatch(/Lisbon/);
  expect(await personal()).not.toMatch(/Porto/);
  expect(await block()).toContain('Lisbon');
});

it('a semantic memory is made from facts in the words and with the dates of its own episodes only', async () => {
  const client = await recorder(world, 'own-words');
  const inputs = echo(world);
  for (const [day, text] of [
    [2, 'I use Python.'],
    [5, 'I use Python at Quixotl.'],
    [9, 'I use Python.'],
  ] as const) {
    await saidOn(client, day, text, 'It is the best language for scripts and for small tools.');
    await consolidate(client);
  }
  expect((await factsOf(client)).facts).toMatchObject([{ mentions: 3 }]);
  const isOf = (what: unknown) => JSON.stringify(what).includes('Quixotl');
  const others = inputs.filter(({ episodes }) => !isOf(episodes));
  expect(others.length).toBeGreaterThan(1);
  expect(others.filter(({ facts }) => isOf(facts))).toEqual([]);
  expect(inputs.some(({ facts }) => isOf(facts))).toBe(true);
  const day = (at: Date | undefined) => at?.getUTCDate();
  for (const { episodes, facts = [] } of inputs.filter((input) => input.episodes.length === 1)) {
    expect(facts.map(({ validFrom }) => day(validFrom))).toEqual(
      facts.map(() => day(episodes[0]?.endedAt)),
    );
  }
});
