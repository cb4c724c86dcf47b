import { readdir, readFile } from 'node:fs/promises';
import { EdgeVM } from '@edge-runtime/vm';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { createTestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

const SOURCES = new URL('../../packages/client/src/', import.meta.url);
const DEPENDENCY = 'eventsource-parser';
const PARSER = new URL(`../../node_modules/${DEPENDENCY}/dist/index.js`, import.meta.url);

/** A script that defines `createMemory`. The runtime evaluates scripts only, as those who deploy to one bundle theirs. */
async function bundle(): Promise<string> {
  const names = (await readdir(SOURCES)).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    [
      ...names.map((name) => [`./${name}`, new URL(name, SOURCES)] as const),
      [DEPENDENCY, PARSER] as const,
    ].map(async ([name, place]) => {
      const { outputText } = ts.transpileModule(await readFile(place, 'utf8'), {
        compilerOptions: {
          module: ts.ModuleKind.CommonJS,
          target: ts.ScriptTarget.ES2022,
          verbatimModuleSyntax: false,
        },
      });
      return `${JSON.stringify(name)}: (exports, require) => {${outputText}}`;
    }),
  );
  return `
    const modules = {${modules.join(',\n')}};
    const loaded = {};
    const require = (name) => {
      if (!loaded[name]) modules[name](loaded[name] = {}, require);
      return loaded[name];
    };
    globalThis.createMemory = require('./index.ts').createMemory;`;
}

it('the client runs in an edge runtime: calls, errors and a live stream', async () => {
  await using server = await createTestServer();
  const edge = new EdgeVM();
  edge.evaluate(await bundle());
  const options = { url: server.origin, token: await userToken('ada') };
  edge.evaluate(`globalThis.memory = createMemory(${JSON.stringify(options)})`);
  const ask = (code: string): Promise<unknown> => edge.evaluate(`(async () => {${code}})()`);

  const opened = ask(`
    for await (const event of memory.events({ kinds: ['TURNS_REMEMBERED'] })) return event.turns[0].text;`);
  const told = async () => {
    await ask(`await memory.remember('Hello from the edge.', { channel: 'sms' })`);
    return await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, 100))]);
  };
  await expect.poll(told, { interval: 100, timeout: 60_000 }).toBe('Hello from the edge.');
  await server.world.settle();
  expect(
    await ask(`return (await memory.recall('edge', { kinds: ['TURN'] })).hits.length`),
  ).toBeGreaterThan(0);
  expect(
    await ask(
      `return memory.forget({ turnId: 'nonsense' }).catch(({ name, code }) => name + ' ' + code)`,
    ),
  ).toMatch(/^MemoryError [A-Z_]+$/);
  expect(edge.evaluate('typeof process')).toBe('undefined');
});
