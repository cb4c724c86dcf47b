import { readdir, readFile } from 'node:fs/promises';
import { createMemory, MemoryError, type MemoryOptions } from '@mnemograph/client';
import { overWebSocket } from '@mnemograph/client/ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientExamples } from '../support/client/client-examples.ts';
import { runExample } from '../support/run-example.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const examples = await clientExamples();

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs an example as it stands, but for the address. @returns what it prints */
async function run(code: string): Promise<string> {
  const printed = await runExample(code, {
    createMemory: (options: MemoryOptions) => {
      expect(options.url).toBe('http://localhost:4000');
      return createMemory({ ...options, url: server.origin });
    },
    MemoryError,
    overWebSocket,
  });
  await server.world.settle();
  return printed;
}

it.each(examples.map(({ title, code }) => [title, code]))(
  '%s runs as it stands',
  async (_title, code) => {
    expect(code).toMatch(/^import \{.*\} from '@mnemograph\/client';$/m);
    const printed = await run(code);
    // An example that prints shows something.
    expect(printed !== '' || !code.includes('console.log')).toBe(true);
  },
);

it('every document that is about the client has an example', () => {
  const documents = new Set(examples.map(({ title }) => title.split(' of ')[1]));
  expect([...documents].sort()).toEqual([
    'README.md',
    'docs/client.md',
    'packages/client/README.md',
  ]);
});

it('docs/client.md names every code that the client gives by itself', async () => {
  const folder = 'packages/client/src/';
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const sources = await Promise.all(files.map((name) => readFile(folder + name, 'utf8')));
  const given = /MemoryError\(\s*(?:isBroken \? )?'([A-Z_]+)'|^ {2}\d{4}: '([A-Z_]+)',$/gm;
  const codes = sources.flatMap((text) =>
    [...text.matchAll(given)].map(([, thrown, closed]) => thrown ?? closed),
  );
  expect(new Set(codes).size).toBeGreaterThan(5);
  const docs = await readFile('docs/client.md', 'utf8');
  const told = /The codes of the client itself are.*?All others/s.exec(docs)?.[0];
  for (const code of codes) expect(told).toContain(`\`${code}\``);
});
