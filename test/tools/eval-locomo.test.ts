import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const evaluate = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    tool('eval/eval-locomo', path('locomo-fixture.json'), ...args),
  );
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
};

describe('eval:locomo', () => {
  it('eval:locomo recalls the evidence of questions from its own server', {
    timeout: 120_000,
  }, async () => {
    const result = await evaluate();
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
