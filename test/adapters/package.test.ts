import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const BUILT = fileURLToPath(new URL('../../packages/adapters/dist/', import.meta.url));

const PROGRAM = `
import { memoryTools, withMemory } from './ai-sdk.js';
const memory = {
  context: async () => ({ markdown: 'Ada lives in Porto.' }),
  remember: async () => ({ turns: [] }),
};
const model = { doGenerate: async ({ prompt }) => ({ content: [{ type: 'text', text: prompt[0].content }] }) };
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Where do I live?' }] }];
const { content } = await withMemory(model, { memory }).doGenerate({ prompt });
console.log(content[0].text, Object.keys(memoryTools(memory)).join());
`;

it('the adapter of the AI SDK runs where no other package is installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-adapters-'));
  try {
    await cp(BUILT, folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'program.mjs'), PROGRAM);
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], {
      cwd: folder,
    });
    expect(stdout).toBe('Ada lives in Porto. recall,remember\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});
