import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { StepInput, StepOutput } from '../../../src/reasoner/reasoner.ts';
import { consolidate, knowledgeOf, recorder } from '../../support/consolidation.ts';
import { factsOf, RETRACT } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { talkDaily, talkOn } from '../../support/samples/days.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
let usual: Context['reasoner'];
beforeAll(async () => {
  world = await createWorld();
  usual = world.ctx.reasoner;
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-31T12:00:00Z');
});

type Candidate = StepOutput<'extract-facts'>['facts'][number];
type Asked = StepInput<'extract-facts'>;

const candidate = (own: Partial<Candidate>): Candidate => ({
  action: 'NEW',
  factId: null,
  category: 'IDENTITY',
  key: 'profile:city',
  value: 'Porto',
  statement: 'The user lives in Porto.',
  polarity: 'POSITIVE',
  scope: null,
  confidence: 0.9,
  importance: 0.8,
  isCorrection: false,
  turn: 0,
  ...own,
});

/** A model in place of the built-in rules, which says this of the episodes it is shown. */
function model(says: (asked: Asked) => Candidate[]) {
  const asked: Asked[] = [];
  world.with({
    reasoner: {
      ...usual,
      generatedBy: 'MODEL',
      modelOf: () => 'stub',
      extractFacts: async (input) => {
        asked.push(input);
        return { facts: says(input) };
      },
    },
  });
  return asked;
}

const consolidatedAt = async (client: Client) =>
  (await knowledgeOf(client)).episodes.map((episode) => episode.consolidatedAt !== null);
const decisions = async (client: Client) =>
  (await knowledgeOf(client)).consolidations.map(({ decision }) => decision);

describe('when facts are taken from episodes', () => {
  it('facts are extracted once three episodes wait; each is marked, and what its turns stated is not stated twice', async () => {
    const client = await recorder(world, 'three');
    await talkOn(world, client, 1, 2);
    const known = (await factsOf(client)).facts;
    expect(await consolidatedAt(client)).toEqual([false, false]);
    await talkOn(world, client, 3, 3);
    expect(await consolidatedAt(client)).toEqual([true, true, true]);
    expect(await decisions(client)).toEqual([
      'memory.consolidate (3 episodes, 6 turns: 0 new, 0 of them instead of others, 0 said again, 0 refused, by extractive/1)',
    ]);
    const { facts } = await factsOf(client);
    expect(facts.filter(({ id }) => known.some((own) => own.id === id))).toEqual(known);
  });

  it('facts are extracted from a flashbulb at once', async () => {
    const client = await recorder(world, 'flashbulb');
    await talkOn(world, client, 1, 1);
    await world.ctx.db.pool.query(
      `UPDATE episodes SET surprise = 0.86 WHERE user_id = 'flashbulb'`,
    );
    expect(await consolidatedAt(client)).toEqual([false]);
    await talkOn(world, client, 2, 2);
    expect(await consolidatedAt(client)).toEqual([true, true]);
  });

  it('on request facts are extracted from one episode, and the answer counts the changes', async () => {
    const client = await recorder(world, 'asked');
    await talkOn(world, client, 1, 1);
    model(() => [candidate({}), candidate({ key: 'profile:age', value: '40', confidence: 0.3 })]);
    const none = { recorded: 0, superseding: 0, reinforced: 0 };
    expect(await consolidate(client)).toMatchObject({
      facts: { ...none, episodes: 1, turns: 2, refused: 1 },
    });
    expect(await consolidate(client)).toMatchObject({ facts: { episodes: 0, turns: 0 } });
  });

  it('episodes from before, whatever had happened to them, are included in the next run', async () => {
    const client = await recorder(world, 'before');
    {
      const never = { episodes: 200, sessionEpisodes: 200, factEpisodes: 200 };
      using _ = world.configured({ consolidation: never });
      await talkOn(world, client, 1, 4);
      expect(await knowledgeOf(client)).toMatchObject({ memories: [] });
      expect(await consolidatedAt(client)).toEqual([false, false, false, false]);
    }
    await talkDaily(world, client, 5, 6);
    expect(await consolidatedAt(client)).toEqual([true, true, true, true, true, false]);
    expect(await knowledgeOf(client)).toMatchObject({
      memories: [{ episodeCount: 3 }, { episodeCount: 3 }],
    });
  });

  it('facts are extracted again if an episode changes, such as after a late turn', async () => {
    const client = await recorder(world, 'late');
    await talkOn(world, client, 1, 1);
    await consolidate(client);
    const late = { text: 'And my sister is called Melanie.', occurredAt: '2026-03-01T09:00:30Z' };
    await say(client, { channel: 'sms', turns: [late] });
    await world.settle();
    expect(await consolidatedAt(client)).toEqual([false]);
    expect((await consolidate(client)) as object).toMatchObject({
      facts: { episodes: 1, turns: 3 },
    });
  });

  it('facts of an episode are extracted once, whatever runs at the same time', async () => {
    const client = await recorder(world, 'at-once');
    await talkOn(world, client, 1, 2);
    const asked = model(() => []);
    await Promise.all([consolidate(client), consolidate(client), world.settle()]);
    expect(asked.length).toBeGreaterThan(0);
    expect(await decisions(client)).toHaveLength(1);
  });
});

