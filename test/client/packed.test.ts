import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientExamples } from '../support/client/client-examples.ts';
import { createProject } from '../support/client/packed-client.ts';
import { createTestServer, OPEN } from '../support/server.ts';

let project: Awaited<ReturnType<typeof createProject>>;
beforeAll(async () => {
  project = await createProject();
}, 60_000);
afterAll(() => project[Symbol.asyncDispose]());

const [readme] = await clientExamples();
const REQUIRED = `
const { createMemory } = require('@mnemograph/client');
const memory = createMemory({ url: process.argv[2] });
memory.remember('Marta is vegetarian.', { channel: 'sms' })
  .then(() => memory.recall('Who is vegetarian?', { kinds: ['TURN'] }))
  .then(({ markdown }) => console.log(markdown));
`;

it('the five lines of the README run in an empty project with the packed client, against a real server', async () => {
  await using server = await createTestServer(OPEN);
  expect(readme?.title).toContain('README.md');
  const lines = readme?.code.replace('http://localhost:4000', server.origin) ?? '';
  expect(lines.trim().split('\n')).toHaveLength(5);
  await project.run('five.mjs', lines);
  await server.world.settle();
  expect(await project.run('five.mjs', lines)).toMatch(/^<memory>[\s\S]*Marta is vegetarian/);
});

it('the packed client remembers and recalls in a program that requires it, without an environment variable', async () => {
  await using server = await createTestServer(OPEN);
  await project.run('main.cjs', REQUIRED, server.origin);
  await server.world.settle();
  expect(await project.run('main.cjs', REQUIRED, server.origin)).toContain('Marta is vegetarian');
  const { body } = await server.post({ query: '{ viewer { turnCount } }' });
  expect(body.data).toEqual({ viewer: { turnCount: 2 } });
});
