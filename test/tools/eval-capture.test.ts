import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, tool('eval/eval-capture', ...args));

describe('eval:capture', () => {
  it('eval:capture compares the decision on each last segment with its label', {
    timeout: 60_000,
  }, async () => {
    const { stdout } = await run(path('capture-fixture.jsonl'));
    const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
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
    expect(stdout).toContain('metres-wrongly-labelled, labelled CREATE');
  });

  it('an unreadable file is reported in one line', { timeout: 60_000 }, async () => {
    await expect(run(path('locomo-fixture.json'))).rejects.toMatchObject({
      stderr: expect.stringMatching(/^\S*locomo-fixture\.json holds no JSON lines of .*\n$/),
    });
  });
});
