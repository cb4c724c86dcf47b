import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { envSchema } from '../../src/config/env.ts';
import { exampleTabs } from '../../src/http/endpoints/graphiql-tabs.ts';
import { createWorld, type World } from '../support/world.ts';

const ROOT = new URL('../../', import.meta.url);
const readme = await readFile(new URL('README.md', ROOT), 'utf8');
const pages = (await readdir(new URL('docs/', ROOT))).filter((name) => name.endsWith('.md'));
const texts = await Promise.all(
  pages.map(async (name) => ({
    name,
    text: await readFile(new URL(`docs/${name}`, ROOT), 'utf8'),
  })),
);
const examples = [{ name: 'the README', text: readme }, ...texts].flatMap(({ name, text }) =>
  [...text.matchAll(/```graphql\n(.*?)```/gs)].map(([, query = ''], index) => ({
    title: `example ${index + 1} of ${name}`,
    query,
  })),
);

let world: World;
beforeAll(async () => {
  world = await createWorld({ JWT_SECRET: '' });
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ...examples.map(({ title, query }) => [title, query]),
  ...exampleTabs
    .filter(({ query }) => !query.includes('subscription'))
    .map(({ title, query }) => [`the GraphiQL tab "${title}"`, query]),
])('%s works as it stands on an open server', async (_name, query) => {
  const { status, body } = await world.client().post({ query });
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  expect(JSON.stringify(body.data)).not.toContain('"code"');
  await world.settle();
});

/** The settings as the table of docs/configuration.md should show them. */
const rows = Object.entries(envSchema.shape).map(([name, schema]) => {
  const parsed = schema.safeParse(undefined);
  const value = parsed.success && parsed.data !== undefined ? String(parsed.data) : '';
  return `| \`${name}\` | ${value && `\`${value}\``} | ${schema.description} |`;
});

it('the table of settings is what the server reads', () => {
  const configuration = texts.find(({ name }) => name === 'configuration.md');
  expect(configuration?.text).toContain(rows.join('\n'));
});
