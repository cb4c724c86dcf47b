import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alexWorld, NOW, recallAll } from '../support/recall.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await alexWorld());
});
afterAll(() => world[Symbol.asyncDispose]());

const ask = (query: string, input: object = {}) => recallAll(alex, { query, ...input });

describe('stage 1: facts', () => {
  it("What's my name? is answered exactly, without a vector query", async () => {
    const { embedder } = world.ctx;
    world.with({
      embedder: embedder && {
        ...embedder,
        embed: () => Promise.reject(new Error('asked')),
      },
    });
    const { facts, vectors, hits } = await ask("What's my name?");
    world.restore();
    expect(facts[0]).toMatchObject({ key: 'profile:name', value: 'Alex', category: 'IDENTITY' });
    expect(vectors).toBe('NOT_NEEDED');
    expect(hits.every(({ explain }) => explain.similarity === null)).toBe(true);
    world.statements.length = 0;
    const only = await ask("What's my name?", { factsOnly: true });
    expect(only.facts[0]?.value).toBe('Alex');
    expect(only.hits).toEqual([]);
    // The known facts, the number of conversations that state each, and no search.
    expect(world.sent(/^(?!begin|commit|turn-contents|recalled-touch)/)).toEqual([
      'recalled-known-facts',
      'recalled-conversations',
    ]);
  });

  it('if only facts are requested, active facts of importance 0.5 or more and pinned ones are given', async () => {
    const { facts } = await ask('Which boat?', { factsOnly: true });
    const listed = facts.map(({ key, value }) => `${key} = ${value}`);
    expect(listed).toEqual(
      expect.arrayContaining([
        'profile:name = Alex',
        'preference:python = Python',
        'instruction:coding_style = black with line length 100',
      ]),
    );
    expect(facts[0]).toMatchObject({ value: 'swim to Berlenga', pinned: true });
    const unpinned = facts.filter(({ pinned }) => !pinned).map(({ importance }) => importance);
    expect(unpinned).toEqual([...unpinned].sort((a, b) => b - a));
    expect(Math.min(...unpinned)).toBeGreaterThanOrEqual(0.5);
    expect(listed).not.toContain('interest:cello = the cello');
  });

  it('with a search, only pinned facts and those asked for by key are known; others are found by search', async () => {
    const { facts } = await ask('Which boat?');
    expect(facts.map(({ value }) => value)).toEqual(['swim to Berlenga']);
    const named = await ask('What is my name?');
    expect(named.facts.map(({ value }) => value)).toEqual(['Alex', 'swim to Berlenga']);
  });

  it('a fact is not both known and a hit', async () => {
    const { found, facts } = await ask('Who plays the cello?');
    expect(found.map(({ fact }) => fact.statement).join()).toMatch(/cello/);
    expect(facts.some(({ value }) => value === 'the cello')).toBe(false);
    const { found: pinned } = await ask('Who wants to swim to Berlenga?');
    expect(pinned.map(({ fact }) => fact.statement).join()).not.toMatch(/Berlenga/);
  });

  it('a negated preference is never presented as a preference', async () => {
    const { found, markdown } = await ask('Which editor do I like to use, Vim?');
    const vim = found.filter(({ fact }) => /vim/i.test(fact.statement));
    expect(vim.map(({ fact }) => fact.statement)).toEqual(['The user does not use Vim.']);
    expect(markdown).toMatch(/\[preference, negative\] .*Vim/i);
  });

  it('known facts are those valid at asOf, restricted by category', async () => {
    const alone = { factsOnly: true };
    const before = await ask('Which editor?', { ...alone, asOf: '2026-03-11T12:00:00Z' });
    expect(before.facts.find(({ value }) => /vim/i.test(value))?.polarity).toBe('POSITIVE');
    const { facts } = await ask('Anything?', { ...alone, categories: ['IDENTITY'] });
    expect(facts.map(({ category }) => category)).toEqual(['IDENTITY']);
  });

  it('recalled facts are marked as accessed at most once a day; a prefetch marks nothing', async () => {
    const of = async () => (await ask('x', { factsOnly: true })).facts[0]?.lastAccessedAt;
    await world.ctx.db.pool.query(`UPDATE facts SET last_accessed_at = NULL`);
    expect(await of()).toBeNull();
    await ask('Which boat?');
    await expect.poll(of).toBe('2026-03-20T12:00:00.000Z');
    world.now = new Date('2026-03-20T18:00:00Z');
    world.statements.length = 0;
    await ask('Which boat?');
    expect(world.sent(/^recalled-touch-facts$/)).toEqual([]);
    world.now = new Date(NOW);
  });
});

it('a time phrase filters what was said by us, and only raises what others did', async () => {
  const titles = ({ episodes }: Awaited<ReturnType<typeof ask>>) =>
    episodes.map(({ title }) => title);
  const own = await ask('What did we talk about on 2 March?', { kinds: ['EPISODE', 'TURN'] });
  expect(own.range).toEqual({
    ...{ from: '2026-03-02T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' },
    ...{ text: 'on 2 March', filters: true },
  });
  expect(titles(own).join()).toMatch(/roof/);
  expect(own.turns.every(({ turn }) => /roof|hay/.test(turn.text))).toBe(true);
  const other = await ask('When did Rita start school, in March?', { kinds: ['TURN'] });
  expect(other.range).toMatchObject({ text: 'in March', filters: false });
  const raised = other.turns[0]?.explain.parts.find(({ name }) => name === 'RANGE')?.value;
  expect(raised).toBeGreaterThan(0);
});
