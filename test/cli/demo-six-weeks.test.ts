import { expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';

it('the demo lives through six weeks, finds all eight expected answers, and ends without a terminal', async () => {
  const { code, out, problems } = await runCommand('demo', []);
  expect(problems).toBe('');
  expect(out).toContain('234 turns are stored and understood after');
  expect(out.match(/^ ✓\d\. /gm)?.length).toBeGreaterThanOrEqual(8);
  expect(out).toMatch(/✓1\. Thiamazole tablets.*\n.*whatsapp · Tue, \d\d \w+ \d{4} · score \d/);
  expect(out).toMatch(/no\. \d+ by keywords, no\. \d+ by semantic similarity/);
  expect(out).toContain('8 of 8 expected answers');
  expect(code).toBe(0);
}, 300_000);
