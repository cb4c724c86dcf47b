import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { evaluateLinking } from '../../../tools/eval/evaluate-linking.ts';
import { areaUnderCurve } from '../../../tools/eval/link-scores.ts';
import { IN_PROCESS } from '../../support/evaluated.ts';
import { printedBy } from '../../support/printed.ts';

const FIXTURE = fileURLToPath(new URL('../segmentation-fixture.jsonl', import.meta.url));

it('eval:linking assesses pairs with a running server', async () => {
  const { result } = await printedBy(() => evaluateLinking([FIXTURE], { pairs: 3 }, IN_PROCESS));
  const share = expect.any(Number);
  expect(result).toMatchObject({
    auc: share,
    f1: share,
    precision: share,
    recall: share,
    recallAtPrecision90: share,
    pairs: 3,
    data: 'segmentation-fixture.jsonl',
    reasoner: 'extractive/1',
    database: 'embedded',
  });
  const { positive, easy, hard } = result.byKind;
  expect(positive.pairs + easy.pairs + hard.pairs).toBe(3);
});

it('the area under the curve counts a tie as one half', () => {
  const of = (...scored: [number, boolean][]) =>
    areaUnderCurve(scored.map(([score, belongs]) => ({ score, belongs })));
  expect(of([0.9, true], [0.8, true], [0.2, false], [0.1, false])).toBe(1);
  expect(of([0.9, false], [0.1, true])).toBe(0);
  expect(of([0.5, true], [0.5, false])).toBe(0.5);
  expect(of([0.9, true], [0.5, false], [0.4, true], [0.1, false])).toBe(0.75);
});
