import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const run = (file: string) =>
  promisify(execFile)(process.execPath, tool('eval/eval-capture', file));

describe('eval:capture', () => {
  // The least that the command is given: without a conversation it waits for nothing but its server.
  it('eval:capture is a command that starts and ends a server of its own', async () => {
    const { stdout } = await run(devNull);
    const { conversations, database } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    expect({ conversations, database }).toEqual({ conversations: 0, database: 'embedded' });
  });

  it('an unreadable file is reported in one line', async () => {
    await expect(run(path('locomo-fixture.json'))).rejects.toMatchObject({
      stderr: expect.stringMatching(/^\S*locomo-fixture\.json holds no JSON lines of .*\n$/),
    });
  });
});
