import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { evaluateLocomo } from '../../../tools/eval/evaluate-locomo.ts';
import { IN_PROCESS } from '../../support/evaluated.ts';
import { printedBy } from '../../support/printed.ts';

const FIXTURE = fileURLToPath(new URL('../locomo-fixture.json', import.meta.url));

describe('eval:locomo', () => {
  it('eval:locomo recalls the evidence of questions from its own server', async () => {
    const { result } = await printedBy(() => evaluateLocomo(FIXTURE, {}, IN_PROCESS));
    expect(result).toMatchObject({
      'recall@10': 1,
      'hit@10': 1,
      'session@3': 1,
      turns: 9,
      questions: 4,
      byCategory: { 'single-hop': { questions: 2 } },
      data: 'locomo-fixture.json',
      reasoner: 'extractive/1',
      database: 'embedded',
    });
    const names = ['recall@5', 'recall@25', 'recall@50', 'hit@5', 'session@1', 'session@5'];
    const speeds = ['recallP50Ms', 'recallP95Ms', 'searchP50Ms', 'ingestTurnsPerSecond'];
    for (const name of [...names, ...speeds]) expect(result[name]).toBeGreaterThan(0);
    for (const name of ['embedder', 'commit']) expect(result[name]).toEqual(expect.any(String));
  });
});
