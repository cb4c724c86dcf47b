import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MEMORY_SETTINGS, NODE_OPTIONS } from '../../src/cli/node-options.ts';
import { VERSION } from '../../src/config/version.ts';
import { builtFile } from '../../tools/support/built-file.ts';

const run = promisify(execFile);
const bin = () => builtFile('cli/mnemograph');

describe('the mnemograph command', () => {
  it.each(['--help', 'help'])('mnemograph %s lists the commands', async (asked) => {
    const { stdout } = await run(process.execPath, [bin(), asked]);
    for (const name of ['serve', 'migrate', 'keys', 'import', 'export', 'demo']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  it('mnemograph --version says its version', async () => {
    const { stdout } = await run(process.execPath, [bin(), '--version']);
    expect(stdout.trim()).toBe(VERSION);
  });

  it('mnemograph passes arguments on to a command and exits with its exit code', async () => {
    const { stdout } = await run(process.execPath, [bin(), 'keys', '--help']);
    expect(stdout).toContain('rotate');
    await expect(run(process.execPath, [bin(), 'keys', 'rename'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown command 'rename'"),
    });
  });

  it.each([
    ['a command that does not exist', ['serv'], "unknown command 'serv'"],
    ['an option, which it has none of', ['--port', '5000'], "unknown option '--port'"],
    ['an option of the server', ['serve', '--port', '5000'], "unknown option '--port'"],
    ['an argument of the server', ['serve', '5000'], "too many arguments for 'serve'"],
  ])('mnemograph with %s starts no server, and says what is wrong', async (_what, args, reason) => {
    const ran = run(process.execPath, [bin(), ...args]);
    await expect(ran).rejects.toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(new RegExp(`${reason}.*PORT=4100`, 's')),
    });
  });

  it('the server itself, as "npm start -- --port 5000" runs it, refuses arguments', async () => {
    const ran = run(process.execPath, [builtFile('main'), '--port', '5000']);
    await expect(ran).rejects.toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^The server has no argument "--port 5000".*PORT=4100/),
    });
  });

  it('mnemograph mcp --help says which server it uses without --url', async () => {
    const { stdout } = await run(process.execPath, [bin(), 'mcp', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('(default: the server of the data folder,');
  });

  it('mnemograph serve --help starts no server, and says where its settings are', async () => {
    const { stdout } = await run(process.execPath, [bin(), 'serve', '--help']);
    expect(stdout).toMatch(/^Usage: mnemograph serve.*environment variables/s);
  });

  it('mnemograph without a command starts the server and forwards signals to it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mnemograph-'));
    const child = spawn(process.execPath, [bin()], {
      env: { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', EMBEDDER: 'none' },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    while (!output.includes('is ready')) await once(child.stdout, 'data');
    expect(output).toMatch(/^Mnemograph is ready: http:/);
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.kill('SIGTERM');
    expect([...(await once(child, 'exit')), errors]).toEqual([0, null, '']);
    await rm(folder, { recursive: true });
  });

  it('Ctrl+C, which reaches mnemograph and the server that it has started, stops the server in order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mnemograph-'));
    const child = spawn(process.execPath, [bin()], {
      env: { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', EMBEDDER: 'none' },
      // A process group, as a terminal makes one.
      detached: true,
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    while (!output.includes('is ready')) await once(child.stdout, 'data');
    process.kill(-(child.pid as number), 'SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await rm(folder, { recursive: true });
  });

  it('mnemograph runs the server with the same Node options as npm start and the Docker image', async () => {
    const text = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
    expect(JSON.parse(await text('package.json')).scripts.start).toBe(
      ['node', ...NODE_OPTIONS, 'dist/main.js'].join(' '),
    );
    expect((await text('Dockerfile')).replaceAll(/ \\\n\s*/g, ' ')).toContain(
      `CMD ${JSON.stringify(['node', ...NODE_OPTIONS, 'dist/main.js']).replaceAll(',', ', ')}`,
    );
    for (const setting of Object.entries(MEMORY_SETTINGS)) {
      expect(await text('Dockerfile')).toMatch(
        new RegExp(`^ENV .*\\b${setting.join('=')}\\b`, 'm'),
      );
    }
  });
});
