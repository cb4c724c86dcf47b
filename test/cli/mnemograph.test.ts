import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { NODE_OPTIONS } from '../../src/cli/node-options.ts';
import { builtFile } from '../../tools/support/built-file.ts';

const run = promisify(execFile);
const bin = () => builtFile('cli/mnemograph');

describe('the mnemograph command', () => {
  it('says what there is to run', async () => {
    const { stdout } = await run(process.execPath, [bin(), '--help']);
    for (const name of ['serve', 'migrate', 'keys', 'import', 'export', 'demo']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  it('hands its arguments to a command, and on its exit code', async () => {
    const { stdout } = await run(process.execPath, [bin(), 'keys', '--help']);
    expect(stdout).toContain('rotate');
    await expect(run(process.execPath, [bin(), 'keys', 'rename'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown command 'rename'"),
    });
  });

  it('starts the server without a command, and hands signals on to it', async () => {
    const child = spawn(process.execPath, [bin()], {
      env: { DATA_DIR: 'memory', PORT: '0', LOG_LEVEL: 'silent' },
    });
    let told = '';
    child.stdout.on('data', (chunk) => {
      told += chunk;
    });
    while (!told.includes('is ready')) await once(child.stdout, 'data');
    expect(told).toMatch(/^Mnemograph is ready: http:/);
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.kill('SIGTERM');
    expect([...(await once(child, 'exit')), errors]).toEqual([0, null, '']);
  });

  it('runs the server with the same options of Node as npm start and the image do', async () => {
    const text = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
    expect(JSON.parse(await text('package.json')).scripts.start).toBe(
      ['node', ...NODE_OPTIONS, 'dist/main.js'].join(' '),
    );
    expect(await text('Dockerfile')).toContain(
      `CMD ${JSON.stringify(['node', ...NODE_OPTIONS, 'dist/main.js']).replaceAll(',', ', ')}`,
    );
  });
});
