import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { extractFacts as extractFactsOf } from '../../../src/remember/facts/extract-facts.ts';
import { addFacts, factsOf, sayFacts, spansOf, tellGoals } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

const PORTO = 'The user wants to run a marathon in Porto this year.';
const LISBON = 'The user wants to run a marathon in Lisbon next year.';
const LISBON_AGAIN = 'The user wants to run a marathon in Lisbon next year!';

let world: World;
let usual: Context['reasoner'];
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-03-20T09:00:00Z');
  usual = world.ctx.reasoner;
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
});

/** Lets every turn tell of itself. @returns what is asked about the same facts; the answer is `same` */
function askedOfGoals(same = true) {
  const asked: object[] = [];
  world.with({
    reasoner: {
      ...usual,
      extractFacts: tellGoals,
      isSameFact: async (input) => {
        asked.push(input);
        return { same, confidence: 0.9 };
      },
    },
  });
  return asked;
}

it('two equivalent statements without a key become one fact with two mentions', async () => {
  const client = await world.user('same');
  const asked = askedOfGoals();
  await sayFacts(
    world,
    client,
    '2026-03-02T08:00:00Z',
    'The user wants to run a marathon in Porto.',
  );
  await sayFacts(
    world,
    client,
    '2026-03-03T08:00:00Z',
    'The user wants to run a marathon in Porto!',
  );
  const { facts } = await factsOf(client);
  expect(facts).toMatchObject([{ mentions: 2, validFrom: '2026-03-02T08:00:00.000Z' }]);
  expect(facts[0]?.turns).toHaveLength(2);
  expect(asked).toEqual([]);
});

it('the reasoner decides about similar statements: the same fact is updated, with history; another is stored beside it', async () => {
  for (const same of [true, false]) {
    const client = await world.user(`near-${same}`);
    const asked = askedOfGoals(same);
    await sayFacts(world, client, '2026-03-02T08:00:00Z', PORTO);
    await sayFacts(world, client, '2026-03-03T08:00:00Z', LISBON);
    expect(asked).toEqual([{ known: PORTO, candidate: LISBON }]);
    const values = (await factsOf(client)).facts.map(({ value }) => value);
    expect(values).toEqual(same ? [LISBON] : [PORTO, LISBON]);
    // Another value has a vector of its own.
    const { rows } = await world.ctx.db.pool.query(
      'SELECT count(*)::int AS vectors FROM fact_vectors WHERE user_id = $1',
      [`near-${same}`],
    );
    expect(rows).toEqual([{ vectors: 2 }]);
  }
});

it.each([{ apart: 0 }, { apart: 1 }])(
  'statements that are read together, after $apart others, are compared with each other',
  async ({ apart }) => {
    const other = 'The user saves money for a piano.';
    const client = await world.user(`together-after-${apart}`);
    const asked = askedOfGoals();
    const turns = [PORTO, LISBON, LISBON_AGAIN, other].map((text, day) => ({
      text,
      occurredAt: `2026-03-0${day + 2}T08:00:00Z`,
    }));
    for (const said of [turns.slice(0, apart), turns.slice(apart)]) {
      if (said.length > 0) await say(client, { channel: 'sms', turns: said });
      await world.settle();
    }
    const { facts } = await factsOf(client);
    expect(facts.map(({ value, mentions }) => [value, mentions])).toEqual([
      [LISBON, 2],
      [other, 1],
    ]);
    const before = await factsOf(client, { at: '2026-03-02T12:00:00Z' });
    expect(before.facts).toMatchObject([{ value: PORTO, validTo: '2026-03-03T08:00:00.000Z' }]);
    expect(new Set(asked.map((pair) => JSON.stringify(pair)))).toEqual(
      new Set([JSON.stringify({ known: PORTO, candidate: LISBON })]),
    );
  },
);

