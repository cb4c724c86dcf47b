import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { evaluateCaptures } from '../../../tools/eval/evaluate-captures.ts';
import { IN_PROCESS } from '../../support/evaluated.ts';
import { printedBy } from '../../support/printed.ts';

const FIXTURE = fileURLToPath(new URL('../capture-fixture.jsonl', import.meta.url));

it('eval:capture compares the decision on each last segment with its label', async () => {
  const { printed, result } = await printedBy(() => evaluateCaptures(FIXTURE, {}, IN_PROCESS));
  expect(result).toMatchObject({
    accuracy: 0.75,
    byDecision: {
      CREATE: { CREATE: 1, MERGE: 0, SKIP: 1 },
      MERGE: { CREATE: 0, MERGE: 1, SKIP: 0 },
      SKIP: { CREATE: 0, MERGE: 0, SKIP: 1 },
    },
    wrong: ['metres-wrongly-labelled'],
    conversations: 4,
    reasoner: 'extractive/1',
  });
  expect(printed).toContain('metres-wrongly-labelled, labelled CREATE');
});
