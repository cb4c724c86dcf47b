import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseLocomo } from '../../../tools/eval/locomo.ts';
import { importAll } from '../../../tools/eval/locomo-import.ts';
import { askAll } from '../../../tools/eval/locomo-questions.ts';
import { scoreAnswers, scoreByCategory } from '../../../tools/eval/recall-scores.ts';
import { createEvaluated } from '../../support/evaluated.ts';

const FIXTURE = new URL('../locomo-fixture.json', import.meta.url);

let server: Awaited<ReturnType<typeof createEvaluated>>;
beforeAll(async () => {
  server = await createEvaluated();
});
afterAll(() => server[Symbol.asyncDispose]());

it('the evidence of the questions of LoCoMo is recalled from a server, and scored', async () => {
  const conversations = parseLocomo(await readFile(FIXTURE, 'utf8'));
  await importAll(server, conversations);
  await server.world.settle();
  const { answers, recallMs } = await askAll(server, conversations);
  expect(recallMs).toHaveLength(4);
  expect(scoreAnswers(answers)).toMatchObject({ 'recall@10': 1, 'hit@10': 1, 'session@3': 1 });
  expect(scoreByCategory(answers)).toMatchObject({ 'single-hop': { questions: 2 } });
});
