import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const evaluate = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    tool('eval/eval-facts', path('facts-fixture.jsonl'), ...args),
  );
  return { stdout, result: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') };
};

it('eval:facts scores the facts learned from labelled conversations', async () => {
  const { result, stdout } = await evaluate('--verbose');
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
  expect(stdout).toContain('missed  POSITIVE GOAL shed');
  expect(stdout).toContain('other   PREFERENCE preference:maple, not CONSTRAINT');
}, 90_000);
