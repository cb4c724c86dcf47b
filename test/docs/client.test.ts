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
