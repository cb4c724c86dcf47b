import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { evaluateFacts } from '../../../tools/eval/evaluate-facts.ts';
import { IN_PROCESS } from '../../support/evaluated.ts';
import { printedBy } from '../../support/printed.ts';

const FIXTURE = fileURLToPath(new URL('../facts-fixture.jsonl', import.meta.url));

it('eval:facts scores the facts learned from labelled conversations', async () => {
  const { result, printed } = await printedBy(() =>
    evaluateFacts(FIXTURE, { verbose: true }, IN_PROCESS),
  );
  expect(result).toMatchObject({
    precision: 1,
    recall: 0.75,
    f1: 0.8571,
    categoryAgreement: 0.6667,
    keyAgreement: 0.6667,
    labelled: 4,
    found: 3,
    matched: 3,
    wrong: ['c'],
    data: 'facts-fixture.jsonl',
    reasoner: 'extractive/1',
  });
  expect(result.commit).toEqual(expect.any(String));
  expect(printed.match(/^ {2}(missed|wrong|other) .*$/gm)).toEqual([
    '  missed  POSITIVE GOAL shed',
    '  other   PREFERENCE preference:maple, not CONSTRAINT constraint:avoid:maple',
  ]);
});
