import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runExampleFile } from '../support/example.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
});
afterAll(() => server[Symbol.asyncDispose]());

const chat = () => runExampleFile('terminal-chat/chat.ts', { MNEMOGRAPH_URL: server.origin });

it('the chat in the terminal remembers in the next chat what was said in this one', async () => {
  // The first answer of a server takes longer than the chat waits on a busy machine.
  await createMemory({ url: server.origin }).context('Hello?', { channel: 'terminal' });
  {
    await using first = chat();
    await first.until(/you> $/);
    first.type('My sister Marta is vegetarian.');
    await first.until(/assistant> I remember nothing yet\.\nyou> $/);
    first.type('');
    expect(await first.exited).toBe(0);
  }
  await server.world.settle();
  await using second = chat();
  await second.until(/you> $/);
  second.type('Where shall I eat with Marta?');
  await second.until(/assistant> I remember:\n[\s\S]*vegetarian[\s\S]*you> $/);
  second.type('');
  expect(await second.exited).toBe(0);

  const { body } = await server.post({
    query: '{ viewer { turns(first: 10) { edges { node { role text channel } } } } }',
  });
  const { viewer } = body.data as unknown as { viewer: { turns: { edges: { node: object }[] } } };
  expect(viewer.turns.edges.map(({ node }) => node)).toMatchObject([
    { role: 'USER', text: 'My sister Marta is vegetarian.', channel: 'terminal' },
    { role: 'ASSISTANT', text: 'I remember nothing yet.' },
    { role: 'USER', text: 'Where shall I eat with Marta?' },
    { role: 'ASSISTANT' },
  ]);
}, 120_000);
