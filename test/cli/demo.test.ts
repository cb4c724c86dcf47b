import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';

describe('npm run demo', { timeout: 120_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mnemograph-demo-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('the demo exits with code 1 and says so when an expected answer is not found', async () => {
    const file = join(folder, 'conversation.json');
    const turn = { role: 'USER', text: 'My bicycle is green.', occurredAt: '2026-03-02T08:00:00Z' };
    const questions = [{ query: 'Which colour has my bicycle?', expect: 'red' }];
    await writeFile(
      file,
      JSON.stringify({ conversations: [{ channel: 'sms', turns: [turn] }], questions }),
    );
    const { code, out } = await runCommand('demo', [file]);
    expect(out).toContain('✗ no hit contains the expected "red"');
    expect(out).toContain('0 of 1 expected answers');
    expect(code).toBe(1);
  });

  it('the demo says what is wrong with a file that contains no conversation', async () => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, '{"conversations": []}');
    const { code, problems } = await runCommand('demo', [file]);
    expect(problems).toContain('is not a conversation that the demo can use');
    expect(problems).not.toContain('    at ');
    expect(code).toBe(1);
  });
});