it.each([
  [null, 'a marathon', 'running the marathon there'],
  ['profile:city', 'Porto', 'Porto, Portugal'],
])(
  'a known fact that a model says is said again stays one fact, in whatever words: key %s',
  async (key, first, again) => {
    const userId = `again-${key}`;
    const client = await world.user(userId);
    world.with({
      reasoner: {
        ...usual,
        extractFacts: async ({ known = [], ...input }, options) => {
          const told = await tellGoals({ ...input, known }, options);
          const value = known.length === 0 ? first : again;
          const [shown] = known;
          const named = shown ? { action: 'REINFORCE' as const, factId: shown.id } : {};
          const facts = told.facts.map((fact) => ({
            ...fact,
            key,
            value,
            statement: value,
            ...named,
          }));
          return { facts };
        },
      },
    });
    await sayFacts(world, client, '2026-03-02T08:00:00Z', 'So I plan that.');
    await sayFacts(world, client, '2026-03-03T08:00:00Z', 'As I said before.');
    expect(await spansOf(client, ['2026-03', '2026-04'])).toEqual([`${first} 2026-03-02..`]);
    expect((await factsOf(client)).facts).toMatchObject([{ mentions: 2 }]);
    const { rows } = await world.ctx.db.pool.query(
      'SELECT value FROM fact_sources WHERE user_id = $1 ORDER BY turn_id',
      [userId],
    );
    expect(rows).toEqual([{ value: first }, { value: again }]);
  },
);

it('a fact without a key is updated, however many other facts were recorded since', async () => {
  const client = await world.user('many');
  askedOfGoals();
  await sayFacts(world, client, '2026-03-02T08:00:00Z', PORTO);
  await addFacts(world, client, 2_000);
  const turns = [{ text: LISBON, occurredAt: '2026-03-03T08:00:00Z' }];
  await say(client, { channel: 'sms', turns });
  while ((await extractFactsOf(world.ctx, 'many')) === 'again');
  const { rows } = await world.ctx.db.pool.query(
    'SELECT value, valid_to AS "validTo" FROM facts WHERE user_id = $1 AND key IS NULL ORDER BY id',
    ['many'],
  );
  expect(rows).toEqual([
    { value: PORTO, validTo: new Date('2026-03-03T08:00:00Z') },
    { value: LISBON, validTo: null },
  ]);
});

it('an update that takes the category of a fact is compared with what follows', async () => {
  const client = await world.user('categories');
  askedOfGoals();
  const { extractFacts: tell } = world.ctx.reasoner;
  const extractFacts: typeof tell = async (input, call) => {
    const { facts } = await tell(input, call);
    const own = facts.map((fact) =>
      fact.value === PORTO ? { ...fact, category: 'EXPERIENCE' as const } : fact,
    );
    return { facts: own };
  };
  world.with({ reasoner: { ...world.ctx.reasoner, extractFacts } });
  await sayFacts(world, client, '2026-03-02T08:00:00Z', PORTO);
  const turns = [LISBON, LISBON_AGAIN].map((text) => ({
    text,
    occurredAt: '2026-03-03T08:00:00Z',
  }));
  await say(client, { channel: 'sms', turns });
  while ((await extractFactsOf(world.ctx, 'categories')) === 'again');
  await world.settle();
  expect((await factsOf(client)).facts).toMatchObject([
    { value: LISBON, category: 'EXPERIENCE', mentions: 2 },
  ]);
});

it('a fact that was compared has its vector as soon as it is stored', async () => {
  const client = await world.user('at-once');
  askedOfGoals();
  await say(client, { channel: 'sms', turns: [{ text: 'The user saves money for a piano.' }] });
  await extractFactsOf(world.ctx, 'at-once');
  const { rows } = await world.ctx.db.pool.query(
    `SELECT (SELECT count(*)::int FROM fact_vectors WHERE user_id = $1 AND embedding IS NOT NULL) AS vectors,
       (SELECT count(*)::int FROM jobs WHERE user_id = $1 AND step = 'embed-facts') AS jobs`,
    ['at-once'],
  );
  expect(rows).toEqual([{ vectors: 1, jobs: 0 }]);
});

it('a dissimilar statement is another fact, and no reasoner is asked', async () => {
  const client = await world.user('far');
  const asked = askedOfGoals();
  await sayFacts(
    world,
    client,
    '2026-03-02T08:00:00Z',
    'The user wants to run a marathon in Porto.',
  );
  await sayFacts(world, client, '2026-03-03T08:00:00Z', 'The user saves money for a piano.');
  expect((await factsOf(client)).facts).toHaveLength(2);
  expect(asked).toEqual([]);
});
