import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseFacts, scoreFacts } from '../../../tools/eval/fact-scores.ts';
import { learnedFacts, TOLD } from '../../../tools/eval/learned-facts.ts';
import { tellAll } from '../../../tools/eval/tell-all.ts';
import { createEvaluated } from '../../support/evaluated.ts';

const FIXTURE = new URL('../facts-fixture.jsonl', import.meta.url);

let server: Awaited<ReturnType<typeof createEvaluated>>;
beforeAll(async () => {
  server = await createEvaluated();
});
afterAll(() => server[Symbol.asyncDispose]());

it('the facts that a server learns from labelled conversations are scored by their labels', async () => {
  const conversations = parseFacts(await readFile(FIXTURE, 'utf8'));
  await tellAll(server, conversations, TOLD);
  await server.world.settle();
  const { scores, results } = scoreFacts(await learnedFacts(server, conversations));
  expect(scores).toMatchObject({
    ...{ precision: 1, recall: 0.75, f1: expect.closeTo(0.857, 3) },
    ...{ categoryAgreement: expect.closeTo(0.667, 3), keyAgreement: expect.closeTo(0.667, 3) },
    ...{ labelled: 4, found: 3, matched: 3, wrong: ['c'] },
  });
  const mistakes = results.flatMap(({ missed, disagreeing }) => [
    ...missed.map(({ value }) => `missed ${value}`),
    ...disagreeing.map(({ label, fact }) => `${fact.category}, not ${label.category}`),
  ]);
  expect(mistakes).toEqual(['missed shed', 'PREFERENCE, not CONSTRAINT']);
});
