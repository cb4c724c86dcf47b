import { afterAll, describe, expect, it } from 'vitest';
import { createBuiltInEmbedder } from '../../../src/embedder/built-in/built-in.ts';
import { findBoundaries } from '../../../src/reasoner/extractive/find-boundaries.ts';
import { judgeSurprise } from '../../../src/reasoner/extractive/judge-surprise.ts';
import { semanticSimilarityBy } from '../../../src/reasoner/extractive/text/semantic-similarity.ts';
import { findBoundariesShapes as shapes } from '../../../src/reasoner/reasoner.ts';

const embedder = createBuiltInEmbedder();
afterAll(() => embedder[Symbol.asyncDispose]());
const similarity = semanticSimilarityBy(embedder, { userId: 'u1' });

const turnsOf = (texts: readonly string[]) =>
  texts.map((text, place) => ({
    role: place % 2 === 0 ? ('USER' as const) : ('ASSISTANT' as const),
    speaker: null,
    text,
    occurredAt: new Date(Date.UTC(2026, 2, 2, 9, place)),
  }));

const BIKE = [
  'The chain of my bicycle keeps jumping off when I pedal uphill.',
  'How old is the chain? A worn chain slips over the cogs of the cassette.',
  'About four years. The cogs of the cassette look sharp too.',
  'Then replace the chain and the cassette together, and check the derailleur.',
  'Great, I will order a chain and a cassette this week. Thanks for the help!',
  'You are welcome. Good luck with the bicycle!',
];
const BREAD = [
  'I need a recipe for sourdough bread that works in a cold kitchen.',
  'Let the dough rise overnight; in a cold kitchen the starter needs twelve hours.',
  'How much starter do I put into the dough for one loaf of bread?',
  'A hundred grams of starter for five hundred grams of flour.',
  'And how hot should the oven be for the loaf?',
  'Bake the bread at 230 degrees, with steam in the oven for the crust.',
];

describe('finding boundaries', () => {
  it('a conversation is cut where its topic changes', async () => {
    const found = await findBoundaries({ turns: turnsOf([...BIKE, ...BREAD]) }, similarity);
    expect(shapes.output.parse(found)).toEqual(found);
    expect(found.boundaries.map(({ index }) => index)).toEqual([6]);
    expect(found.boundaries[0]?.confidence).toBeGreaterThan(0.8);
  });

  it.each([BIKE, BREAD])('a conversation about one topic is not cut', async (...talk) => {
    const { boundaries } = await findBoundaries({ turns: turnsOf(talk) }, similarity);
    expect(boundaries).toEqual([]);
  });

  it('boundaries are found without vectors, too', async () => {
    const { boundaries } = await findBoundaries({ turns: turnsOf([...BIKE, ...BREAD]) }, null);
    expect(boundaries.map(({ index }) => index)).toContain(6);
  });

  it('boundaries do not depend on which of two people speaks', async () => {
    const people = turnsOf([...BIKE, ...BREAD]).map((turn) => ({
      ...turn,
      role: turn.role === 'USER' ? ('USER' as const) : ('OTHER' as const),
    }));
    const shifted = people.map((turn, place) => ({
      ...turn,
      role: people[place + 1]?.role ?? ('USER' as const),
    }));
    expect(await findBoundaries({ turns: shifted }, similarity)).toEqual(
      await findBoundaries({ turns: people }, similarity),
    );
  });

  it('a clear change of topic is found at the same place, whoever speaks', async () => {
    const turns = turnsOf([...BIKE, ...BREAD]);
    const shifted = turns.map((turn, place) => ({
      ...turn,
      role: turns[place + 1]?.role ?? 'USER',
    }));
    const places = async (told: typeof turns) =>
      (await findBoundaries({ turns: told }, similarity)).boundaries.map(({ index }) => index);
    expect(await places(shifted)).toEqual(await places(turns));
  });

  it('a change of topic is found in a conversation of only five turns', async () => {
    const few = [...BIKE.slice(0, 3), ...BREAD.slice(0, 2)];
    const { boundaries } = await findBoundaries({ turns: turnsOf(few) }, similarity);
    expect(boundaries.map(({ index }) => index)).toEqual([3]);
  });
});

describe('judging surprise', () => {
  const scale = embedder.profile.surprise;
  const judge = (before: readonly string[], segment: readonly string[], own = similarity) =>
    judgeSurprise({ before: turnsOf(before), segment: turnsOf(segment) }, own, scale);

  it('surprise is higher for another topic than for the same', async () => {
    const { surprise: same } = await judge(BIKE.slice(0, 3), BIKE.slice(3));
    const { surprise: other } = await judge(BIKE, BREAD);
    expect(same).toBeLessThan(0.5);
    expect(other).toBeGreaterThan(0.6);
  });

  it('there is no surprise when there are no earlier turns', async () => {
    expect(await judge([], BREAD)).toEqual({ surprise: 0 });
  });

  it('surprise is judged without vectors, too', async () => {
    const own = { before: turnsOf(BIKE), segment: turnsOf(BREAD) };
    const { surprise } = await judgeSurprise(own, null, scale);
    expect(surprise).toBeGreaterThan(0.4);
    expect(surprise).toBeLessThan(0.7);
  });
});
