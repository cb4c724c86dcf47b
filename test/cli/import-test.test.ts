import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../src/cli/import-test.ts', import.meta.url));

it('test:import imports in one go, and finds that a kill changes nothing', {
  timeout: 180_000,
}, async () => {
  const args = ['--import', 'tsx', COMMAND, '--turns', '60', '--kills', '1', '--seed', '3'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(result).toMatchObject({ turns: 60, kills: 1, changedByKills: 0, database: 'embedded' });
  expect(result.episodes).toBeGreaterThan(3);
  expect(result.peakMegabytes).toBeGreaterThan(100);
  expect(result.partSeconds).toHaveLength(10);
});
