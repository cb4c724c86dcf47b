import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const run = promisify(execFile);

it('the commands that evaluate a server take their options, and say which file is missing', async () => {
  const commands = [
    ['eval/eval-capture', '--verbose'],
    ['eval/eval-facts', '--verbose'],
    ['eval/eval-linking', '--pairs', '3'],
    ['eval/eval-locomo', '--context'],
  ] as const;
  const failed = commands.map(([name, ...options]) =>
    run(process.execPath, tool(name, ...options, '/no/such.json')).catch((error) => error),
  );
  const missing = { code: 1, stderr: 'There is no file /no/such.json.\n' };
  expect(await Promise.all(failed)).toMatchObject(commands.map(() => missing));
});
