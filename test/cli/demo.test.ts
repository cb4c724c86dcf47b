import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../support/command.ts';

/** The demo takes a minute at most, and several times as long while other tests are running. */
const TIMEOUT = 300_000;

/** Runs the command like `npm run demo`, without settings. */
function demo(...args: string[]): Promise<{ code: number; out: string; problems: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      command('demo', ...args),
      { env: {} },
      (_error, out, problems) => resolve({ code: child.exitCode ?? -1, out, problems }),
    );
  });
}

describe('npm run demo', { timeout: TIMEOUT }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mnemograph-demo-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('the demo lives through six weeks, finds all eight expected answers, and ends without a terminal', async () => {
    const { code, out, problems } = await demo();
    expect(problems).toBe('');
    expect(out).toContain('234 turns are stored and understood after');
    expect(out.match(/^ ✓\d\. /gm)?.length).toBeGreaterThanOrEqual(8);
    expect(out).toMatch(/✓1\. Thiamazole tablets.*\n.*whatsapp · Tue, \d\d \w+ \d{4} · score \d/);
    expect(out).toMatch(/no\. \d+ by keywords, no\. \d+ by semantic similarity/);
    expect(out).toContain('8 of 8 expected answers');
    expect(code).toBe(0);
  });

  it('the demo exits with code 1 and says so when an expected answer is not found', async () => {
    const file = join(folder, 'conversation.json');
    const turn = { role: 'USER', text: 'My bicycle is green.', occurredAt: '2026-03-02T08:00:00Z' };
    const questions = [{ query: 'Which colour has my bicycle?', expect: 'red' }];
    await writeFile(
      file,
      JSON.stringify({ conversations: [{ channel: 'sms', turns: [turn] }], questions }),
    );
    const { code, out } = await demo(file);
    expect(out).toContain('✗ no hit contains the expected "red"');
    expect(out).toContain('0 of 1 expected answers');
    expect(code).toBe(1);
  });

  it('the demo says what is wrong with a file that contains no conversation', async () => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, '{"conversations": []}');
    const { code, problems } = await demo(file);
    expect(problems).toContain('is not a conversation that the demo can use');
    expect(problems).not.toContain('    at ');
    expect(code).toBe(1);
  });
});
