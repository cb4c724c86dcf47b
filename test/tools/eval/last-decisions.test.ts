import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseCaptures, scoreCaptures } from '../../../tools/eval/capture-scores.ts';
import { lastDecisions, TOLD } from '../../../tools/eval/last-decisions.ts';
import { tellAll } from '../../../tools/eval/tell-all.ts';
import { createEvaluated } from '../../support/evaluated.ts';

const FIXTURE = new URL('../capture-fixture.jsonl', import.meta.url);

let server: Awaited<ReturnType<typeof createEvaluated>>;
beforeAll(async () => {
  server = await createEvaluated();
});
afterAll(() => server[Symbol.asyncDispose]());

it('what a server decides on the last segment of labelled conversations is compared with the labels', async () => {
  const conversations = parseCaptures(await readFile(FIXTURE, 'utf8'));
  server.world.now = new Date('2026-03-10T09:00:00Z');
  await tellAll(server, conversations, TOLD);
  await server.world.settle();
  const results = await lastDecisions(server, conversations);
  expect(scoreCaptures(results)).toEqual({
    accuracy: 0.75,
    byDecision: {
      CREATE: { CREATE: 1, MERGE: 0, SKIP: 1 },
      MERGE: { CREATE: 0, MERGE: 1, SKIP: 0 },
      SKIP: { CREATE: 0, MERGE: 0, SKIP: 1 },
    },
    wrong: ['metres-wrongly-labelled'],
  });
});
