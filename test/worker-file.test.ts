import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it.runIf(process.platform === 'linux')(
  'a thread lowers its priority below that of its process, down to the lowest',
  async () => {
    const module = new URL('../src/worker-file.ts', import.meta.url);
    const program = `import { getPriority } from 'node:os';
      import { lowerPriority } from '${module}';
      const own = getPriority();
      lowerPriority(3);
      const lower = getPriority() - own;
      lowerPriority(30);
      console.log(JSON.stringify({ own, lower, lowest: getPriority() }));`;
    const options = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout } = await run('nice', ['-n', '5', process.execPath, ...options]);
    const own = Math.min(19, getPriority() + 5);
    expect(JSON.parse(stdout)).toEqual({ own, lower: Math.min(3, 19 - own), lowest: 19 });
  },
);
