import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { areaUnderCurve } from '../../tools/eval/link-scores.ts';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

it('eval:linking assesses pairs with a running server', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    tool('eval/eval-linking', path('segmentation-fixture.jsonl'), '--pairs', '3'),
  );
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
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
}, 90_000);

it('the area under the curve counts a tie as one half', () => {
  const of = (...scored: [number, boolean][]) =>
    areaUnderCurve(scored.map(([score, belongs]) => ({ score, belongs })));
  expect(of([0.9, true], [0.8, true], [0.2, false], [0.1, false])).toBe(1);
  expect(of([0.9, false], [0.1, true])).toBe(0);
  expect(of([0.5, true], [0.5, false])).toBe(0.5);
  expect(of([0.9, true], [0.5, false], [0.4, true], [0.1, false])).toBe(0.75);
});