describe('what a model says of episodes', () => {
  it('a model can add, reinforce, update and invalidate facts, with the stored facts as context', async () => {
    const client = await recorder(world, 'actions');
    const known = [
      candidate({ key: 'profile:city', value: 'Braga', statement: 'The user lives in Braga.' }),
      candidate({ key: 'profile:school', value: 'Minho', statement: 'The user is at Minho.' }),
      candidate({ key: 'profile:age', value: '39', statement: 'The user is 39.' }),
    ];
    model(({ turns }) => (turns.length === 1 ? known : []));
    const before = {
      text: 'The ferry from Odda was late long ago.',
      occurredAt: '2026-02-01T08:00:00Z',
    };
    await say(client, { channel: 'sms', turns: [before] });
    await world.settle();
    const asked = model(({ turns, known: shown = [] }) => {
      if (turns.length < 4) return [];
      const id = (key: string) => shown.find((fact) => fact.key === key)?.id ?? null;
      return [
        candidate({ action: 'UPDATE', factId: id('profile:city'), turn: 1 }),
        candidate({ ...known[1], action: 'REINFORCE', factId: id('profile:school'), turn: 1 }),
        candidate({
          ...known[2],
          action: 'INVALIDATE',
          factId: id('profile:age'),
          polarity: 'NEGATIVE',
          turn: 3,
        }),
        candidate({
          key: 'profile:country',
          value: 'Portugal',
          action: 'UPDATE',
          factId: '999',
          turn: 1,
        }),
      ];
    });
    await talkOn(world, client, 1, 2);
    const whole = asked.find(({ turns }) => turns.length === 5);
    expect(whole).toMatchObject({ contextTurns: 0, known: [{}, {}, {}] });
    expect(await decisions(client)).toEqual([
      'memory.consolidate (3 episodes, 5 turns: 3 new, 2 of them instead of others, 1 said again, 0 refused, by stub)',
    ]);
    const { facts } = await factsOf(client);
    const told = facts.map(({ key, value, polarity, mentions }) => [
      key,
      value,
      polarity,
      mentions,
    ]);
    expect(told.sort()).toEqual([
      ['profile:age', '39', 'NEGATIVE', 1],
      ['profile:city', 'Porto', 'POSITIVE', 1],
      ['profile:country', 'Portugal', 'POSITIVE', 1],
      ['profile:school', 'Minho', 'POSITIVE', 2],
    ]);
    const city = facts.find(({ key }) => key === 'profile:city');
    expect(city?.turns[0]?.text).toContain('I moved to Porto');
    expect(city?.history.map(({ value }) => value)).toEqual(['Braga', 'Porto']);
  });

  it('a turn that was read before is neither reworded nor restored after a retraction', async () => {
    const client = await recorder(world, 'words');
    model(({ turns }) => (turns.length > 2 ? [] : [candidate({})]));
    await talkOn(world, client, 1, 1);
    const [fact] = (await factsOf(client)).facts;
    expect(fact).toMatchObject({ value: 'Porto' });
    model(() => [
      candidate({ value: 'Porto, Portugal', statement: 'They live in Porto, Portugal.' }),
    ]);
    await consolidate(client);
    expect((await factsOf(client)).active).toEqual(['profile:city = Porto']);
    await client.execute(RETRACT, { factId: fact?.id ?? '' });
    await world.ctx.db.pool.query(
      `UPDATE episodes SET consolidated_at = NULL WHERE user_id = 'words'`,
    );
    await consolidate(client);
    expect((await factsOf(client)).active).toEqual([]);
  });

  it('a model’s facts are accepted from turns of the user only', async () => {
    const client = await recorder(world, 'own-words');
    await talkOn(world, client, 1, 1);
    model(() => [candidate({ turn: 1 }), candidate({ turn: 7 })]);
    await consolidate(client);
    expect((await factsOf(client)).active.join()).not.toContain('Portugal');
    expect(await consolidatedAt(client)).toEqual([true]);
  });

  it('while the model is unavailable, the episode waits', async () => {
    const client = await recorder(world, 'away');
    await talkOn(world, client, 1, 1);
    world.with({
      reasoner: {
        ...usual,
        extractFacts: async () => {
          throw new Error('gone');
        },
      },
    });
    await expect(consolidate(client)).rejects.toThrow();
    expect(await consolidatedAt(client)).toEqual([false]);
    world.restore();
    await consolidate(client);
    expect(await consolidatedAt(client)).toEqual([true]);
  });
});
